package check

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// The days and the meter of a later batch go on from those that were learned, and only what is wrong in it is called wrong:
// the year of one row, and a reading that is ten times too large.
func TestBatchesGoOn(t *testing.T) {
	r := random.New(3, "going on")
	rows := func(from, n int) (out [][]string) {
		for i := range n {
			x := r.NormFloat64()
			day := time.Date(2024, 1, 1+from+i, 0, 0, 0, 0, time.UTC)
			out = append(out, []string{day.Format(time.DateOnly), fmt.Sprintf("%.1f", 5000+12*float64(from+i)+4*r.Float64()), fmt.Sprintf("%.3f", x), fmt.Sprintf("%.3f", 3*x+0.1*r.NormFloat64())})
		}
		return out
	}
	names := []string{"day", "meter", "x", "y"}
	m, err := check.Learn(context.Background(), tolerant.FromStrings(names, rows(0, 300), tolerant.Options{}), check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, batch := range map[string][][]string{"next": rows(300, 60), "later": rows(700, 30), "row": rows(420, 1), "wrong": rows(300, 60), "known": rows(100, 60)} {
		var want []int
		if name == "wrong" {
			batch[20][0], batch[40][1], want = "2042-11-16", "9"+batch[40][1], []int{20, 40}
		}
		got, err := m.Judge(context.Background(), tolerant.FromStrings(names, batch, tolerant.Options{Usual: m.Kinds()}))
		if err != nil {
			t.Fatal(err)
		}
		var wrong []int
		for i := range batch {
			if got.Wrong[i] {
				wrong = append(wrong, i)
			}
		}
		if !slices.Equal(wrong, want) {
			t.Errorf("%s: %v, want %v", name, wrong, want)
			for _, i := range wrong {
				t.Log(got.Why(i))
			}
		}
	}
}

// Amounts of a column that a batch lacks are not missing from its running sums.
func TestRunningSumsWithoutAColumn(t *testing.T) {
	r := random.New(4, "lacking")
	account := func(n int) *tolerant.Table {
		debit, credit, balance, last := make([]float64, n), make([]float64, n), make([]float64, n), 500000.0
		for i := range n { // cents
			if debit[i], credit[i] = math.Round(1000+6000*r.ExpFloat64()), math.NaN(); r.IntN(3) == 0 {
				debit[i], credit[i] = math.NaN(), math.Round(2000+12000*r.ExpFloat64())
				last += credit[i]
			} else {
				last -= debit[i]
			}
			balance[i] = last
		}
		return numbersTable([]string{"debit", "credit", "balance"}, debit, credit, balance)
	}
	m, err := check.Learn(context.Background(), account(300), check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	batch, lacks, _ := m.Align(account(60).Select([]int{0, 2}))
	if !slices.Equal(lacks, []string{"credit"}) {
		t.Fatal(lacks)
	}
	got, err := m.Judge(context.Background(), batch)
	if err != nil {
		t.Fatal(err)
	}
	for i, wrong := range got.Wrong {
		if wrong && got.Part[i] == check.PartRelation {
			t.Errorf("row %d: %s", i, got.Why(i))
		}
	}
}
