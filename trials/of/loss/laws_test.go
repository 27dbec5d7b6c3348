package loss

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/loss"
)

// everyLoss is a table of losses over shapes and bandwidths that all laws are checked on.
func everyLoss() []loss.Scaled {
	var out []loss.Scaled
	for _, text := range []string{"square", "l1", "l1:floor=1e-3", "lp:p=0.1", "lp:p=0.5", "lp:p=1.5", "lp:p=2", "lp:p=3", "lp:p=6",
		"gm:p=0.1,delta=1e-8", "gm:p=0.4", "gm:p=1", "gm:p=2,delta=3"} {
		out = append(out, loss.MustParse(text).At(0))
	}
	for _, text := range []string{"welsch", "huber", "cauchy", "tukey",
		"kmpe:p=0.3", "kmpe:p=1", "kmpe:p=2", "kmpe:p=2.5", "kmpe:p=4", "kmpe:p=10",
		"gcorr:alpha=0.5", "gcorr:alpha=1", "gcorr:alpha=2", "gcorr:alpha=4", "gcorr:alpha=12", "gcorr:alpha=50",
		"gkmpe:alpha=1,p=4", "gkmpe:alpha=1,p=3", "gkmpe:alpha=4,p=1", "gkmpe:alpha=4,p=0.5", "gkmpe:alpha=3,p=5", "gkmpe:alpha=0.3,p=0.3", "gkmpe:alpha=50,p=4", "gkmpe:alpha=6,p=0.6"} {
		for _, scale := range []float64{1e-6, 0.7, 2, 1e5} {
			out = append(out, loss.MustParse(text).At(scale))
		}
	}
	return out
}

// grid is squared residuals over twelve decades around the square of the scale.
func grid(l loss.Scaled) []float64 {
	unit := l.Scale() * l.Scale()
	if unit == 0 {
		unit = 1
	}
	var out []float64
	for e := -8.0; e <= 4; e += 0.237 {
		out = append(out, unit*math.Pow(10, e))
	}
	return out
}

func TestDerivativeByDifferences(t *testing.T) {
	for _, l := range everyLoss() {
		checked := 0
		for _, s := range grid(l) {
			if l.Rho(s) < 1e-290 {
				continue // too few digits are left for a difference
			}
			h := s * 1e-5
			difference := (l.Rho(s+h) - l.Rho(s-h)) / ((s + h) - (s - h))
			exact := l.Slope() * l.Weight(s)
			noise := 8 * 0x1p-52 * l.Rho(s) / h
			if math.Abs(difference-exact) > 2e-6*exact+noise {
				t.Errorf("%v: s=%g: dRho/ds is %g by differences, Slope*Weight is %g", l, s, difference, exact)
			}
			if exact > 10*noise {
				checked++
			}
		}
		// A table in which rounding hides every derivative would prove nothing.
		if checked < 3 {
			t.Errorf("%v: only %d derivatives stand out of the rounding errors", l, checked)
		}
	}
}

func TestTangentBelowFloor(t *testing.T) {
	for _, c := range []struct {
		text  string
		floor float64 // r
	}{
		{"l1", 1e-6}, {"l1:floor=0.01", 0.01}, {"lp:p=0.5", 1e-6}, {"kmpe:p=1", 1e-6 * math.Sqrt2 * 3}, {"kmpe:p=0.2", 1e-6 * math.Sqrt2 * 3},
		{"gcorr:alpha=1", 3e-6}, {"gkmpe:alpha=4,p=0.5", 3e-6},
	} {
		l := loss.MustParse(c.text).At(3)
		s0 := c.floor * c.floor
		// Continuous in value and slope.
		if a, b := l.Rho(s0*(1-1e-12)), l.Rho(s0*(1+1e-12)); math.Abs(a-b) > 1e-11*b {
			t.Errorf("%s: Rho jumps at its floor from %g to %g", c.text, a, b)
		}
		if a, b := l.Weight(s0*(1-1e-12)), l.Weight(s0*(1+1e-12)); math.Abs(a-b) > 1e-11*b {
			t.Errorf("%s: Weight jumps at its floor from %g to %g", c.text, a, b)
		}
		if l.Weight(0) != l.Weight(s0/2) || l.Weight(0) <= l.Weight(s0*1.1) {
			t.Errorf("%s: the weight is not constant below the floor and falling above", c.text)
		}
		if d := (l.Rho(s0/2) - l.Rho(0)) / (s0 / 2); math.Abs(d-l.Slope()*l.Weight(0)) > 1e-9*d {
			t.Errorf("%s: slope of the tangent is %g, want %g", c.text, d, l.Slope()*l.Weight(0))
		}
		if l.Rho(0) < 0 || l.Rho(0) >= l.Rho(s0) {
			t.Errorf("%s: Rho(0)=%g, Rho(floor)=%g", c.text, l.Rho(0), l.Rho(s0))
		}
	}
}

func TestRhoNeverFalls(t *testing.T) {
	for _, l := range everyLoss() {
		before := l.Rho(0)
		if before < 0 {
			t.Errorf("%v: Rho(0) = %g", l, before)
		}
		for _, s := range grid(l) {
			// Powers are accurate to a few units in the last place.
			if now := l.Rho(s); now < before*(1-1e-14) {
				t.Errorf("%v: Rho falls to %g at s=%g from %g", l, now, s, before)
			} else {
				before = now
			}
		}
	}
}

