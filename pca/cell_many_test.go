package pca

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/score"
)

// cellBlocks is a table that is not in memory, with room for a sample.
type cellBlocks struct {
	x     *mat.Dense
	scans int
}

func (b *cellBlocks) Dims() (int, int) { return b.x.Dims() }
func (b *cellBlocks) Room() int        { return 2000 * 6 }
func (b *cellBlocks) Scan(ctx context.Context, visit func(first int, block *mat.Dense) error) error {
	b.scans++
	return linalg.FromDense(b.x).Scan(ctx, visit)
}

// Rows that are not in memory are read five times and end near where all of them in memory do.
func TestCellsOfManyRows(t *testing.T) {
	const n, d = 3000, 6
	draw := rand.New(rand.NewPCG(2, 8))
	x := mat.NewDense(n, d, nil)
	for i := range n {
		a, b := 3*draw.NormFloat64(), draw.NormFloat64()
		for j := range d {
			x.Set(i, j, 5+a*math.Cos(float64(j))+b*float64(j)/3+0.2*draw.NormFloat64())
			switch c := draw.Float64(); {
			case c < 0.03:
				x.Set(i, j, 50)
			case c < 0.05:
				x.Set(i, j, math.NaN())
			}
		}
	}
	c := Cell{Options: Options{Components: 2, Seed: 1}}
	want, err := c.Fit(t.Context(), linalg.FromDense(x))
	if err != nil {
		t.Fatal(err)
	}
	src := &cellBlocks{x: x}
	m, err := c.Fit(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	last := func(m *Model) float64 { return m.Steps()[len(m.Steps())-1].Objective }
	angle, err := score.LargestAngle(m.Basis(), want.Basis())
	if rows, known := m.OutlyingRows(); err != nil || !(angle < 0.05) || src.scans > 5 || !known || math.Abs(float64(len(rows)-want.Training().Count())) > 40 || m.Rows() != n || len(m.Weights()) > 0 {
		t.Errorf("%v: %g degrees, %d reads, %d outliers, in memory %d", err, angle, src.scans, len(rows), want.Training().Count())
	}
	defer func(k int) { cellFullSteps = k }(cellFullSteps)
	cellFullSteps = 10
	if more, err := c.Fit(t.Context(), src); err != nil || !(math.Abs(last(m)/last(more)-1) < 1e-6) {
		t.Errorf("%v: objective %g, with more steps %g", err, last(m), last(more))
	}
	rows, _ := m.OutlyingRows()
	judged, err := m.Judge(t.Context(), x)
	if err != nil || judged.Count() != len(rows) {
		t.Errorf("%v: judged again %d outliers, %d in the fit", err, judged.Count(), len(rows))
	}
}
