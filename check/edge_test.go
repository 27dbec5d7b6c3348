package check

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/synthetic"
)

// The chance of a value that edges give is about right or too large, whatever the tail.
func TestEdgesOfManyShapes(t *testing.T) {
	for _, shape := range []string{"normal", "uniform", "t3", "lognormal", "exponential", "groups"} {
		below := 0
		const tables, n, level = 40, 500, 1e-3
		for seed := range uint64(tables) {
			c := synthetic.Clean{N: n + 1, D: 1, Shape: shape}
			g, err := c.Generate(300 + seed)
			if err != nil {
				t.Fatal(err)
			}
			values := mat.Col(nil, 0, g.Set.X)
			low, high := edgesOf(values)
			for _, v := range values {
				if min(low.p(-v), high.p(v)) < level {
					below++
				}
			}
		}
		if most := 3 * level * tables * n; float64(below) > most {
			t.Errorf("%s: %d of %d values have a chance below %g, want at most %.0f", shape, below, tables*n, level, most)
		}
	}
	if low, _ := edgesOf(nil); low.p(1e300) != 1 {
		t.Error("nothing is beyond the edge of nothing")
	}
}

// A cell beyond all others of its column is not expected to be where none of them are.
func TestNothingIsExpectedBeyondTheEdges(t *testing.T) {
	for _, expected := range []float64{674, 140} {
		c := Cell{Part: PartCell, Expected: math.NaN(), Low: 0, High: 178}
		c.learn(&Cell{Part: PartCell, Expected: expected, Low: expected / 2, High: 2 * expected})
		if taken := c.Expected == expected; taken != (expected < 178) {
			t.Errorf("%g is expected where %g was said", c.Expected, expected)
		}
	}
}

// A far value hides no nearer ones that stand apart as well.
func TestEdgeBehindSeveralFarValues(t *testing.T) {
	values := []float64{-86.3, -1, 3}
	for i := range 797 {
		values = append(values, 47+float64(i%400)/6)
	}
	if low, _ := edgesOf(values); low.at != -47 {
		t.Errorf("the lower edge is %g", -low.at)
	}
}
