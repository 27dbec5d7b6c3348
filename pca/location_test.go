package pca

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
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

// R1-PCA with mean=sample is Huber's weights about the plain mean.
func TestR1WithTheSampleMean(t *testing.T) {
	x := textbookTable(60, 6, 2, 7)
	n, _ := x.Dims()
	m := fit(t, R1{Options: paperOptions(2), Mean: MeanSample}, x)
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	mean, basis, _ := textbookPCA(x, ones, nil, 2)
	cut := math.Sqrt(textbookMedian(textbookDistances(x, mean, basis)))
	for _, l := range textbookLosses(cut) {
		if l.text == "huber:c=" {
			agree(t, m, textbookIRLS(x, 2, l, mean, len(m.Steps())-1), 1e-8)
		}
	}
	free := fit(t, R1{Options: paperOptions(2)}, x).Mean()
	apart := 0.0
	for j, v := range m.Mean() {
		apart = math.Hypot(apart, v-free[j])
	}
	if apart < 1e-3 {
		t.Errorf("the weighted mean is the plain one to %g: this shows nothing", apart)
	}
	if _, err := (R1{Mean: "middle"}).Fit(t.Context(), linalg.FromDense(x)); err == nil {
		t.Error("a mean that there is not was taken")
	}
}

// A twentieth of the rows far out, in opposite directions, moves the spatial median by no more
// the farther out they are.
func TestSpatialMedianStandsFarRows(t *testing.T) {
	near := []float64(nil)
	for _, far := range []float64{1e2, 1e4, 1e8, 1e14, 1e50, 1e160, 1e300} {
		x := textbookTable(60, 3, 2, 8)
		for i := range 3 {
			x.Set(i, i, far*float64(1-2*(i%2)))
		}
		got, err := GeneralizedSampleMean(t.Context(), linalg.FromDense(x), 0.5, DeltaAnneal, nil)
		if err != nil {
			t.Fatal(err)
		}
		if near == nil {
			near = got
		}
		for j, v := range got {
			if !(math.Abs(v-near[j]) < 0.05) {
				t.Errorf("far rows at %g: %v instead of %v", far, got, near)
				break
			}
		}
	}
}

// In units whose squares cannot be added the mean is refused, not wrong; just within it is the same in any unit.
func TestGeneralizedSampleMeanInAbsurdUnits(t *testing.T) {
	x := textbookTable(60, 3, 2, 8)
	want, err := GeneralizedSampleMean(t.Context(), linalg.FromDense(x), 0.5, DeltaAnneal, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range []float64{1e-300, 1e-150, 1e-130, 1e130, 1e150, 1e300} {
		for _, delta := range []Delta{DeltaAnneal, DeltaPaper} {
			y := mat.DenseCopyOf(x)
			y.Scale(unit, x)
			got, err := GeneralizedSampleMean(t.Context(), linalg.FromDense(y), 0.5, delta, nil)
			if absurd := unit < 1e-140 || unit > 1e140; absurd {
				var refused *refusal.DataError
				if !errors.As(err, &refused) {
					t.Errorf("unit %g, delta %s: %v, error %v", unit, delta, got, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("unit %g, delta %s: %v", unit, delta, err)
				continue
			}
			for j, v := range got {
				if !(math.Abs(v/unit-want[j]) < 1e-3) {
					t.Errorf("unit %g, delta %s: %v times the unit, want %v", unit, delta, v/unit, want[j])
				}
			}
		}
	}
}
