package loss

import (
	"math"
	"testing"
)

func TestWeights(t *testing.T) {
	l := MustParse("welsch").At(1)
	s := []float64{0, 2, 8}
	for i, w := range Weights(nil, s, l) {
		if w != math.Exp(-s[i]/2) && !near(w, math.Exp(-s[i]/2), 1e-14) {
			t.Errorf("weight %d is %g", i, w)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("different lengths pass")
		}
	}()
	Weights(make([]float64, 2), s, l)
}

func TestRelativeWeightsDoNotUnderflow(t *testing.T) {
	s := []float64{1e6, 1e6 + 2, 2e6, 1e300}
	w := make([]float64, len(s))
	l := MustParse("welsch").At(1)
	if l.Weight(s[0]) != 0 {
		t.Fatal("the example does not underflow")
	}
	largest := RelativeWeights(w, s, l)
	// The difference of two log-weights of 5e5 has an error of about 1e-10.
	if largest != l.LogWeight(1e6) || w[0] != 1 || !near(w[1], math.Exp(-1), 1e-9) || w[2] != 0 || w[3] != 0 {
		t.Errorf("relative weights %v, largest %g", w, largest)
	}
	// Alpha = 50 far outside its kernel.
	sharp := MustParse("gcorr:alpha=50").At(0.1)
	RelativeWeights(w, []float64{1, 2, 1e300, 0}, sharp)
	for i, v := range w {
		if math.IsNaN(v) || v < 0 || v > 1 {
			t.Errorf("alpha=50: weight %d is %g", i, v)
		}
	}
	// In place, and relative to the plain weights.
	x := []float64{0.5, 1, 3}
	plain := Weights(nil, x, l)
	RelativeWeights(x, x, l)
	for i := range x {
		if !near(x[i], plain[i]/plain[0], 1e-14) {
			t.Errorf("relative weight %g, want %g", x[i], plain[i]/plain[0])
		}
	}
	// All beyond Tukey's cut-off.
	if top := RelativeWeights(w, s, MustParse("tukey").At(1)); !math.IsInf(top, -1) || w[0] != 0 || w[3] != 0 {
		t.Errorf("all beyond the cut-off: %v, largest %g", w, top)
	}
}

func TestEffectiveSampleSize(t *testing.T) {
	for _, c := range []struct {
		w    []float64
		want float64
	}{
		{nil, 0}, {[]float64{0, 0}, 0}, {[]float64{3, 3, 3, 3}, 4}, {[]float64{1, 0, 0}, 1}, {[]float64{1, 1e-300}, 1},
		{[]float64{2, 1, 1}, 16.0 / 6}, {[]float64{1e300, 1e300}, 2}, {[]float64{1e-300, 1e-300, 1e-300}, 3},
	} {
		if got := EffectiveSampleSize(c.w); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("weights %v: %g, want %g", c.w, got, c.want)
		}
	}
}

// The weight of generalised correntropy is largest where (r/beta)^alpha = 1 - 2/alpha,
// that of KMPE with p > 2 where g = 2/p.
func TestWhereTheWeightFalls(t *testing.T) {
	for _, alpha := range []float64{3, 4, 12, 50} {
		l := MustParse("gcorr:alpha=" + number(alpha)).At(2)
		top := 4 * math.Pow(1-2/alpha, 2/alpha)
		if !RisesAt(l, top*0.95) || fallsAt(l, top*0.95) || !fallsAt(l, top*1.05) || RisesAt(l, top*1.05) {
			t.Errorf("alpha=%g: the weight does not turn at s=%g", alpha, top)
		}
	}
	for _, p := range []float64{3, 4, 10} {
		l := MustParse("kmpe:p=" + number(p)).At(2)
		top := 8 * math.Log(p/2)
		if !RisesAt(l, top*0.95) || !fallsAt(l, top*1.05) {
			t.Errorf("p=%g: the weight does not turn at s=%g", p, top)
		}
	}
	for _, c := range []struct {
		text         string
		s            float64
		falls, rises bool
	}{
		{"square", 1, false, false}, {"huber", 0.5, false, false}, {"huber", 2, true, false}, {"welsch", 1e-6, true, false},
		{"l1", 3, true, false}, {"lp:p=3", 3, false, true}, {"tukey", 0.5, true, false}, {"tukey", 9, false, false}, {"kmpe:p=4", 0, false, false},
	} {
		l := MustParse(c.text).At(1)
		if f, r := fallsAt(l, c.s), RisesAt(l, c.s); f != c.falls || r != c.rises {
			t.Errorf("%v at s=%g: falls %v, rises %v", l, c.s, f, r)
		}
	}
}

func BenchmarkRelativeWeights(b *testing.B) {
	s := make([]float64, 10000)
	for i, x := range gaussians(len(s), 1, 1) {
		s[i] = x * x
	}
	w := make([]float64, len(s))
	for _, text := range []string{"welsch", "kmpe:p=4", "gkmpe:alpha=4,p=3", "l1", "huber", "tukey"} {
		b.Run(text, func(b *testing.B) {
			l := MustParse(text).At(2)
			for b.Loop() {
				RelativeWeights(w, s, l)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(s)), "ns/residual")
		})
	}
}
