package elm_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
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
	Fit(ctx context.Context, x linalg.Source, targets *mat.Dense) (*elm.Model, error)
	FitBeside(ctx context.Context, table linalg.Source, classes int) (*elm.Model, error)
}

// bent are rows with a bent target, the last column, a tenth of them far off; or a class out of so many.
func bent(n, classes int) *mat.Dense {
	const d = 3
	draw := rand.New(rand.NewPCG(5, 5))
	out := mat.NewDense(n, d+1, nil)
	for i := range n {
		row := out.RawRowView(i)
		for j := range d {
			row[j] = 2*draw.Float64() - 1
		}
		row[d] = math.Sin(3*row[0]) + row[1]*row[2] + 0.1*draw.NormFloat64()
		if classes > 0 {
			row[d] = math.Min(math.Max(math.Floor((row[d]+1.5)/3*float64(classes)), 0), float64(classes-1))
		}
		if i%10 == 0 {
			row[d] += 5
			if classes > 0 {
				row[d] = float64(int(row[d]) % classes)
			}
		}
	}
	return out
}

// Rows that are not in memory end where all of them in memory do: to 1e-6 where the problem is the same, and near where
// scaling, penalty and bandwidth follow from a sample.
func TestFitBeside(t *testing.T) {
	const n = 3000
	same := elm.Options{Hidden: 30, Lambda: 0.5, Seed: 1}
	open := elm.Options{Hidden: 30, Scaling: elm.ScaleRobust, Clip: -20, Leverage: true, Seed: 1}
	labels, rows := same, same
	labels.Labels, rows.Labels, rows.PerRow = true, true, true
	tiny := same
	tiny.Lambda = 1e-9
	fixed := loss.FixedAt(0.3)
	for name, c := range map[string]struct {
		with          besides
		classes       int
		within, scale float64 // of predictions in scales, and of the scale
		reads         int
	}{
		"ridge":         {elm.Ridge{Options: same}, 0, 1e-6, 1e-3, 4},
		"small penalty": {elm.Ridge{Options: tiny}, 0, 1e-6, 1e-3, 4},
		"rcc":           {elm.RCC{Options: same, Sigma: fixed}, 0, 1e-6, 1e-3, 6},
		"kmpe":          {elm.KMPE{Options: same, P: 3, Sigma: fixed}, 0, 1e-6, 1e-3, 6},
		"huber":         {elm.Robust{Options: same, Loss: loss.MustParse("huber:c=0.3")}, 0, 1e-6, 1e-3, 8},
		"two classes":   {elm.RCC{Options: labels}, 2, 1e-6, 1e-3, 6},
		"classes":       {elm.RCC{Options: labels}, 3, 1e-6, 0.5, 7},
		"rows":          {elm.RCC{Options: rows}, 3, 1e-5, 1e-3, 13},
		"open ridge":    {elm.Ridge{Options: open}, 0, 0.05, 0.01, 4},
		"open":          {elm.Robust{Options: open}, 0, 0.05, 0.01, 9},
	} {
		table := bent(n, c.classes)
		x := mat.DenseCopyOf(table.Slice(0, n, 0, 3))
		targets := mat.NewDense(n, 1, mat.Col(nil, 3, table))
		if c.classes > 0 {
			labels := make([]int, n)
			for i := range labels {
				labels[i] = int(table.At(i, 3))
			}
			targets = elm.OneVsAll(labels, c.classes)
		}
		want, err := c.with.Fit(t.Context(), linalg.FromDense(x), targets)
		if err != nil {
			t.Fatal(err)
		}
		src := &blocks{x: table, room: 2000 * 4}
		m, err := c.with.FitBeside(t.Context(), src, c.classes)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		a, _ := want.Predict(t.Context(), x)
		b, _ := m.Predict(t.Context(), x)
		b.Sub(a, b)
		size, count := b.Dims()
		off := mat.Norm(b, 2) / math.Sqrt(float64(size*count)) / want.Scale()[0]
		ratio := m.Scale()[0]/want.Scale()[0] - 1
		t.Logf("%s: off by %.2g scales, scale %.2g, %d reads, lambda %g %g, %s, %d steps", name, off, ratio, src.scans, m.Lambda(), want.Lambda(), m.Status(), len(m.Steps()))
		if !(off <= c.within) || !(math.Abs(ratio) <= c.scale) || src.scans > c.reads {
			t.Errorf("%s: off", name)
		}
		if m.Rows() != n || m.Training() != nil || len(m.Weights()) > 0 {
			t.Errorf("%s: %d rows, %d weights", name, m.Rows(), len(m.Weights()))
		}
		if rows, known := m.OutlyingRows(); !known || math.Abs(float64(len(rows)-want.Training().Count())) > 0.1*float64(want.Training().Count()) {
			t.Errorf("%s: %d outliers, in memory %d", name, len(rows), want.Training().Count())
		}
	}
}
