package classify

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/scaling"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/kernel"
)

// clouds makes k Gaussian clouds in d dimensions, a share of whose labels are then
// changed. It returns the true labels as well.
func clouds(n, d, k int, apart, wrong float64, seed uint64) (x *mat.Dense, labels, truth []int) {
	r := dataset.Random(seed, "classify test")
	centres := mat.NewDense(k, d, nil)
	for l := range k {
		for j := range d {
			centres.Set(l, j, apart*r.NormFloat64())
		}
	}
	x = mat.NewDense(n, d, nil)
	labels, truth = make([]int, n), make([]int, n)
	for i := range n {
		truth[i] = i % k
		labels[i] = truth[i]
		if r.Float64() < wrong {
			labels[i] = (truth[i] + 1 + r.IntN(k-1)) % k
		}
		for j := range d {
			x.Set(i, j, centres.At(truth[i], j)+r.NormFloat64())
		}
	}
	return x, labels, truth
}

// rbf is the options of an RBF machine.
func rbf(gamma float64) Options {
	return Options{Kernel: kernel.Kernel{Kind: kernel.RBF, Gamma: gamma}}
}

// taskOf is the training problem of rows as they are.
func taskOf(t testing.TB, x *mat.Dense, labels []int, classes int, o Options) *task {
	t.Helper()
	o, err := o.filled()
	if err != nil {
		t.Fatal(err)
	}
	g, err := newDesign(t.Context(), x, o)
	if err != nil {
		t.Fatal(err)
	}
	prior, err := priors(labels, classes, o)
	if err != nil {
		t.Fatal(err)
	}
	out := newTask(g.a, labels, classes, prior, o)
	out.kernel = g.own
	return out
}

// every lists all machines with the same options.
func every(o Options) []machine {
	var out []machine
	for _, name := range []string{"square", "hinge", "logistic", "regmaxcem", "regmaxcem:variant=element", "regmaxcem:two=1"} {
		out = append(out, studyMachine(name, o))
	}
	return out
}

func mustFit(t testing.TB, m machine, x *mat.Dense, labels []int, classes int) *Model {
	t.Helper()
	model, err := fit(context.Background(), m, x, labels, classes)
	if err != nil {
		t.Fatal(err)
	}
	return model
}

func mustScore(t testing.TB, m *Model, x *mat.Dense) *mat.Dense {
	t.Helper()
	s, err := m.Scores(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// apart is the largest difference of two tables.
func apart(a, b *mat.Dense) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return max(mat.Max(&d), -mat.Min(&d))
}

// scaling of the columns of x alone.
func (o Options) scaling(x *mat.Dense) scaling.Scaling {
	s, _, _ := o.scalingOf(context.Background(), x, nil, nil)
	return s
}
