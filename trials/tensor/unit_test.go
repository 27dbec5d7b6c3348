package tensor

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/tensor"
)

// A bandwidth in centred norms is that many times the median norm of the samples less their
// mean: what all samples have in common does not count, and a sample far off does not either.
func TestBandwidthInCentredNorms(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	x := mat.NewDense(60, 30, nil)
	x.Apply(func(_, j int, _ float64) float64 { return float64(10+j%5) + r.NormFloat64() }, x)
	mean, norms := make([]float64, 30), make([]float64, 60)
	for j := range mean {
		mean[j] = mat.Sum(x.ColView(j)) / 60
	}
	for i := range norms {
		for j, v := range x.RawRowView(i) {
			norms[i] = math.Hypot(norms[i], v-mean[j])
		}
	}
	want := univariate.Median(norms)
	for _, start := range []tensor.Start{tensor.StartClassic, tensor.StartAuto} {
		o := tensor.Options{Shape: []int{6, 5}, Rank: []int{2, 2}, Start: start}
		fit := func(c tensor.Corr, x *mat.Dense) *tensor.Model {
			t.Helper()
			c.Options = o
			m, err := c.Fit(t.Context(), linalg.FromDense(x))
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		m := fit(tensor.Corr{Alpha: 3, Beta: loss.FixedAt(0.7), Unit: tensor.UnitCenteredNorm}, x)
		if math.Abs(m.Unit()-want) > 1e-12*want {
			t.Errorf("%s: unit %g, median centred norm %g", start, m.Unit(), want)
		}
		plain := fit(tensor.Corr{Alpha: 3, Beta: loss.FixedAt(0.7 * want)}, x)
		for i, w := range m.Weights() {
			if math.Abs(w-plain.Weights()[i]) > 1e-9 {
				t.Fatalf("%s: sample %d weighs %g, with the same bandwidth in units of the data %g", start, i+1, w, plain.Weights()[i])
			}
		}
		spoiled := mat.DenseCopyOf(x)
		spoiled.Set(0, 3, 1e5)
		if u := fit(tensor.Corr{Alpha: 3, Beta: loss.FixedAt(0.7), Unit: tensor.UnitCenteredNorm}, spoiled).Unit(); math.Abs(u-want) > 0.05*want {
			t.Errorf("%s: with a sample far off the unit is %g instead of %g", start, u, want)
		}
	}
	if _, err := (tensor.Corr{Options: tensor.Options{Shape: []int{6, 5}}, Unit: "inches"}).Fit(t.Context(), linalg.FromDense(x)); err == nil {
		t.Error("a unit that there is not was taken")
	}
}
