package classify

import (
	"context"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
)

// elsewhere is a table that is not in memory, with room for a sample of 2,000 rows.
type elsewhere struct{ x *mat.Dense }

func (e elsewhere) Dims() (int, int) { return e.x.Dims() }
func (e elsewhere) Room() int        { return 2000 * e.x.RawMatrix().Cols }
func (e elsewhere) Scan(ctx context.Context, visit func(first int, block *mat.Dense) error) error {
	return linalg.FromDense(e.x).Scan(ctx, visit)
}

// Where the last reading finds that a step went too far, the model is the best one that was read, not that step.
func TestLastReadingTooFar(t *testing.T) {
	const n = 2100
	table, counts := mat.NewDense(n, 2, nil), []int{n / 2, n - n/2}
	for i := range n {
		label := 0.0
		if i >= n/2 {
			label = 1
		}
		table.SetRow(i, []float64{float64(i%7) + 2*label, label})
	}
	m := Square{Options: Options{Lambda: 1e-3}}
	o, err := m.options().filled()
	if err != nil {
		t.Fatal(err)
	}
	b := &many{o: o, table: elsewhere{table}}
	if err := b.sampled(t.Context(), m, 2000, counts); err != nil {
		t.Fatal(err)
	}
	b.theta.Scale(1.5, b.theta)
	exact := b.form.row
	b.form.row = func(f []float64, label int, slope, bend []float64) float64 { // steps are 2.5 times too long: every other one is halved
		value := exact(f, label, slope, bend)
		for l := range f {
			bend[l*len(f)+l] /= 2.5
		}
		return value
	}
	b.times = 0
	var steps []irls.Step
	b.o.OnStep = func(s irls.Step) { steps = append(steps, s) }
	model, err := b.learn(t.Context(), counts)
	if err != nil {
		t.Fatal(err)
	}
	end, err := b.look(t.Context(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(steps) != mostLooks || !(steps[mostLooks-1].Objective > model.seen.objective) {
		t.Fatalf("the last of %d readings is none too far", len(steps))
	}
	if model.Objective() != model.seen.objective {
		t.Errorf("the fit tells an objective of %g, and has %g", model.Objective(), model.seen.objective)
	}
	if got := end.Loss / b.total / b.each; got > model.seen.objective*(1+1e-9) {
		t.Errorf("the model has an objective of %g; %g was read", got, model.seen.objective)
	}
	if !mat.Equal(b.theta.Slice(0, 1, 0, 2), mat.DenseCopyOf(model.parts.Coef.T())) {
		t.Error("coefficients of another step")
	}
}
