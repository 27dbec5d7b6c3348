package elm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
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

// The verdict on the training rows, which is made of outputs known from the fit, is that of
// Judge on the same rows.
func TestTrainingIsJudge(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	const n, d = 150, 3
	x := mat.NewDense(n, d, nil)
	one, two, far, labels := mat.NewDense(n, 1, nil), mat.NewDense(n, 2, nil), mat.NewDense(n, 1, nil), make([]int, n)
	for i := range n {
		for j := range d {
			x.Set(i, j, r.NormFloat64())
		}
		v := math.Sin(x.At(i, 0)) + 0.1*r.NormFloat64()
		if i%12 == 0 {
			v += 7
		}
		one.Set(i, 0, v+1000)
		far.Set(i, 0, v*1e200)
		two.SetRow(i, []float64{v, x.At(i, 1)})
		if v > 0 {
			labels[i] = 1
		}
	}
	x.Set(5, 1, 1e9)
	usual := elm.Options{Hidden: 20, Seed: 1}
	scaled, named := usual, usual
	scaled.Scaling, scaled.Clip, scaled.Leverage = elm.ScaleRobust, 3, true
	named.Labels = true
	type fitter interface {
		Fit(ctx context.Context, src linalg.Source, t *mat.Dense) (*elm.Model, error)
	}
	for _, o := range []struct {
		name    string
		options elm.Options
		targets *mat.Dense
	}{{"two outputs", usual, two}, {"far from 0", scaled, one}, {"huge", scaled, far}, {"labels", named, elm.OneVsAll(labels, 2)}} {
		for method, f := range map[string]fitter{"ridge": elm.Ridge{o.options}, "robust": elm.Robust{Options: o.options}} {
			m, err := f.Fit(t.Context(), &counting{x: x}, o.targets)
			if err != nil {
				t.Fatal(o.name, method, err)
			}
			want, err := m.Judge(t.Context(), x, o.targets)
			if err != nil {
				t.Fatal(o.name, method, err)
			}
			got := m.Training()
			for i := range n {
				a, b := got.Row(i), want.Row(i)
				if a.Kind != b.Kind || a.Label != b.Label || a.ScoreDistance != b.ScoreDistance ||
					!(math.Abs(a.Residual-b.Residual) <= 1e-9*(1+math.Abs(b.Residual))) || math.Abs(a.Weight-b.Weight) > 1e-9 {
					t.Errorf("%s, %s, row %d: %+v, Judge says %+v", o.name, method, i, a, b)
				}
			}
		}
	}
}
