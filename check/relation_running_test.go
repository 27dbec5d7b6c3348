package check

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// statement is an account: each row has a debit or a credit, and the balance after it. Salaries come in now and then, so that
// the balance jumps.
func statement(n int, seed uint64, newestFirst bool) *tolerant.Table {
	r := random.New(seed, "statement")
	debit, credit, balance := make([]float64, n), make([]float64, n), make([]float64, n)
	cents, last := func(v float64) float64 { return math.Round(100*v) / 100 }, 5000.0
	for i := range n {
		if debit[i], credit[i] = cents(10+60*r.ExpFloat64()), math.NaN(); i%24 == 11 {
			debit[i], credit[i] = math.NaN(), cents(1500+100*r.Float64())
			last += credit[i]
		} else {
			last -= debit[i]
		}
		last = cents(last)
		balance[i] = last
	}
	if newestFirst {
		slices.Reverse(debit)
		slices.Reverse(credit)
		slices.Reverse(balance)
	}
	return numbersTable([]string{"debit", "credit", "balance"}, debit, credit, balance)
}

// A statement whose first column names its rows, and so holds no numbers, is judged as well.
func TestRunningSumBehindNames(t *testing.T) {
	table := statement(380, 3, false)
	names := tolerant.Column{Name: "no", Kind: tolerant.Identifier}
	table.Columns = append([]tolerant.Column{names}, table.Columns...)
	table.Columns[1].Values[120] *= 100
	l, err := learnLaws(context.Background(), table, 1)
	if err != nil {
		t.Fatal(err)
	}
	found, _, err := l.judge(context.Background(), table)
	if err != nil || len(found.Cells) != 1 || found.Cells[0].Row != 120 || found.Cells[0].Column != 1 {
		t.Errorf("found %v (%v)", found.Cells, err)
	}
}

// Rows whose order means nothing have no running sums.
func TestNoRunningSumsByChance(t *testing.T) {
	for _, shape := range cleanShapes {
		l, err := learnLaws(context.Background(), cleanTable(shape, 150, 5, 4), 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range l.running {
			t.Errorf("%s: %s", shape, r.text)
		}
	}
}

// Counts of people that add up do so whatever their range, between what is taken for a list and what is taken for rounded.
func TestSumsOfCounts(t *testing.T) {
	r := random.New(4, "counts")
	for _, below := range []int{20, 60, 600} {
		a, b, sum := make([]float64, 200), make([]float64, 200), make([]float64, 200)
		for i := range sum {
			a[i], b[i] = float64(r.IntN(below)), float64(r.IntN(below))
			sum[i] = a[i] + b[i]
		}
		found, err := findSums(context.Background(), newRelationSample(numbersTable([]string{"adults", "children", "guests"}, a, b, sum)))
		if err != nil || len(found) != 1 {
			t.Errorf("up to %d: %d sums (%v)", below, len(found), err)
		}
	}
}
