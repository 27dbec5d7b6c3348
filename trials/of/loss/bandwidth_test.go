package loss

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/loss"
	"pgregory.net/rapid"
)

// R 4:
//
//	s <- c(0.1, 4, 2.5, 0.7, 9, 1.2, 3.3); w <- c(1, 2, 1, 3, 1, 2, 4)
//	for (v in list(s, rep(s, w))) {
//	  q <- quantile(v, c(.25, .5, .75), type = 2)
//	  print(c(q, sqrt(1.06*min(sd(v), (q[3]-q[1])/1.354)*length(v)^(-1/5)))) }
func TestBandwidthAgainstR(t *testing.T) {
	s := []float64{0.1, 4, 2.5, 0.7, 9, 1.2, 3.3}
	w := []float64{1, 2, 1, 3, 1, 2, 4}
	silverman := loss.MustParse("welsch:sigma=silverman")
	auto := loss.MustParse("welsch")
	for _, c := range []struct {
		prior             []float64
		median, silverman float64
	}{
		{nil, 2.5, 1.32309420229621},
		{w, 2.9, 1.09576511712865},
	} {
		if got := auto.Bandwidth(s, c.prior, 3); !near(got, math.Sqrt(3*c.median), 1e-14) {
			t.Errorf("auto: %.15g, want the root of 3 x %g", got, c.median)
		}
		if got := silverman.Bandwidth(s, c.prior, 3); !near(got, c.silverman, 1e-13) {
			t.Errorf("silverman: %.15g, want %.15g", got, c.silverman)
		}
	}
}

// For scalar residuals the rule auto with KappaScalar gives each loss the constant that R
// uses for 95 % efficiency times the consistent scale of the residuals.
func TestKappaHasOneMeaning(t *testing.T) {
	s := make([]float64, 0, 4001)
	for _, x := range gaussians(4001, 3, 11) {
		s = append(s, x*x)
	}
	scale := math.Sqrt(loss.MustParse("welsch").Bandwidth(s, nil, 1) * loss.MustParse("welsch").Bandwidth(s, nil, 1) / 0.454936423119572)
	if math.Abs(scale-3) > 0.15 {
		t.Errorf("the scale of N(0, 3^2) residuals is %g", scale)
	}
	for text, constant := range map[string]float64{"welsch": 2.11, "kmpe:p=4": 2.11, "huber": 1.345, "cauchy": 2.385, "tukey": 4.685, "gcorr:alpha=4": 2.11 * math.Sqrt2, "gkmpe": 2.11 * math.Sqrt2} {
		if got := loss.MustParse(text).Bandwidth(s, nil, loss.KappaScalar); !near(got, constant*scale, 1e-12) {
			t.Errorf("%s: %g, want %g times the scale %g", text, got, constant, scale)
		}
	}
	// beta is two median residuals for tensors.
	if got, want := loss.MustParse("gcorr").Bandwidth([]float64{1, 9, 25}, nil, loss.KappaTensor), 6.0; !near(got, want, 1e-14) {
		t.Errorf("tensor rule: beta = %g, want %g", got, want)
	}
}

func TestDegenerateResiduals(t *testing.T) {
	for _, i := range loss.Losses() {
		for _, rule := range []string{"auto", "silverman"} {
			r, _ := loss.ParseRule(rule)
			spec := loss.MustParse(i.Name).WithRule(r)
			if spec.Rule().Kind == loss.None {
				if b := spec.Bandwidth([]float64{1, 2}, nil, 1); b != 0 {
					t.Errorf("%s has no bandwidth, yet %g", i.Name, b)
				}
				continue
			}
			for name, s := range map[string][]float64{
				"none": {}, "zeros": {0, 0, 0, 0}, "mostly zeros": {0, 0, 0, 0, 5}, "one": {4}, "equal": {4, 4, 4},
				"negative": {-1e-18, -1e-17, 0}, "missing": {math.NaN(), 1, 2}, "all missing": {math.NaN()},
				"infinite": {math.Inf(1), math.Inf(1), 1}, "denormal": {5e-324, 5e-324, 0}, "huge": {1e308, 1.5e308, 1.7e308, 3},
			} {
				for _, kappa := range []float64{3, 0, math.NaN(), -1} {
					b := spec.Bandwidth(s, nil, kappa)
					if !(b >= loss.MinScale && b <= loss.MaxScale) {
						t.Errorf("%s, %s residuals, kappa %g: bandwidth %g", spec, name, kappa, b)
					}
					if w := spec.At(b).Weight(0); math.IsNaN(w) || math.IsInf(w, 0) {
						t.Errorf("%s, %s residuals: weight %g at 0", spec, name, w)
					}
				}
			}
		}
	}
	// When more than half of the rows fit exactly, the rest are outliers.
	spec := loss.MustParse("welsch")
	l := spec.At(spec.Bandwidth([]float64{0, 0, 0, 4, 9}, nil, 3))
	if l.Weight(1e-28) < 0.99 || l.Weight(4) > 1e-9 {
		t.Errorf("exact fit: weights %g at rounding errors and %g at outliers", l.Weight(1e-28), l.Weight(4))
	}
	if b := spec.WithRule(loss.Rule{Kind: loss.Silverman}).Bandwidth([]float64{4, 4, 4}, nil, 1); b != 2 {
		t.Errorf("equal residuals: silverman gives %g, want the residual 2", b)
	}
}

