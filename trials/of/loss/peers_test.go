package loss

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/loss"
)

func near(a, b, tol float64) bool { return math.Abs(a-b) <= tol*math.Max(math.Abs(b), 1e-300) }

// Values of robustbase 0.95-0 in R 4, at the residuals 0, 0.3, 1, 2.5, 4, 10:
//
//	x <- c(0, 0.3, 1, 2.5, 4, 10)
//	sprintf("%.15g", Mwgt(x, 1.345, "huber")); sprintf("%.15g", Mpsi(x, 1.345, "huber", deriv = -1))
//
// and likewise (4.685, "tukey") and (2.11, "welsh"). R's rho are half of ours for Huber
// and Tukey, whose slope at s = 0 is 1 here, and c^2 times ours for Welsch.
//
// Cauchy: SciPy 1.17.1, scipy.optimize._lsq.least_squares.construct_loss_function(6, "cauchy", 2.385)(x).
func TestValuesOfOtherPrograms(t *testing.T) {
	residuals := []float64{0, 0.3, 1, 2.5, 4, 10}
	for _, c := range []struct {
		text         string
		factor       float64 // our rho over theirs
		weights, rho []float64
	}{
		{"huber:c=1.345", 2,
			[]float64{1, 1, 1, 0.538, 0.33625, 0.1345},
			[]float64{0, 0.045, 0.5, 2.4579875, 4.4754875, 12.5454875}},
		{"tukey:c=4.685", 2,
			[]float64{1, 0.991816067926353, 0.91095629550292, 0.511585287963042, 0.0734653255857734, 0},
			[]float64{0, 0.0448157354304292, 0.47756610005714, 2.31962207626307, 3.58536054139866, 3.65820416666667}},
		{"welsch:sigma=2.11", 1 / (2.11 * 2.11),
			[]float64{1, 0.989943320337532, 0.893770228481315, 0.495634782156219, 0.165811308750292, 1.32613708469903e-05},
			[]float64{0, 0.0447733435252752, 0.472945565778339, 2.2454843863623, 3.71389147231283, 4.45204095905085}},
		{"cauchy:c=2.385", 1,
			[]float64{1, 0.9844242825435147, 0.8504834989851567, 0.4764715860188596, 0.26227250040056294, 0.05382080170236561},
			[]float64{0, 0.08929542506184447, 0.9212095682022021, 4.216949609976413, 7.6129567344905995, 16.621535184040056}},
	} {
		spec := loss.MustParse(c.text)
		l := spec.At(spec.Bandwidth(nil, nil, 1))
		for i, r := range residuals {
			if got := l.Weight(r * r); !near(got, c.weights[i], 1e-13) {
				t.Errorf("%s: weight at r=%g is %.16g, want %.16g", c.text, r, got, c.weights[i])
			}
			if got := l.Rho(r * r); !near(got, c.factor*c.rho[i], 1e-13) {
				t.Errorf("%s: rho at r=%g is %.16g, want %.16g", c.text, r, got, c.factor*c.rho[i])
			}
		}
	}
}

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
		l := loss.MustParse("gkmpe:alpha=" + number(c.alpha) + ",p=" + number(c.p)).At(c.beta)
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
