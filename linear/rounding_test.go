package linear

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// sums makes rows of an exact relation whose numbers are rounded to a step each (0: not).
func sums(n int, step []float64, seed uint64) (*mat.Dense, []float64) {
	draw := rand.New(rand.NewPCG(seed, 5))
	round := func(v, step float64) float64 {
		if step == 0 {
			return v
		}
		return math.Round(v/step) * step
	}
	d := len(step) - 1
	x, y := mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		for j := range d {
			v := 100 * draw.Float64()
			y[i] += v
			x.Set(i, j, round(v, step[j]))
		}
		y[i] = round(y[i], step[d])
	}
	return x, y
}

// Rows that miss an exact relation by the rounding of their numbers are no outliers; rows
// that miss it by more are, whatever the start.
func TestRoundingIsNoOutlier(t *testing.T) {
	for name, step := range map[string][]float64{
		"cents": {0.01, 0.01, 0.01, 0.01}, "halves": {0.5, 0.5, 0.5}, "unlike": {0.1, 0.01, 0.1}, "quarters": {0.25, 0.25, 0.25, 0.25},
	} {
		for _, start := range []Start{StartS, StartLTS, StartClassic} {
			for seed := uint64(1); seed <= 2; seed++ {
				x, y := sums(300, step, seed)
				m, err := Robust{Start: start, Samples: 40}.Fit(context.Background(), linalg.FromDense(x), y)
				if err != nil {
					t.Fatal(err)
				}
				if got := m.Training().Count(); got > 0 {
					t.Errorf("%s, %s, seed %d: %d of 300 clean rows are outliers (%v, scale %g)", name, start, seed, got, m.Status(), m.scale)
				}
				if len(m.Warnings()) != 1 || !strings.Contains(m.Warnings()[0], "rounding") {
					t.Errorf("%s, %s, seed %d: warnings %q", name, start, seed, m.Warnings())
				}
				if start == StartClassic {
					continue
				}
				for i := range 20 {
					y[i*9] += 10 * step[0] * float64(1+i%4)
				}
				if m, err = (Robust{Start: start, Samples: 40}).Fit(context.Background(), linalg.FromDense(x), y); err != nil {
					t.Fatal(err)
				}
				for i := range 20 {
					if !m.Training().Outlier[i*9] {
						t.Errorf("%s, %s, seed %d: row %d, wrong by %g, is no outlier (scale %g)", name, start, seed, i*9+1, 10*step[0]*float64(1+i%4), m.scale)
						break
					}
				}
				if got := m.Training().Count(); got != 20 {
					t.Errorf("%s, %s, seed %d: %d outliers, not 20", name, start, seed, got)
				}
			}
		}
	}
}

func TestResolution(t *testing.T) {
	draw := rand.New(rand.NewPCG(4, 6))
	for _, want := range []float64{1, 0.01, 0.05, 2.5, 1e-7, 1e6, 0} {
		values, spread := make([]float64, 200), 1.0
		if want > 0 {
			spread = 1000 * want
		}
		for i := range values {
			values[i] = draw.NormFloat64()
			if want > 0 {
				values[i] = math.Round(1000*values[i]) * want
			}
		}
		values[3], values[70] = 1e300, math.Pi
		if got := resolution(values, nil, spread); math.Abs(got-want) > 1e-9*want {
			t.Errorf("step %g, not %g", got, want)
		}
	}
	if got := resolution([]float64{0, 1, 1, 0, 1}, nil, 0.5); got != 0 {
		t.Errorf("zeros and ones are rounded to %g", got)
	}
}
