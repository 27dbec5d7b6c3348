package linear

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
	"github.com/inlier-ml/inlier/loss"
	"gonum.org/v1/gonum/mat"
)

// drawn are rows of y = 1 + 2 a - b + 3 c with the columns in unlike units; noise is uniform where it is bounded.
func drawn(seed uint64, n int, noise func(*rand.Rand) float64) (*mat.Dense, []float64) {
	r := rand.New(rand.NewPCG(seed, 7))
	x, y := mat.NewDense(n, 3, nil), make([]float64, n)
	for i := range y {
		a, b, c := r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
		x.SetRow(i, []float64{1e6 + 1e3*a, 1e-4 * b, c + a})
		y[i] = 1 + 2*a - b + 3*c + noise(r)
	}
	return x, y
}

func gauss(r *rand.Rand) float64 { return r.NormFloat64() }

func stacked(a, b *mat.Dense, y, z []float64) (*mat.Dense, []float64) {
	var x mat.Dense
	x.Stack(a, b)
	return &x, append(append([]float64(nil), y...), z...)
}

func fitted(t *testing.T, o linear.Robust, x *mat.Dense, y []float64) *linear.Model {
	t.Helper()
	o.Seed = 1
	m, err := o.Fit(context.Background(), linalg.FromDense(x), y)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func updated(t *testing.T, m *linear.Model, x *mat.Dense, y []float64, forget float64) *linear.Model {
	t.Helper()
	out, _, err := m.Update(context.Background(), x, y, forget)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// again is the model of its file.
func again(t *testing.T, m *linear.Model) *linear.Model {
	t.Helper()
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	out, err := linear.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// The update of a robust fit is within a part of its standard errors of the fit of all rows, whose errors it has too.
func TestRobustUpdateIsNearTheFitOfAll(t *testing.T) {
	for _, c := range []struct {
		loss         string
		cutoff, most float64
	}{
		{"tukey", 8, 0.2}, {"welsch", 8, 0.2}, {"huber", 8, 0.5},
		{"tukey", 0, 0.6}, {"welsch", 0, 0.6}, // good rows beyond 2.5 scales are left out too, and have some say in a fit of all
		{"huber", 0, 1}, {"l1", 0, 1}, // which listen to the wrong ones as well
	} {
		text, most := c.loss, c.most
		o := linear.Robust{Loss: loss.MustParse(text), ResidualCutoff: c.cutoff}
		a, y := drawn(3, 400, gauss)
		b, z := drawn(4, 400, gauss)
		for i := range 40 { // a tenth of each is wrong
			y[10*i], z[10*i] = y[10*i]+50, z[10*i]-80
		}
		x, all := stacked(a, b, y, z)
		want, got := fitted(t, o, x, all), updated(t, again(t, fitted(t, o, a, y)), b, z, 0)
		at, columns := want.Table()
		mine, others := got.Table()
		for j, c := range append(columns, at) {
			d := append(others, mine)[j]
			if off := math.Abs(c.Value-d.Value) / c.Error; off > most {
				t.Errorf("%s, coefficient %d: %g of %g, %.2g standard errors off", text, j+1, d.Value, c.Value, off)
			}
			if ratio := d.Error / c.Error; ratio < 0.8 || ratio > 1.25 {
				t.Errorf("%s, coefficient %d: standard error %g of %g", text, j+1, d.Error, c.Error)
			}
		}
	}
}
