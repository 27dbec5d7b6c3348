package classify

import (
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Where a loss that levels off bends downwards, more than it bends upwards anywhere, a step still leads along the slope: a step of
// nothing was taken for the end of the fit.
func TestStepWhereTheLossBendsDownwards(t *testing.T) {
	for name, curvature := range map[string][]float64{
		"some": {4, 0, 0, 0, -3, 0, 0, 0, 2}, "mixed": {1, 9, 0, 0, -1, 0, 0, 0, 2}, "all": {-2, 1, 0, 0, -5, 3, 0, 0, -1},
	} {
		slope := []float64{1, -2, 0.5}
		step := mat.NewDense(3, 1, append([]float64(nil), slope...))
		(&many{penalty: 0.01}).solve(curvature, 3, 1, step)
		along := 0.0
		for i, s := range slope {
			along += s * step.At(i, 0)
		}
		if !(along > 0) {
			t.Errorf("%s: the step %v does not lead along the slope %v", name, step.RawMatrix().Data, slope)
		}
	}
}
