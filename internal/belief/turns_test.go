package belief

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Rows of both classes vote where classes take turns: every second row alone would be of one.
func TestNeighboursOfClassesInTurns(t *testing.T) {
	const n = 2 * mostNeighbours
	g := rand.New(rand.NewPCG(3, 4))
	x, labels := mat.NewDense(n, 1, nil), make([]int, n)
	for i := range labels {
		labels[i] = i % 2
		x.Set(i, 0, g.NormFloat64()+2*float64(labels[i]))
	}
	b := Ask(x, 2, labels, nil)
	if b.misses < 0.1 || b.misses > 0.25 {
		t.Errorf("neighbours miss %v of the labels, by the normal distribution it is about 0.16", b.misses)
	}
	if low, high := b.Ceiling[0], b.Ceiling[1]; low > 2*high || high > 2*low {
		t.Errorf("shares of wrong labels up to %v in classes that are alike", b.Ceiling)
	}
}
