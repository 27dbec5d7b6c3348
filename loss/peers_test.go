package loss

import (
	"math"
	"testing"
)

func near(a, b, tol float64) bool { return math.Abs(a-b) <= tol*math.Max(math.Abs(b), 1e-300) }

// Generalised KMPE by Python's decimal module with 60 digits:
//
//	u = s.sqrt()/beta; g = (-u**alpha).exp()
//	rho = (1-g)**(p/2); w = (1-g)**((p-2)/2)*g*u**(alpha-2); w.ln()
func TestGeneralisedKMPEInManyDigits(t *testing.T) {
	for _, c := range []struct{ s, alpha, beta, p, rho, weight, logWeight float64 }{
		{0.49, 2, 1.3, 4, 6.33489409694506095e-02, 1.88343214191274672e-01, -1.66948937314759993e+00},
		{0.49, 2, 1.3, 1, 5.01689301421432865e-01, 1.49157624593368698e+00, 3.99833443970249613e-01},
		{7, 1, 0.8, 2, 9.63381039960090613e-01, 1.10725327469042411e-02, -4.50328776467260461e+00},
		{3, 4, 2.5, 0.5, 6.73523849855852563e-01, 1.24773067423682127e+00, 2.21326440757808912e-01},
		{1e-5, 3.5, 1.5, 6, 7.96235945558526030e-29, 1.79153087712131609e-23, -5.23763866459032883e+01},
		{1e-4, 0.5, 2, 3, 1.78373885098973249e-02, 6.88566928685174730e+02, 6.53461252286346106e+00},
		{25, 50, 5.01, 2, 5.95428900183954002e-01, 3.67573524514404282e-01, -1.00083191363405799e+00},
		{2, 50, 1.2, 3, 1, 0, -3.67923859329212792e+03},
		{1e3, 2, 1.5, 3, 1, 9.55499062376127827e-194, -4.44444444444444457e+02},
		{1e-9, 0.7, 10, 1.1, 7.62927255191515018e-03, 7.62873373290459633e+08, 2.04526026164857910e+01},
	} {
		l := MustParse("gkmpe:alpha=" + number(c.alpha) + ",p=" + number(c.p)).At(c.beta)
		if !near(l.Rho(c.s), c.rho, 1e-13) {
			t.Errorf("%v: Rho(%g) = %.17g, want %.17g", l, c.s, l.Rho(c.s), c.rho)
		}
		if c.weight > 0 && !near(l.Weight(c.s), c.weight, 1e-12) {
			t.Errorf("%v: Weight(%g) = %.17g, want %.17g", l, c.s, l.Weight(c.s), c.weight)
		}
		if math.Abs(l.LogWeight(c.s)-c.logWeight) > 1e-13*(1+math.Abs(c.logWeight)) {
			t.Errorf("%v: LogWeight(%g) = %.17g, want %.17g", l, c.s, l.LogWeight(c.s), c.logWeight)
		}
	}
}
