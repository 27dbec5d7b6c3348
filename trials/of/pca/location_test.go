package pca

import (
	"errors"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/refusal"
	"gonum.org/v1/gonum/mat"
)

// R1-PCA with mean=sample is Huber's weights about the plain mean.
func TestR1WithTheSampleMean(t *testing.T) {
	x := textbookTable(60, 6, 2, 7)
	n, _ := x.Dims()
	m := fit(t, pca.R1{Options: paperOptions(2), Mean: pca.MeanSample}, x)
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
	free := fit(t, pca.R1{Options: paperOptions(2)}, x).Mean()
	apart := 0.0
	for j, v := range m.Mean() {
		apart = math.Hypot(apart, v-free[j])
	}
	if apart < 1e-3 {
		t.Errorf("the weighted mean is the plain one to %g: this shows nothing", apart)
	}
	if _, err := (pca.R1{Mean: "middle"}).Fit(t.Context(), linalg.FromDense(x)); err == nil {
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
		got, err := pca.GeneralizedSampleMean(t.Context(), linalg.FromDense(x), 0.5, pca.DeltaAnneal, nil)
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
	want, err := pca.GeneralizedSampleMean(t.Context(), linalg.FromDense(x), 0.5, pca.DeltaAnneal, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range []float64{1e-300, 1e-150, 1e-130, 1e130, 1e150, 1e300} {
		for _, delta := range []pca.Delta{pca.DeltaAnneal, pca.DeltaPaper} {
			y := mat.DenseCopyOf(x)
			y.Scale(unit, x)
			got, err := pca.GeneralizedSampleMean(t.Context(), linalg.FromDense(y), 0.5, delta, nil)
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
