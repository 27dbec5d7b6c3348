package loss

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/loss"
)

func TestWeights(t *testing.T) {
	l := loss.MustParse("welsch").At(1)
	s := []float64{0, 2, 8}
	for i, w := range loss.Weights(nil, s, l) {
		if w != math.Exp(-s[i]/2) && !near(w, math.Exp(-s[i]/2), 1e-14) {
			t.Errorf("weight %d is %g", i, w)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("different lengths pass")
		}
	}()
	loss.Weights(make([]float64, 2), s, l)
}

func TestRelativeWeightsDoNotUnderflow(t *testing.T) {
	s := []float64{1e6, 1e6 + 2, 2e6, 1e300}
	w := make([]float64, len(s))
	l := loss.MustParse("welsch").At(1)
	if l.Weight(s[0]) != 0 {
		t.Fatal("the example does not underflow")
	}
	largest := loss.RelativeWeights(w, s, l)
	// The difference of two log-weights of 5e5 has an error of about 1e-10.
	if largest != l.LogWeight(1e6) || w[0] != 1 || !near(w[1], math.Exp(-1), 1e-9) || w[2] != 0 || w[3] != 0 {
		t.Errorf("relative weights %v, largest %g", w, largest)
	}
	// Alpha = 50 far outside its kernel.
	sharp := loss.MustParse("gcorr:alpha=50").At(0.1)
	loss.RelativeWeights(w, []float64{1, 2, 1e300, 0}, sharp)
	for i, v := range w {
		if math.IsNaN(v) || v < 0 || v > 1 {
			t.Errorf("alpha=50: weight %d is %g", i, v)
		}
	}
	// In place, and relative to the plain weights.
	x := []float64{0.5, 1, 3}
	plain := loss.Weights(nil, x, l)
	loss.RelativeWeights(x, x, l)
	for i := range x {
		if !near(x[i], plain[i]/plain[0], 1e-14) {
			t.Errorf("relative weight %g, want %g", x[i], plain[i]/plain[0])
		}
	}
	// All beyond Tukey's cut-off.
	if top := loss.RelativeWeights(w, s, loss.MustParse("tukey").At(1)); !math.IsInf(top, -1) || w[0] != 0 || w[3] != 0 {
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
		if got := loss.EffectiveSampleSize(c.w); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("weights %v: %g, want %g", c.w, got, c.want)
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
			l := loss.MustParse(text).At(2)
			for b.Loop() {
				loss.RelativeWeights(w, s, l)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(s)), "ns/residual")
		})
	}
}
