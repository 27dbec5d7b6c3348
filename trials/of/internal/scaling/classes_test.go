package scaling

import (
	"testing"

	"github.com/inlier-ml/inlier/internal/scaling"
	"gonum.org/v1/gonum/mat"
)

// Clipping leaves a class where it is, if it has rows enough and lies not absurdly far out: pulled in, it would be one
// with the tails of the others.
func TestMiddlesAreNotPulledIn(t *testing.T) {
	for name, c := range map[string]struct {
		rows int
		at   float64
		kept bool
	}{
		"a class far out":    {6, 12, true},
		"three rows":         {3, 12, false},
		"a mark for missing": {6, -999, false},
	} {
		x, labels := mat.NewDense(100+c.rows, 1, nil), make([]int, 100+c.rows)
		for i := range labels {
			x.Set(i, 0, float64(i%21-10)/7)
			if labels[i] = i % 4; i >= 100 {
				labels[i] = 4
				x.Set(i, 0, c.at+float64(i-100)/10)
			}
		}
		s, _, _ := scaling.Known(x, scaling.Rules{Kind: scaling.Standard, Clip: -5}, labels, scaling.FitClasses(t.Context(), x, labels, 5, nil))
		middle := c.at + float64(c.rows/2)/10
		if inside := s.Low[0] <= middle && middle <= s.High[0]+0.1; inside != c.kept {
			t.Errorf("%s: %g within %g to %g: %v", name, middle, s.Low[0], s.High[0], inside)
		}
	}
}
