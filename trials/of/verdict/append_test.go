package verdict

import (
	"testing"

	"github.com/inlier-ml/inlier/verdict"
	"gonum.org/v1/gonum/mat"
)

// Contributions are left out from the first rows on, and those rows stay what they are.
func TestAppendLeavesContributionsOut(t *testing.T) {
	one := func() *verdict.Rows {
		return &verdict.Rows{Outlier: []bool{true}, Kind: []verdict.Kind{verdict.Regular}, Kinds: []verdict.Kind{verdict.Regular}, Contributions: mat.NewDense(1, 2, nil)}
	}
	first := one()
	var all *verdict.Rows
	for k, more := range []*verdict.Rows{first, one()} {
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
	rows := &verdict.Rows{Outlier: []bool{false, true, true}, Kind: []verdict.Kind{verdict.Regular, verdict.RareValues, verdict.Missing}, Kinds: []verdict.Kind{verdict.Regular, verdict.RareValues, verdict.Missing}}
	for i, want := range []float64{1, 1, 0} {
		if got := rows.Row(i); got.Weight != want || got.Label != -1 {
			t.Errorf("row %d: %+v", i, got)
		}
	}
}
