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
