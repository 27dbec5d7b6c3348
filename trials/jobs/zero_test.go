package jobs

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/tensor"
)

// The zero value of every robust method is robust: rows that are wrong by far have no say.
func TestZeroValuesAreRobust(t *testing.T) {
	ctx := context.Background()
	draw := rand.New(rand.NewPCG(8, 1))
	const n, wrong = 60, 12
	x, clean, y, target, labels := mat.NewDense(n, 4, nil), mat.NewDense(n, 1, nil), make([]float64, n), mat.NewDense(n, 1, nil), make([]int, n)
	for i := range n {
		a := 3 * draw.NormFloat64()
		labels[i] = i % 2
		for j := range 4 {
			x.Set(i, j, 5+a*float64(j+1)+0.1*draw.NormFloat64())
		}
		clean.Set(i, 0, a/9)
		y[i] = 7 + a
		if i < wrong {
			x.SetRow(i, []float64{300, -300 + draw.NormFloat64(), 250, draw.NormFloat64()})
			y[i] = -900
		}
		target.Set(i, 0, y[i])
	}
	src := linalg.FromDense(x)
	ignores := func(method string, weights []float64) {
		t.Helper()
		good := 0.0
		for _, w := range weights[wrong:] {
			good = math.Max(good, w)
		}
		for i, w := range weights[:wrong] {
			if !(w <= 1e-3*good) {
				t.Errorf("%s: wrong row %d has weight %g", method, i+1, w)
			}
		}
	}
	if m, err := (pca.Robust{}).Fit(ctx, src); err != nil {
		t.Error(err)
	} else {
		ignores("pca", m.Weights())
	}
	if m, err := (linear.Robust{}).Fit(ctx, linalg.FromDense(x), y); err != nil {
		t.Error(err)
	} else {
		ignores("linear", m.Weights())
		if m.Intercept() == 0 {
			t.Error("linear: no intercept")
		}
	}
	if m, err := (elm.Robust{}).Fit(ctx, linalg.FromDense(clean), target); err != nil {
		t.Error(err)
	} else {
		ignores("elm", m.EntryWeights().RawMatrix().Data)
	}
	if m, err := (tensor.Robust{Options: tensor.Options{Shape: []int{2, 2}}}).Fit(ctx, src); err != nil {
		t.Error(err)
	} else {
		ignores("tensor", m.Weights())
	}
	if m, err := (cluster.Robust{KMeans: cluster.KMeans{Clusters: 1}}).Fit(ctx, src); err != nil {
		t.Error(err)
	} else {
		ignores("cluster", m.Weights())
	}
	if _, err := (cluster.Robust{}).Fit(ctx, src); err != nil {
		t.Error(err)
	}
	// wrong labels, far on the other side, and a value that is no measurement
	for i := range n {
		for j := range 4 {
			x.Set(i, j, draw.NormFloat64())
		}
		x.Set(i, 0, 4*float64(2*labels[i]-1)+draw.NormFloat64())
	}
	for i := range wrong {
		labels[i] = 1 - labels[i]
	}
	x.Set(0, 0, 1e12)
	if m, err := (classify.RegMaxCEM{}).Fit(ctx, linalg.FromDense(x), labels, 2); err != nil {
		t.Error(err)
	} else {
		weights := m.Weights()
		bad, good := 0.0, 0.0
		for i, w := range weights {
			if i < wrong {
				bad += w / wrong
			} else {
				good += w / (n - wrong)
			}
		}
		if bad > good/3 {
			t.Errorf("classify: wrong labels weigh %g on average, right ones %g", bad, good)
		}
	}
}