// Integer weights are repeated rows; scaling the weights leaves quantiles alone; scaling
// the residuals scales the bandwidth.
func TestBandwidthLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "n")
		s := make([]float64, n)
		w := make([]float64, n)
		scaled := make([]float64, n)
		fractions := make([]float64, n)
		var repeated []float64
		for i := range s {
			s[i] = rapid.Float64Range(0.001, 100).Draw(t, "s")
			k := rapid.IntRange(1, 4).Draw(t, "w")
			w[i], fractions[i], scaled[i] = float64(k), float64(k)/7, 16*s[i]
			for range k {
				repeated = append(repeated, s[i])
			}
		}
		for _, rule := range []loss.Rule{{Kind: loss.Auto}, {Kind: loss.Silverman}} {
			spec := loss.MustParse("welsch").WithRule(rule)
			a, b := spec.Bandwidth(s, w, 3), spec.Bandwidth(repeated, nil, 3)
			if math.Abs(a-b) > 1e-6*b {
				t.Fatalf("%v: weighted %g, repeated %g", rule, a, b)
			}
		}
		auto := loss.MustParse("welsch")
		if a, b := auto.Bandwidth(s, w, 3), auto.Bandwidth(s, fractions, 3); !near(a, b, 1e-12) {
			t.Fatalf("scaled weights: %g and %g", a, b)
		}
		if a, b := auto.Bandwidth(s, nil, 3), auto.Bandwidth(scaled, nil, 3); !near(4*a, b, 1e-12) {
			t.Fatalf("scaled residuals: %g and %g", a, b)
		}
	})
}

// Weights that are integers are repeated residuals for every rule, also where most of the
// residuals are exactly 0.
func TestBandwidthOfIntegerWeights(t *testing.T) {
	samples := [][]float64{{3, 1, 4, 1, 5, 9, 2, 6}, {0, 0, 0, 7, 0, 2, 0, 5}, {0, 0, 0, 0, 0, 0, 0, 8}, {1e300, 1e-300, 2, 2, 2, 0, 0, math.Inf(1)}}
	weights := []float64{2, 0, 1, 3, 1, 5, 2, 1}
	for _, s := range samples {
		var repeated []float64
		for i, w := range weights {
			for range int(w) {
				repeated = append(repeated, s[i])
			}
		}
		for _, text := range []string{"welsch", "tukey", "huber:c=auto", "kmpe:p=2,sigma=silverman", "gcorr:beta=silverman"} {
			spec := loss.MustParse(text)
			if a, b := spec.Bandwidth(s, weights, 3), spec.Bandwidth(repeated, nil, 3); math.Abs(a-b) > 1e-12*b {
				t.Errorf("%s of %v: %v with weights, %v with repeated residuals", text, s, a, b)
			}
		}
		for _, text := range []string{"l1", "lp:p=0.7", "gm"} {
			if a, b := loss.MustParse(text).Resolve(s, weights), loss.MustParse(text).Resolve(repeated, nil); a != b {
				t.Errorf("%s of %v: %v with weights, %v with repeated residuals", text, s, a, b)
			}
		}
	}
}
