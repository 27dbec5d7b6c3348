package linear

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
	"github.com/inlier-ml/inlier/loss"
	"gonum.org/v1/gonum/mat"
)

// A model that was read tells the same as the one that was written.
func TestReadModelTellsTheSame(t *testing.T) {
	narrow, y := sums(50, []float64{0, 0, 0}, 1)
	x := mat.NewDense(50, 3, nil)
	for i := range y {
		y[i] += math.Sin(float64(i * i))
		x.SetRow(i, []float64{narrow.At(i, 0), 7, narrow.At(i, 1)})
	}
	for name, o := range map[string]linear.Robust{"s": {}, "classic": {Start: linear.StartClassic}, "origin": {NoIntercept: true}} {
		m, err := o.Fit(context.Background(), linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if _, err := m.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		read, err := linear.Read(&file)
		if err != nil {
			t.Fatal(err)
		}
		tell := func(m *linear.Model) string {
			r2, adjusted := m.R2()
			coef, intercept, scale := m.Initial()
			constant, table := m.Table()
			return fmt.Sprint(r2, adjusted, m.Freedom(), m.Dropped(), m.Rows(), m.Status(), m.Scale(), coef, intercept, scale, constant, table, m.Rejected())
		}
		if got, want := tell(read), tell(m); got != want {
			t.Errorf("%s: %s\ninstead of %s", name, got, want)
		}
	}
}

// Targets of absurd size make a model that can be written and tells their standard errors.
func TestReadModelOfAbsurdTargets(t *testing.T) {
	x, y := sums(50, []float64{0, 0, 0}, 1)
	for i := range y {
		y[i] += math.Sin(float64(i * i))
	}
	var want []linear.Coefficient
	for _, unit := range []float64{1, 1e200, 1e-200, 1e290, 1e121, 1e-121} {
		large := make([]float64, len(y))
		for i, v := range y {
			large[i] = v * unit
		}
		m, err := linear.Robust{}.Fit(context.Background(), linalg.FromDense(x), large)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if _, err := m.WriteTo(&file); err != nil {
			t.Fatalf("%g: %v", unit, err)
		}
		read, err := linear.Read(&file)
		if err != nil {
			t.Fatal(err)
		}
		if unit == 1 {
			_, want = m.Table()
		}
		for _, m := range []*linear.Model{m, read} {
			_, table := m.Table()
			for j, c := range table {
				if math.Abs(c.T/want[j].T-1) > 1e-6 || math.Abs(c.Error/unit/want[j].Error-1) > 1e-6 {
					t.Errorf("%g: column %d has %v, not %v", unit, j+1, c, want[j])
				}
			}
		}
	}
	x.Apply(func(_, _ int, v float64) float64 { return v * 1e-180 }, x)
	m, err := linear.Robust{}.Fit(context.Background(), linalg.FromDense(x), y)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.WriteTo(new(bytes.Buffer)); err != nil {
		t.Error(err)
	}
}

// listed is a loss of one's own that Go cannot compare.
type listed struct{ _ []float64 }

func (listed) Rho(s float64) float64 { return math.Log1p(s) }

func (listed) Weight(s float64) float64 { return 1 / (1 + s) }

func TestOwnLossThatCannotBeCompared(t *testing.T) {
	x, y := sums(50, []float64{0, 0, 0}, 1)
	for i := range y {
		y[i] += math.Sin(float64(i * i))
	}
	spec, err := loss.Specify(listed{}, loss.Spec{})
	if err != nil {
		t.Fatal(err)
	}
	for _, start := range []linear.Start{linear.StartS, linear.StartLTS, linear.StartClassic} {
		for _, l := range []loss.Loss{listed{}, spec, spec.WithRule(loss.FixedAt(1))} {
			if _, err := (linear.Robust{Loss: l, Start: start}).Fit(context.Background(), linalg.FromDense(x), y); err != nil {
				t.Error(err)
			}
		}
	}
}
