package score

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/score"
)

// Differences that are equal but for the rounding of the scores have no spread to compare
// with: they are treated like exactly equal ones.
func TestPairedTKnowsRounding(t *testing.T) {
	a := []float64{0.1 + 0.2, 0.8, 0.7, 0.3, 0.9}
	b := make([]float64, len(a))
	equal := true
	for i := range a {
		b[i] = a[i] - 0.1
		equal = equal && a[i]-b[i] == a[0]-b[0]
	}
	if equal {
		t.Fatal("the differences have no rounding, so the test shows nothing")
	}
	r, err := score.PairedT(a, b)
	if err != nil || r.Low != r.High || r.T != math.MaxFloat64 || math.Abs(r.Difference-0.1) > 1e-15 {
		t.Errorf("a constant difference: %+v (%v)", r, err)
	}
	// The same numbers added in another order: no difference at all.
	r, err = score.PairedT([]float64{(0.1 + 0.2) + 0.3, 0.6, 1}, []float64{0.1 + (0.2 + 0.3), (0.1 + 0.2) + 0.3, 1})
	if err != nil || r.P != 1 || r.T != 0 || r.Difference != 0 {
		t.Errorf("differences of rounding: %+v (%v)", r, err)
	}
	// A real spread, however small, is tested.
	r, err = score.PairedT([]float64{1, 1 + 1e-9, 1}, []float64{1, 1, 1})
	if err != nil || !(r.P > 0.4 && r.P < 0.5) { // t = 1 with 2 degrees of freedom: 0.4226
		t.Errorf("a small spread: %+v (%v)", r, err)
	}
	if r, err = score.PairedT([]float64{0, 0}, []float64{0, 0}); err != nil || r.P != 1 {
		t.Errorf("zeros: %+v (%v)", r, err)
	}
}

// The test does not depend on the unit of the scores, down to units in which squares
// overflow or vanish.
func TestPairedTHasNoUnit(t *testing.T) {
	a, b := []float64{.82, .79, .91, .85}, []float64{.80, .80, .86, .81}
	want, err := score.PairedT(a, b)
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range []float64{0x1p1000, 0x1p-900} {
		x, y := make([]float64, 4), make([]float64, 4)
		for i := range x {
			x[i], y[i] = a[i]*unit, b[i]*unit
		}
		got, err := score.PairedT(x, y)
		near(t, "t", got.T, err, want.T, 1e-12)
		near(t, "low", got.Low/unit, err, want.Low, 1e-12)
	}
	r, err := score.PairedT([]float64{1.7e308, 1.6e308}, []float64{-1.7e308, -1.5e308})
	if err != nil || math.IsNaN(r.T) || math.IsInf(r.High, 0) || !(r.T > 10) {
		t.Errorf("differences beyond float64: %+v (%v)", r, err)
	}
}

// scikit-learn 1.9.1: r2_score([3, 3], [3, 3]) is 1.0 and r2_score([3, 3], [3, 4]) is 0.0.
func TestR2OfConstants(t *testing.T) {
	tenths := make([]float64, 30)
	off, noisy := make([]float64, 30), make([]float64, 30)
	for i := range tenths {
		tenths[i], off[i], noisy[i] = 0.1, 0.2, math.Nextafter(0.1, float64(i%2))
	}
	for _, c := range []struct {
		name             string
		truth, predicted []float64
		want             float64
	}{
		{"met", tenths, tenths, 1},
		{"met to rounding", tenths, noisy, 1},
		{"constant to rounding", noisy, tenths, 1},
		{"missed", tenths, off, 0},
		{"missed, constant to rounding", noisy, off, 0},
		{"zeros met", make([]float64, 3), make([]float64, 3), 1},
		{"zeros missed", make([]float64, 3), []float64{0, 0, 1e-300}, 0},
		{"one value met", []float64{2}, []float64{2}, 1},
		{"one value missed", []float64{2}, []float64{3}, 0},
		{"huge", []float64{1e300, -1e300}, []float64{0, 0}, 0},
		{"tiny", []float64{1e-300, -1e-300}, []float64{0, 0}, 0},
		{"absurd prediction", []float64{1, 2}, []float64{1e300, 0}, -math.MaxFloat64},
	} {
		v, err := score.R2(c.truth, c.predicted)
		near(t, c.name, v, err, c.want, 1e-12)
	}
}

func TestErrorsOfFarRows(t *testing.T) {
	for _, unit := range []float64{1e300, 1e-300} {
		x, y := mat.NewDense(1, 2, []float64{3 * unit, 0}), mat.NewDense(1, 2, []float64{0, -4 * unit})
		v, err := score.ReconstructionError(x, y)
		near(t, "reconstruction", v/unit, err, 5, 1e-12)
	}
}

// R 4: p.adjust(c(.01, .04, .03, .005, .5), "holm")
func TestHolm(t *testing.T) {
	want := []float64{0.040, 0.090, 0.090, 0.025, 0.500}
	for i, p := range score.Holm([]float64{.01, .04, .03, .005, .5}) {
		near(t, "Holm", p, nil, want[i], 1e-15)
	}
	if len(score.Holm(nil)) != 0 {
		t.Error("no tests")
	}
}
