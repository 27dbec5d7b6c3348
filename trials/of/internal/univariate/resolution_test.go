package univariate

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/internal/univariate"
)

func TestResolutionIsTheStepOfRounding(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 2))
	normal := func(centre, sd float64) []float64 {
		x := make([]float64, 300)
		for i := range x {
			x[i] = centre + sd*draw.NormFloat64()
		}
		return x
	}
	round := func(x []float64, step float64) []float64 {
		for i, v := range x {
			x[i] = math.Round(v/step) * step
		}
		return x
	}
	decimals := func(x []float64, factor float64) []float64 { // as text gives them
		for i, v := range x {
			x[i] = math.Round(v*factor) / factor
		}
		return x
	}
	spoil := func(x []float64) []float64 {
		x[0], x[1], x[2], x[3], x[4] = 1e300, math.Pi, math.NaN(), math.Inf(-1), -1e-300
		return x
	}
	single := func(x []float64) []float64 {
		for i, v := range x {
			x[i] = float64(float32(v))
		}
		return x
	}
	zeros := decimals(normal(10, 3), 100)
	clear(zeros[:180])
	wide := normal(0, 1)
	for i, v := range wide {
		wide[i] = 1e5 * math.Exp(v)
	}
	for _, c := range []struct {
		name string
		x    []float64
		want float64
	}{
		{"two decimals", decimals(normal(10, 3), 100), 0.01},
		{"two decimals, wide and sparse", decimals(normal(1e5, 3e4), 100), 0.01},
		{"two decimals, offset", decimals(normal(1e6, 1), 100), 0.01},
		{"two decimals, spoiled", spoil(decimals(normal(10, 3), 100)), 0.01},
		{"two decimals, mostly zero", zeros, 0.01},
		{"whole thousands, wide and sparse", round(normal(3e5, 9e4), 1000), 1000},
		{"whole thousands, spoiled", spoil(round(normal(3e5, 9e4), 1000)), 1000},
		{"tens of many sizes", round(wide, 10), 10},
		{"whole numbers", decimals(normal(0, 20), 1), 1},
		{"whole numbers, spoiled", spoil(decimals(normal(0, 20), 1)), 1},
		{"degrees from another scale", round(normal(20, 8), 5./9), 5. / 9},
		{"eighths", round(normal(3, 2), 0.125), 0.125},
		{"small units", decimals(normal(2e-3, 1e-3), 1e6), 1e-6},
		{"exact", normal(0, 1), 0},
		{"exact, far", normal(1e9, 1), 0},
		{"exact, spoiled", spoil(normal(0, 1)), 0},
		{"constant", make([]float64, 50), 0},
		{"none", nil, 0},
		{"large", normal(0, 1e200), 0},
	} {
		if got := univariate.Resolution(c.x); math.Abs(got-c.want) > 1e-9*c.want {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
	if got := univariate.Resolution(single(normal(100, 1))); got < 100*0x1p-25 || got > 100*0x1p-22 {
		t.Errorf("float32: %g", got)
	}
}