// Concave must be exactly the statement that the weight never rises.
func TestConcavityIsFallingWeight(t *testing.T) {
	concave, convex := 0, 0
	for _, l := range everyLoss() {
		rises := ""
		s := grid(l)
		for i := 1; i < len(s); i++ {
			a, b := l.LogWeight(s[i-1]), l.LogWeight(s[i])
			if b > a+1e-11*(1+math.Abs(a)) {
				rises = fmt.Sprintf("log-weight rises from %g to %g between s=%g and %g", a, b, s[i-1], s[i])
				break
			}
		}
		if l.Concave() != (rises == "") {
			t.Errorf("%v: Concave is %v, yet: %q", l, l.Concave(), rises)
		}
		if l.Concave() {
			concave++
			for i := 0; i < len(s); i++ {
				for j := i + 1; j < len(s); j += 5 {
					middle := l.Rho(s[i]/2 + s[j]/2)
					if chord := l.Rho(s[i])/2 + l.Rho(s[j])/2; middle < chord-1e-12*math.Abs(chord) {
						t.Fatalf("%v: Rho lies below its chord over [%g, %g]", l, s[i], s[j])
					}
				}
			}
		} else {
			convex++
		}
	}
	if concave == 0 || convex == 0 {
		t.Errorf("%d concave and %d other losses: the table misses one kind", concave, convex)
	}
}

// The border of concavity of the kernel power family is alpha*p = 4.
func TestConcavityBorder(t *testing.T) {
	for _, alpha := range []float64{0.2, 0.5, 1, 1.7, 2, 2.5, 4, 10, 40} {
		for _, side := range []float64{0.98, 1, 1.02} {
			p := 4 / alpha * side
			l := loss.MustParse(fmt.Sprintf("gkmpe:alpha=%v,p=%v", alpha, p)).At(1)
			rises := false
			// z = (r/beta)^alpha over many decades
			for e := -6.0; e < 2; e += 0.05 {
				s := math.Pow(math.Pow(10, e), 2/alpha)
				if l.LogWeight(s*1.01) > l.LogWeight(s)+1e-12 {
					rises = true
				}
			}
			if rises != (side > 1) {
				t.Errorf("alpha=%v p=%v: weight rises: %v", alpha, p, rises)
			}
			if l.Concave() && side > 1 || !l.Concave() && side < 1 {
				t.Errorf("alpha=%v p=%v: Concave is %v", alpha, p, l.Concave())
			}
		}
	}
}

func TestLogWeightIsLogOfWeight(t *testing.T) {
	for _, l := range everyLoss() {
		for _, s := range append(grid(l), 0) {
			w, lw := l.Weight(s), l.LogWeight(s)
			if w < 1e-290 {
				continue
			}
			if math.Abs(math.Log(w)-lw) > 1e-12*(1+math.Abs(lw)) {
				t.Errorf("%v: s=%g: log(Weight) = %g, LogWeight = %g", l, s, math.Log(w), lw)
			}
		}
	}
}

// Stretching the data stretches the bandwidth: rho(k^2 s; k c) is a multiple of rho(s; c).
func TestScaleEquivariance(t *testing.T) {
	for _, i := range loss.Losses() {
		spec := loss.MustParse(i.Name)
		if spec.Rule().Kind == loss.None {
			continue
		}
		for _, k := range []float64{1e-5, 3, 1e8} {
			a, b := spec.At(1.5), spec.At(1.5*k)
			for _, s := range grid(a) {
				wa, wb := a.LogWeight(s), b.LogWeight(s*k*k)
				if math.Abs(wa-wb) > 1e-9*(1+math.Abs(wa)) {
					t.Errorf("%s: log-weight %g at s=%g, but %g after stretching by %g", i.Name, wa, s, wb, k)
				}
			}
		}
	}
}

func TestExtremeArguments(t *testing.T) {
	extremes := []float64{math.Inf(-1), -1, -1e-18, 0, math.SmallestNonzeroFloat64, 1e-300, 1e-200, 1e-30, 1, 1e30, 1e200, 1e300, math.MaxFloat64, math.Inf(1)}
	losses := everyLoss()
	for _, i := range loss.Losses() {
		for _, scale := range []float64{0, loss.MinScale, 1e-100, 1, 1e100, loss.MaxScale, math.Inf(1)} {
			losses = append(losses, loss.MustParse(i.Name).At(scale))
			for _, p := range i.Parameters {
				if p.Bandwidth {
					continue
				}
				for _, v := range []float64{p.Min, p.Max} {
					s, err := loss.MustParse(i.Name).With(p.Name, number(v))
					if err != nil {
						t.Fatal(err)
					}
					losses = append(losses, s.At(scale))
				}
			}
		}
	}
	losses = append(losses, loss.MustParse("gkmpe:alpha=100,p=100").At(1e-140), loss.MustParse("gkmpe:alpha=0.01,p=0.01").At(1e140),
		loss.MustParse("lp:p=0.01,floor=1e-140").At(0), loss.MustParse("gm:p=50,delta=1e300").At(0))
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
