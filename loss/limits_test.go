package loss

import (
	"math"
	"testing"
)

// same reports where the weights or the scaled losses of a and b differ by more than a
// relative tol. ratio is Rho of a over Rho of b.
func same(t *testing.T, name string, a, b Scaled, ratio, tol float64, s []float64) {
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

func TestLimits(t *testing.T) {
	const wide = 1e5
	at := func(text string, scale float64) Scaled { return MustParse(text).At(scale) }
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
