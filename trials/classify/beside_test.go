package classify_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/linalg"
)

// blocks is a table that is not in memory, with room for a sample, and counts how often it is read.
type blocks struct {
	x     *mat.Dense
	room  int
	scans int
}

func (b *blocks) Dims() (int, int) { return b.x.Dims() }
func (b *blocks) Room() int        { return b.room }
func (b *blocks) Scan(ctx context.Context, visit func(first int, block *mat.Dense) error) error {
	b.scans++
	return linalg.FromDense(b.x).Scan(ctx, visit)
}

type besides interface {
	Fit(ctx context.Context, src linalg.Source, labels []int, classes int) (*classify.Model, error)
	FitBeside(ctx context.Context, table linalg.Source, counts []int) (*classify.Model, error)
}

// Rows that are not in memory end where all of them in memory do: to 1e-6 where the problem is the same.
func TestFitBeside(t *testing.T) {
	const n, d = 3000, 3
	same := classify.Options{Lambda: 1e-3, Scaling: classify.ScaleNone, Calibration: classify.NoCalibration, Tol: 1e-15}
	balanced := same
	balanced.ClassWeights = classify.Balanced
	open := classify.Options{}
	for name, c := range map[string]struct {
		with    besides
		classes int
		within  float64
	}{
		"square":         {classify.Square{Options: same}, 3, 1e-6},
		"balanced":       {classify.Square{Options: balanced}, 3, 1e-6},
		"logistic":       {classify.Logistic{Options: same}, 3, 1e-6},
		"two classes":    {classify.Logistic{Options: same}, 2, 1e-6},
		"one by one":     {classify.Logistic{Options: same, Multiclass: classify.OneVsAll}, 3, 1e-6},
		"hinge":          {classify.Hinge{Options: same}, 3, 1e-6},
		"row":            {classify.RegMaxCEM{Options: same, Variant: classify.PerRow}, 3, 1e-6},
		"element":        {classify.RegMaxCEM{Options: same, Variant: classify.PerElement}, 3, 1e-6},
		"joint":          {classify.RegMaxCEM{Options: same, Variant: classify.PerRowJoint}, 3, 1e-6},
		"joint of two":   {classify.RegMaxCEM{Options: same, Variant: classify.PerRowJoint}, 2, 1e-6},
		"open logistic":  {classify.Logistic{Options: open}, 3, 0.02},
		"open regmaxcem": {classify.RegMaxCEM{Options: open}, 3, 0.05},
	} {
		draw := rand.New(rand.NewPCG(7, 7))
		table, x, labels, counts := mat.NewDense(n, d+1, nil), mat.NewDense(n, d, nil), make([]int, n), make([]int, c.classes)
		for i := range n {
			row := table.RawRowView(i)
			for j := range d {
				row[j] = draw.NormFloat64()
			}
			copy(x.RawRowView(i), row)
			labels[i] = min(max(int(math.Floor(float64(c.classes)/2+row[0]+0.5*row[1]+0.7*draw.NormFloat64())), 0), c.classes-1)
			if draw.Float64() < 0.1 {
				labels[i] = draw.IntN(c.classes)
			}
			row[d] = float64(labels[i])
			counts[labels[i]]++
		}
		want, err := c.with.Fit(t.Context(), linalg.FromDense(x), labels, c.classes)
		if err != nil {
			t.Fatal(err)
		}
		src := &blocks{x: table, room: 2000 * (d + 1)}
		m, err := c.with.FitBeside(t.Context(), src, counts)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		a, _ := want.Scores(t.Context(), x)
		b, _ := m.Scores(t.Context(), x)
		size := mat.Norm(a, 2)
		b.Sub(a, b)
		rows, known := m.OutlyingRows()
		t.Logf("%s: off by %.2g, %d reads, %s, objective %g %g, %d outliers, in memory %d", name, mat.Norm(b, 2)/size, src.scans, m.Status(), m.Objective(), want.Objective(), len(rows), want.Training().Count())
		if !(mat.Norm(b, 2) <= c.within*size) || src.scans > 6 {
			t.Errorf("%s: off", name)
		}
		if m.Rows() != n || m.Training() != nil || len(m.Weights()) > 0 || !known {
			t.Errorf("%s: %d rows, %d weights", name, m.Rows(), len(m.Weights()))
		}
	}
}
