package pca

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// The generalised sample mean is a fixed point: where it ends, a further step of the
// iteration does not move it, however far from zero the rows lie.
func TestGeneralizedSampleMeanConverges(t *testing.T) {
	for _, size := range [][2]int{{110, 2}, {60, 6}, {300, 10}} {
		for _, offset := range []float64{0, 1e6} {
			x := textbookTable(size[0], size[1], 2, 8)
			x.Apply(func(_, _ int, v float64) float64 { return v + offset }, x)
			for _, p := range []float64{0.3, 0.5, 0.8} {
				for _, delta := range []Delta{DeltaPaper, DeltaAnneal} {
					got, next := generalizedStep(t, x, p, delta)
					shift := 0.0
					for j := range got {
						shift = math.Hypot(shift, got[j]-next[j])
					}
					spread := math.Sqrt(textbookMedian(textbookDistances(x, got, nil)))
					if shift > 1e-8*spread {
						t.Errorf("%d rows, offset %g, p=%g, delta %s: a further step moves the mean by %.2g", size[0], offset, p, delta, shift)
					}
				}
			}
		}
	}
}

// generalizedStep is the generalised sample mean, and where one more step with the last
// delta leads.
func generalizedStep(t *testing.T, x *mat.Dense, p float64, delta Delta) (got, next []float64) {
	t.Helper()
	src := linalg.FromDense(x)
	got, err := GeneralizedSampleMean(t.Context(), src, p, delta, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, mean, err := linalg.WeightedMean(t.Context(), src, nil)
	if err != nil {
		t.Fatal(err)
	}
	path := means(loss.MustParse(fmt.Sprintf("gm:p=%g", p)), delta, textbookDistances(x, mean, nil), nil, 0)
	last := path[len(path)-1].At(0)
	s := textbookDistances(x, got, nil)
	w := make([]float64, len(s))
	for i, v := range s {
		w[i] = last.Weight(v)
	}
	if _, next, err = linalg.WeightedMean(t.Context(), src, w); err != nil {
		t.Fatal(err)
	}
	return got, next
}
