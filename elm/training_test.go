package elm

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// counting is a source that is not in memory and counts how often it is read.
type counting struct {
	x     *mat.Dense
	reads int
}

func (c *counting) Dims() (int, int) { return c.x.Dims() }

func (c *counting) Scan(ctx context.Context, visit func(first int, block *mat.Dense) error) error {
	c.reads++
	n, d := c.x.Dims()
	for first := 0; first < n; first += 1000 {
		if err := visit(first, c.x.Slice(first, min(first+1000, n), 0, d).(*mat.Dense)); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// A layer too large to be kept is computed for the normal equations and for the errors; the
// verdict on the training rows needs no third time.
func TestTheLayerIsComputedTwice(t *testing.T) {
	const n, nodes = 44000, 200
	if 8*n*nodes <= keepAlways {
		t.Fatal("the outputs of the nodes are kept")
	}
	x, y := wide(n, 4)
	held = 1
	defer func() { held = linalg.HeldNumbers }()
	src := &counting{x: x}
	m, err := Ridge{Options{Hidden: nodes, Lambda: 1e3}}.Fit(t.Context(), src, y)
	if err != nil {
		t.Fatal(err)
	}
	if src.reads != 2 {
		t.Errorf("the rows were read %d times", src.reads)
	}
	if got := m.Training().Len(); got != n {
		t.Errorf("the verdict is on %d rows", got)
	}
}
