package verdict

import (
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Contributions are left out from the first rows on, and those rows stay what they are.
func TestAppendLeavesContributionsOut(t *testing.T) {
	one := func() *Rows {
		return &Rows{Outlier: []bool{true}, Kind: []Kind{Regular}, Kinds: []Kind{Regular}, Contributions: mat.NewDense(1, 2, nil)}
	}
	first := one()
	var all *Rows
	for k, more := range []*Rows{first, one()} {
		if all = all.Append(more); all.Contributions != nil || all.Len() != k+1 {
			t.Errorf("%d rows appended: %d, contributions %v", k+1, all.Len(), all.Contributions)
		}
	}
	if first.Len() != 1 || first.Contributions == nil {
		t.Error("the verdict that was appended has changed")
	}
}

// A model without a loss gives every row its full vote, but for those that it cannot judge.
func TestRowsOfModelsWithoutALoss(t *testing.T) {
	rows := &Rows{Outlier: []bool{false, true, true}, Kind: []Kind{Regular, RareValues, Missing}, Kinds: []Kind{Regular, RareValues, Missing}}
	for i, want := range []float64{1, 1, 0} {
		if got := rows.Row(i); got.Weight != want || got.Label != -1 {
			t.Errorf("row %d: %+v", i, got)
		}
	}
}
