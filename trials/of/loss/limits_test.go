package loss

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/loss"
)

// same reports where the weights or the scaled losses of a and b differ by more than a
// relative tol. ratio is Rho of a over Rho of b.
func same(t *testing.T, name string, a, b loss.Scaled, ratio, tol float64, s []float64) {
	t.Helper()
	for _, v := range s {
		if x, y := a.Slope()*a.Weight(v), ratio*b.Slope()*b.Weight(v); math.Abs(x-y) > tol*math.Abs(y) {
			t.Errorf("%s: s=%g: slopes %g and %g", name, v, x, y)
		}
		if x, y := a.Rho(v), ratio*b.Rho(v); math.Abs(x-y) > tol*math.Abs(y) {
			t.Errorf("%s: s=%g: losses %g and %g", name, v, x, y)
		}
	}
}

var decades = []float64{1e-6, 1e-3, 0.1, 0.5, 1, 2, 7, 30, 100}

func TestSpecialCasesAgree(t *testing.T) {
	at := func(text string, scale float64) loss.Scaled { return loss.MustParse(text).At(scale) }
	const sigma = 1.7
	same(t, "kmpe p=2 is welsch", at("kmpe:p=2", sigma), at("welsch", sigma), 1, 1e-14, decades)
	same(t, "gcorr alpha=2 is welsch", at("gcorr:alpha=2", math.Sqrt2*sigma), at("welsch", sigma), 1, 1e-14, decades)
	for _, p := range []string{"0.5", "1", "3", "4", "10"} {
		same(t, "gkmpe alpha=2 is kmpe p="+p, at("gkmpe:alpha=2,p="+p, math.Sqrt2*sigma), at("kmpe:p="+p, sigma), 1, 1e-14, decades)
	}
	for _, a := range []string{"0.5", "1", "4"} {
		same(t, "gkmpe p=2 is gcorr alpha="+a, at("gkmpe:p=2,alpha="+a, sigma), at("gcorr:alpha="+a, sigma), 1, 1e-14, decades)
	}
	same(t, "gm p=1 is square but for delta", at("gm:p=1,delta=1e-300", 0), at("square", 0), 1, 1e-14, decades)
	same(t, "gm p is lp 2p", at("gm:p=0.4,delta=1e-300", 0), at("lp:p=0.8,floor=1e-100", 0), 1, 1e-14, decades)
	same(t, "lp p=2 is square", at("lp:p=2", 0), at("square", 0), 1, 1e-15, decades)
	same(t, "lp p=1 is l1", at("lp:p=1", 0), at("l1", 0), 1, 1e-15, decades)
}
