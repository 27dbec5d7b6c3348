package elm

import (
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
)

// A column by which all nodes are at their ends makes every output the same, which is said.
func TestSaturatedNodesAreTold(t *testing.T) {
	g := rand.New(rand.NewPCG(1, 4))
	x, y, labels := mat.NewDense(80, 3, nil), mat.NewDense(80, 1, nil), make([]int, 80)
	for i := range 80 {
		x.SetRow(i, []float64{g.NormFloat64(), g.NormFloat64(), -1e300})
		y.Set(i, 0, x.At(i, 0)+0.1*g.NormFloat64())
		if x.At(i, 0) > 0 {
			labels[i] = 1
		}
	}
	for _, o := range []elm.Options{{Scaling: elm.ScaleNone}, {Scaling: elm.ScaleRobust}, {Scaling: elm.ScaleNone, Labels: true}} {
		targets := y
		if o.Hidden = 20; o.Labels {
			targets = elm.OneVsAll(labels, 2)
		}
		m, err := elm.Ridge{Options: o}.Fit(t.Context(), linalg.FromDense(x), targets)
		if err != nil {
			t.Fatal(err)
		}
		if told := strings.Contains(strings.Join(m.Warnings(), " "), "same output"); told != (o.Scaling == elm.ScaleNone) {
			t.Errorf("%+v: %v", o, m.Warnings())
		}
	}
}
