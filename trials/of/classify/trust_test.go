package classify_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
)

// twoClouds are rows of classes that have two clouds each, and their labels; a share of the labels is any other.
func twoClouds(r *rand.Rand, n, classes, columns int, wrong float64) (x *mat.Dense, truth, labels []int) {
	centers := mat.NewDense(2*classes, columns, nil)
	centers.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() }, centers)
	x = mat.NewDense(n, columns, nil)
	for i := range n {
		cloud := r.IntN(2 * classes)
		for j := range columns {
			x.Set(i, j, centers.At(cloud, j)+r.NormFloat64())
		}
		label := cloud % classes
		truth = append(truth, label)
		if r.Float64() < wrong {
			label = (label + 1 + r.IntN(classes-1)) % classes
		}
		labels = append(labels, label)
	}
	return x, truth, labels
}

// A kernel comes near wrong labels too, so that a loss of the rows' own scores finds little to reject: rows are weighed by scores of fits
// without them.
func TestKernelMachineDoesNotFollowWrongLabels(t *testing.T) {
	means := map[float64]float64{}
	for _, wrong := range []float64{0, 0.2, 0.4} {
		const draws = 4
		for draw := range draws {
			r := rand.New(rand.NewPCG(uint64(draw), 41))
			x, truth, labels := twoClouds(r, 1200, 3, 6, wrong)
			a, b := x.Slice(0, 600, 0, 6).(*mat.Dense), x.Slice(600, 1200, 0, 6).(*mat.Dense)
			o := classify.Options{Kernel: kernel.Kernel{Kind: kernel.RBF}}
			m, err := classify.RegMaxCEM{Options: o}.Fit(t.Context(), linalg.FromDense(mat.DenseCopyOf(a)), labels[:600], 3)
			if err != nil {
				t.Fatal(err)
			}
			p, err := m.Predict(t.Context(), mat.DenseCopyOf(b))
			if err != nil {
				t.Fatal(err)
			}
			for i, l := range p.Labels {
				if l == truth[600+i] {
					means[wrong] += 1 / float64(600*draws)
				}
			}
		}
	}
	t.Logf("right with no, a fifth and two fifths of the labels wrong: %.3f %.3f %.3f", means[0], means[0.2], means[0.4])
	for wrong, least := range map[float64]float64{0: 0.795, 0.2: 0.797, 0.4: 0.722} {
		if means[wrong] < least {
			t.Errorf("with %g of the labels wrong %.3f are right, want %.3f", wrong, means[wrong], least)
		}
	}
}
