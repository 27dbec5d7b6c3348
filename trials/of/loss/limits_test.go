package loss

import (
	"math"
	"strconv"
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

func TestLimits(t *testing.T) {
	const wide = 1e5
	at := func(text string, scale float64) loss.Scaled { return loss.MustParse(text).At(scale) }
	square := at("square", 0)
	// Two terms are left out by the limits: relative error about s/sigma^2 = 1e-8.
	same(t, "wide welsch", at("welsch", wide), square, 1/(2*wide*wide), 1e-7, decades)
	same(t, "wide cauchy", at("cauchy", wide), square, 1, 1e-7, decades)
	same(t, "wide tukey", at("tukey", wide), square, 1, 1e-7, decades)
	same(t, "wide huber", at("huber", wide), square, 1, 1e-15, decades)
	for _, p := range []float64{1, 1.5, 2, 3, 4} {
		ratio := math.Pow(2*wide*wide, -p/2)
		// Residuals above the floor of 1.4e-6*wide only.
		same(t, "wide kmpe p="+number(p), at("kmpe:p="+number(p), wide), at("lp:p="+number(p), 0), ratio, 1e-7, []float64{0.1, 0.5, 1, 2, 7, 30, 100})
	}
	// Huber's rho has the constant -c^2 beside 2c*r, hence the coarser tolerance.
	const narrow = 1e-9
	same(t, "narrow huber", at("huber", narrow), at("l1", 0), 2*narrow, 1e-5, []float64{1e-3, 0.1, 1, 100})
	// gcorr with a wide kernel is lp with p = alpha.
	same(t, "wide gcorr alpha=4", at("gcorr:alpha=4", wide), at("lp:p=4", 0), math.Pow(wide, -4), 1e-7, decades)
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
