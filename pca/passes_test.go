package pca

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// counting is a source that is not in memory and counts how often it is read.
type counting struct {
	x     *mat.Dense
	scans int
}

func (c *counting) Dims() (int, int) { return c.x.Dims() }

func (c *counting) Scan(ctx context.Context, visit func(first int, block *mat.Dense) error) error {
	c.scans++
	return linalg.FromDense(c.x).Scan(ctx, visit)
}

// A table that can be held is read once and gives what it gives in memory. A larger one is read
// a few times.
func TestFewPasses(t *testing.T) {
	ctx := context.Background()
	x := nearPlane(4, 10500, 4, 2, 0.3)
	for name, most := range map[string]int{"pca": 2, "pca-robust tukey": 7} {
		fit := all(Options{Components: 2})[name].Fit
		want, err := fit(ctx, linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ numbers, most int }{{linalg.HeldNumbers, 1}, {0, most}} {
			held = c.numbers
			src := &counting{x: x}
			m, err := fit(ctx, src)
			held = linalg.HeldNumbers
			if err != nil {
				t.Fatal(err)
			}
			if src.scans > c.most {
				t.Errorf("%s, up to %d numbers held: read %d times, %d are enough", name, c.numbers, src.scans, c.most)
			}
			for i, v := range want.Training().OrthogonalDistance {
				if e := math.Abs(m.Training().OrthogonalDistance[i] - v); e > 1e-2*(1+v) || c.most == 1 && e > 0 {
					t.Fatalf("%s, up to %d numbers held: row %d is off by %g, in memory by %g", name, c.numbers, i, m.Training().OrthogonalDistance[i], v)
				}
			}
		}
	}
}
