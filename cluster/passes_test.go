package cluster

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// counting counts how often a source is read, of which so many numbers may be in memory.
type counting struct {
	linalg.Source
	scans, room int
}

func (c *counting) Room() int { return c.room }

func (c *counting) Scan(ctx context.Context, visit func(first int, block *mat.Dense) error) error {
	c.scans++
	return c.Source.Scan(ctx, visit)
}

// A table that can be held is read once, a larger one at most four times, and the centers are
// about as good as those of the table in memory.
func TestFewPasses(t *testing.T) {
	ctx := context.Background()
	x, _, _ := blobs(9, 6000, 4, 5, 4)
	for name, k := range map[string]KMeans{
		"plain": {Clusters: 5, Restarts: 1}, "trimmed": {Clusters: 5, Restarts: 1, Trim: 0.05},
		"robust":  {Clusters: 5, Restarts: 1, Start: StartPlusPlus, Loss: loss.MustParse("welsch")},
		"weights": {Clusters: 5, Restarts: 1, Weights: constant(6000, 2)}, "start": {Centers: rowsOf(x.Slice(0, 5, 0, 4).(*mat.Dense), 1)},
	} {
		want, err := k.Fit(ctx, linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ numbers, most int }{{linalg.HeldNumbers, 1}, {1 << 13, 4}} {
			held = c.numbers
			src := &counting{Source: streamed{x}, room: c.numbers}
			m, err := k.Fit(ctx, src)
			held = linalg.HeldNumbers
			if err != nil {
				t.Fatal(err)
			}
			if src.scans > c.most {
				t.Errorf("%s, up to %d numbers held: read %d times, %d are enough", name, c.numbers, src.scans, c.most)
			}
			if a, b := m.Inertia(), want.Inertia(); math.Abs(a-b) > 0.01*b || c.most == 1 && a != b {
				t.Errorf("%s, up to %d numbers held: inertia %g, in memory %g", name, c.numbers, a, b)
			}
			if rows, known := m.OutlyingRows(); c.most > 1 && (!known || len(m.Labels())+len(m.Weights()) > 0 || m.Rows() != 6000 || math.Abs(float64(len(rows)-want.Training().Count())) > 60) {
				t.Errorf("%s: %d of %d rows are outliers, %d in memory", name, len(rows), m.Rows(), want.Training().Count())
			}
			if a, b := m.effective(), want.effective(); math.Abs(a-b) > 0.01*b {
				t.Errorf("%s, up to %d numbers held: an effective sample of %g, in memory %g", name, c.numbers, a, b)
			}
			if m.Status() != want.Status() {
				t.Errorf("%s, up to %d numbers held: %s, in memory %s", name, c.numbers, m.Status(), want.Status())
			}
		}
	}
}

func constant(n int, v float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = v
	}
	return out
}
