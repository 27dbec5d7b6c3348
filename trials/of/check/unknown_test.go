package check

import (
	"context"
	"fmt"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// A batch is judged by what was learned: words that a complete list does not have are wrong, and a column
// that the batch lacks is left out.
func TestBatchWithUnknownWordsAndALackingColumn(t *testing.T) {
	r := random.New(7, "batch")
	rows := func(n int) (out [][]string) {
		for range n {
			x := r.NormFloat64()
			out = append(out, []string{[]string{"7a", "7b", "8a"}[r.IntN(3)], fmt.Sprintf("%.3f", x), fmt.Sprintf("%.3f", 3*x+0.1*r.NormFloat64()), fmt.Sprintf("%.3f", r.NormFloat64())})
		}
		return out
	}
	names := []string{"class", "x", "y", "z"}
	m, err := check.Learn(context.Background(), tolerant.FromStrings(names, rows(300), tolerant.Options{}), check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	fresh := rows(60)
	fresh[10][0] = "7c"
	fresh[20][2] = "30"
	for i := range fresh {
		fresh[i] = fresh[i][:3]
	}
	batch, lacking, _ := m.Align(tolerant.FromStrings(names[:3], fresh, tolerant.Options{}))
	if len(lacking) != 1 || lacking[0] != "z" || batch == nil {
		t.Fatalf("lacking %q", lacking)
	}
	got, err := m.Judge(context.Background(), batch)
	if err != nil {
		t.Fatal(err)
	}
	for i, wrong := range got.Wrong {
		if wrong != (i == 10 || i == 20) {
			t.Errorf("row %d %q: wrong %v, %s", i, fresh[i], wrong, got.Why(i))
		}
	}
	if batch, lacking, _ = m.Align(tolerant.FromStrings([]string{"a"}, [][]string{{"1"}}, tolerant.Options{})); batch != nil || len(lacking) != 4 {
		t.Errorf("a table without any of the columns: lacking %q", lacking)
	}
}

// A word that many rows of a batch have is a new kind of theirs, which is told and no mistake; one that comes once is, and nobody knows by what to
// replace it. Of a batch with new chromosomes 181 of 200 rows were called wrong, and the word of each emptied.
func TestNewKindsInABatch(t *testing.T) {
	r := random.New(8, "new kinds")
	rows := func(n int, kinds ...string) (out [][]string) {
		for range n {
			x := r.NormFloat64()
			out = append(out, []string{kinds[r.IntN(len(kinds))], fmt.Sprintf("%.3f", x), fmt.Sprintf("%.3f", 3*x+0.1*r.NormFloat64())})
		}
		return out
	}
	names := []string{"shop", "x", "y"}
	m, err := check.Learn(context.Background(), tolerant.FromStrings(names, rows(400, "Ulm", "Bonn", "Trier"), tolerant.Options{}), check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	fresh := rows(120, "Ulm", "Bonn", "Trier", "Leipzig")
	fresh[17][0], fresh[30][0] = "Oslo", "Trire"
	batch, _, _ := m.Align(tolerant.FromStrings(names, fresh, tolerant.Options{}))
	got, err := m.Judge(context.Background(), batch)
	if err != nil {
		t.Fatal(err)
	}
	for i, wrong := range got.Wrong {
		if wrong != (i == 17 || i == 30) {
			t.Errorf("row %d %q: wrong %v, %s", i, fresh[i], wrong, got.Why(i))
		}
	}
	for _, c := range got.Cells {
		if c.Row == 17 && c.Wrong && !c.Doubt {
			t.Errorf("nobody knows what Oslo stands for: %s", c.Why)
		}
		if c.Row == 30 && c.Wrong && (c.Doubt || c.Level != "Trier") {
			t.Errorf("a finger's slip is %q: %s", c.Level, c.Why)
		}
	}
}
