package elm

import (
	"bytes"
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// Rows of absurd inputs are far from all classes, with and without scaling, in blocks and
// alone, also after reading the model.
func TestAbsurdInputsOfClassesAreFlagged(t *testing.T) {
	ctx := context.Background()
	g := rand.New(rand.NewPCG(1, 1))
	draw := func() (*mat.Dense, []int) {
		x, labels := mat.NewDense(90, 2, nil), make([]int, 90)
		for i := range 90 {
			labels[i] = i % 3
			x.SetRow(i, []float64{g.NormFloat64() + 4*float64(labels[i]), g.NormFloat64()})
		}
		for k, v := range []float64{-999, 1e6, 1e300, -1e9} {
			x.Set(20*k+1, k%2, v)
		}
		return x, labels
	}
	for name, o := range map[string]elm.Options{
		"robust": {Labels: true, Scaling: elm.ScaleRobust, Clip: -20}, "standard": {Labels: true, Scaling: elm.ScaleStandard}, "as they are": {Labels: true},
	} {
		o.Hidden = 12
		x, labels := draw()
		m, err := elm.Robust{Options: o}.Fit(ctx, linalg.FromDense(x), elm.OneVsAll(labels, 3))
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if _, err := m.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		read, err := elm.Read(&file)
		if err != nil {
			t.Fatal(err)
		}
		fresh, others := draw()
		targets := elm.OneVsAll(others, 3)
		v, err := read.Judge(ctx, fresh, targets)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 90 {
			for _, one := range []verdict.Row{m.Training().Row(i), v.Row(i), read.JudgeRow(fresh.RawRowView(i), targets.RawRowView(i))} {
				if bad := i%20 == 1 && i < 80; bad != (one.Kind == verdict.FarFromAll && one.Outlier && one.Weight == 0) {
					t.Errorf("%s: row %d: %+v", name, i, one)
				}
			}
		}
	}
}
