package loss

import (
	"math"
	"strings"
	"testing"
)

// everyLoss is a table of losses over shapes and bandwidths that all laws are checked on.
func everyLoss() []Scaled {
	var out []Scaled
	for _, text := range []string{"square", "l1", "l1:floor=1e-3", "lp:p=0.1", "lp:p=0.5", "lp:p=1.5", "lp:p=2", "lp:p=3", "lp:p=6",
		"gm:p=0.1,delta=1e-8", "gm:p=0.4", "gm:p=1", "gm:p=2,delta=3"} {
		out = append(out, MustParse(text).At(0))
	}
	for _, text := range []string{"welsch", "huber", "cauchy", "tukey",
		"kmpe:p=0.3", "kmpe:p=1", "kmpe:p=2", "kmpe:p=2.5", "kmpe:p=4", "kmpe:p=10",
		"gcorr:alpha=0.5", "gcorr:alpha=1", "gcorr:alpha=2", "gcorr:alpha=4", "gcorr:alpha=12", "gcorr:alpha=50",
		"gkmpe:alpha=1,p=4", "gkmpe:alpha=1,p=3", "gkmpe:alpha=4,p=1", "gkmpe:alpha=4,p=0.5", "gkmpe:alpha=3,p=5", "gkmpe:alpha=0.3,p=0.3", "gkmpe:alpha=50,p=4", "gkmpe:alpha=6,p=0.6"} {
		for _, scale := range []float64{1e-6, 0.7, 2, 1e5} {
			out = append(out, MustParse(text).At(scale))
		}
	}
	return out
}

func TestExtremeArguments(t *testing.T) {
	extremes := []float64{math.Inf(-1), -1, -1e-18, 0, math.SmallestNonzeroFloat64, 1e-300, 1e-200, 1e-30, 1, 1e30, 1e200, 1e300, math.MaxFloat64, math.Inf(1)}
	losses := everyLoss()
	for _, i := range Losses() {
		for _, scale := range []float64{0, MinScale, 1e-100, 1, 1e100, MaxScale, math.Inf(1)} {
			losses = append(losses, MustParse(i.Name).At(scale))
			for _, p := range i.Parameters {
				if p.Bandwidth {
					continue
				}
				for _, v := range []float64{p.Min, p.Max} {
					s, err := MustParse(i.Name).With(p.Name, number(v))
					if err != nil {
						t.Fatal(err)
					}
					losses = append(losses, s.At(scale))
				}
			}
		}
	}
	losses = append(losses, MustParse("gkmpe:alpha=100,p=100").At(1e-140), MustParse("gkmpe:alpha=0.01,p=0.01").At(1e140),
		MustParse("lp:p=0.01,floor=1e-140").At(0), MustParse("gm:p=50,delta=1e300").At(0))
	for _, l := range losses {
		if c := l.Slope(); !(c > 0) || math.IsInf(c, 0) {
			t.Errorf("%v: Slope = %g", l, c)
		}
		previous := 0.0
		for _, s := range extremes {
			rho, w, lw := l.Rho(s), l.Weight(s), l.LogWeight(s)
			if !(rho >= 0) || math.IsInf(rho, 0) {
				t.Errorf("%v: Rho(%g) = %g", l, s, rho)
			}
			if rho < previous*(1-1e-12) {
				t.Errorf("%v: Rho(%g) = %g falls from %g", l, s, rho, previous)
			}
			previous = rho
			if !(w >= 0) || math.IsInf(w, 0) {
				t.Errorf("%v: Weight(%g) = %g", l, s, w)
			}
			beyond := strings.HasPrefix(l.String(), "tukey") && w == 0
			if math.IsNaN(lw) || math.IsInf(lw, 0) != beyond {
				t.Errorf("%v: LogWeight(%g) = %g", l, s, lw)
			}
		}
		for _, v := range []float64{l.Rho(math.NaN()), l.Weight(math.NaN()), l.LogWeight(math.NaN())} {
			if !math.IsNaN(v) {
				t.Errorf("%v: NaN residual gives %g; a missing residual must not pass for a number", l, v)
			}
		}
	}
}
