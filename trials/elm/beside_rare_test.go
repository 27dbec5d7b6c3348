package elm_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
)

// ticked are rows with a bent target, the last column, and a tick that few rows have, of which a sample knows next to nothing.
func ticked(n, every int) *mat.Dense {
	const d = 4
	draw := rand.New(rand.NewPCG(1, 1))
	out := mat.NewDense(n, d+1, nil)
	for i := range n {
		row := out.RawRowView(i)
		for j := range d {
			row[j] = draw.NormFloat64()
			row[d] += float64(j+1) * math.Sin(row[j])
		}
		row[d] += 0.5 * draw.NormFloat64()
		if row[0] = 0; i%every == every/2 {
			row[0] = 1
			row[d] += 10
		}
	}
	return out
}

// A robust machine in blocks ends no higher than any reading of the same problem: a step that led up was taken twice, and kept.
func TestFitBesideNeverRises(t *testing.T) {
	const n = 20000
	for _, every := range []int{400, 4000} {
		table := ticked(n, every)
		_, width := table.Dims()
		var steps []irls.Step
		o := elm.Options{Scaling: elm.ScaleStandard, Clip: -5, Hidden: 60, OnStep: func(s irls.Step) { steps = append(steps, s) }}
		m, err := elm.RCC{Options: o}.FitBeside(t.Context(), &blocks{x: table, room: 2000 * width}, 0)
		if err != nil {
			t.Fatal(err)
		}
		told := m.Steps()
		last := told[len(told)-1]
		for _, s := range steps {
			if s.Scale == last.Scale && s.Number > 2 && s.Objective < last.Objective*(1-1e-9) {
				t.Errorf("one tick in %d: ended at %g, reading %d had %g", every, last.Objective, s.Number, s.Objective)
			}
		}
		for i := 3; i < len(told); i++ {
			if told[i].Scale == told[i-1].Scale && told[i].Objective > told[i-1].Objective*(1+1e-9) {
				t.Errorf("one tick in %d: the objective rises from %g to %g", every, told[i-1].Objective, told[i].Objective)
			}
		}
	}
}

// Rows whose inputs are absurd have no say in the objective of a fit in blocks, which tells of them; a target that is constant has settled.
func TestFitBesideTells(t *testing.T) {
	const n = 6000
	table := ticked(n, 2)
	_, width := table.Dims()
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		if i%10 == 0 {
			table.Set(i, 1, 1e6)
		}
		y.Set(i, 0, table.At(i, width-1))
	}
	x := mat.DenseCopyOf(table.Slice(0, n, 0, width-1))
	o := elm.Options{Scaling: elm.ScaleStandard, Clip: -5, Hidden: 30, Lambda: 1}
	m, err := elm.Ridge{Options: o}.Fit(t.Context(), linalg.FromDense(x), y)
	if err != nil {
		t.Fatal(err)
	}
	b, err := elm.Ridge{Options: o}.FitBeside(t.Context(), &blocks{x: table, room: 2000 * width}, 0)
	if err != nil {
		t.Fatal(err)
	}
	end := func(m *elm.Model) float64 { s := m.Steps(); return s[len(s)-1].Objective }
	if math.Abs(end(b)/end(m)-1) > 0.03 {
		t.Errorf("objective %g in blocks, %g in memory", end(b), end(m))
	}
	if said := strings.Join(b.Warnings(), " "); !strings.Contains(said, "600 of 6000 rows were left out") {
		t.Errorf("nothing is said of the rows that were left out: %q", said)
	}
	for i := range n {
		table.Set(i, width-1, 3)
	}
	o.Lambda = 0
	if b, err = (elm.Ridge{Options: o}).FitBeside(t.Context(), &blocks{x: table, room: 2000 * width}, 0); err != nil {
		t.Fatal(err)
	}
	if b.Status() != irls.Converged {
		t.Errorf("a constant target: %v", b.Status())
	}
}
