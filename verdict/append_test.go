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
