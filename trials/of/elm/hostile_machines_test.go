package elm

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// missBy is the root mean squared error of a machine on new rows, in a unit.
func missBy(t *testing.T, m *elm.Model, unit float64) float64 {
	t.Helper()
	x, y := wave(400, 99)
	p, err := m.Predict(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	p.Scale(1/unit, p)
	p.Sub(p, y)
	return math.Sqrt(meanSquareOf(p))
}

// stored is a model that was written and read.
func stored(m *elm.Model) (*elm.Model, error) {
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		return nil, err
	}
	return elm.Read(&file)
}

// A target that no scale of the others reaches costs its row and nothing else.
func TestFarTargets(t *testing.T) {
	for name, fit := range map[string]func(o elm.Options, x, y *mat.Dense) (*elm.Model, error){
		"rcc": func(o elm.Options, x, y *mat.Dense) (*elm.Model, error) {
			return elm.RCC{Options: o}.Fit(context.Background(), linalg.FromDense(x), y)
		},
		"robust": func(o elm.Options, x, y *mat.Dense) (*elm.Model, error) {
			return elm.Robust{Options: o, Loss: loss.MustParse("tukey")}.Fit(context.Background(), linalg.FromDense(x), y)
		},
	} {
		for _, unit := range []float64{1, 1e-9} {
			for _, size := range []float64{1e2, 1e15, 1e300} {
				for _, sign := range []float64{1, -1} {
					x, y := wave(150, 1)
					y.Scale(unit, y)
					for i := range 15 {
						y.Set(i*10, 0, sign*size)
					}
					m, err := fit(elm.Options{Hidden: 30, Seed: 1}, x, y)
					if err != nil {
						t.Errorf("%s: %g: %v", name, size, err)
						continue
					}
					if off := missBy(t, m, unit); off > 0.2 || m.Scale()[0] > 0.25*unit {
						t.Errorf("%s, unit %g, targets of %g: off by %g, scale %g, %s", name, unit, sign*size, off, m.Scale()[0], m.Status())
					}
					judged, err := m.Judge(context.Background(), x, y)
					if err != nil {
						t.Fatal(err)
					}
					for i := range 15 {
						if w := judged.Weight[i*10]; w != 0 {
							t.Errorf("%s: a target of %g has weight %g", name, sign*size, w)
							break
						}
					}
				}
			}
		}
	}
}

// Machines that are not robust are spoilt by far targets, not refused, and can be stored.
func TestFarTargetsOfPlainMachines(t *testing.T) {
	x, y := wave(60, 1)
	y.Set(3, 0, 1e300)
	m, err := elm.Ridge{elm.Options{Hidden: 20}}.Fit(context.Background(), linalg.FromDense(x), y)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := stored(m); err != nil || math.IsInf(m.Steps()[0].Objective, 0) {
		t.Errorf("%v, objective %g", err, m.Steps()[0].Objective)
	}
}

// With a bandwidth at which no row has weight the penalty alone would decide.
func TestTinyBandwidth(t *testing.T) {
	x, y := wave(80, 2)
	for _, o := range []elm.Options{{Hidden: 20, Lambda: 1e-3}, {Hidden: 20}} {
		m, err := elm.RCC{Options: o, Sigma: loss.FixedAt(1e-9)}.Fit(context.Background(), linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Max(m.Weights()) == 0 || len(m.Warnings()) == 0 {
			t.Errorf("%s with weights up to %g, warnings %q", m.Status(), slices.Max(m.Weights()), m.Warnings())
		}
	}
}

// looks is a context that ends at its k-th look.
type looks struct {
	context.Context
	left *atomic.Int64
}

func (l looks) Err() error {
	if l.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Until a state is whole a cancelled fit fails, from then on it returns a whole model.
func TestCancelAtEveryLook(t *testing.T) {
	x, y := wave(40, 3)
	y.Set(0, 0, 50)
	for name, fit := range map[string]func(ctx context.Context) (*elm.Model, error){
		"elm": func(ctx context.Context) (*elm.Model, error) {
			return elm.Plain{elm.Options{Hidden: 10}}.Fit(ctx, linalg.FromDense(x), y)
		},
		"rcc": func(ctx context.Context) (*elm.Model, error) {
			return elm.RCC{Options: elm.Options{Hidden: 12, Lambda: 1e-3}}.Fit(ctx, linalg.FromDense(x), y)
		},
		"auto": func(ctx context.Context) (*elm.Model, error) {
			return elm.RCC{Options: elm.Options{Hidden: 40, MaxSteps: 30}}.Fit(ctx, linalg.FromDense(x), y)
		},
		"once": func(ctx context.Context) (*elm.Model, error) {
			return elm.Robust{Options: elm.Options{Hidden: 12, Lambda: 1e-3, Start: elm.StartZero}, Loss: elm.DefaultLoss, Rescale: irls.Once}.Fit(ctx, linalg.FromDense(x), y)
		},
	} {
		before, seen := "error", map[string]int{}
		for k := 0; before != "finished"; k += 1 + k/40 {
			ctx := looks{context.Background(), new(atomic.Int64)}
			ctx.left.Store(int64(k))
			m, err := fit(ctx)
			now := "finished"
			switch {
			case err != nil:
				if now = "error"; !errors.Is(err, context.Canceled) {
					t.Fatal(err)
				}
			case m.Status() == irls.Cancelled:
				now = "cancelled"
				if _, err := stored(m); err != nil || !(m.Scale()[0] > 0) {
					t.Fatalf("%s: look %d: no whole model: %v", name, k, err)
				}
			}
			if now == "error" && before != now {
				t.Errorf("%s: look %d: an error after a model", name, k)
			}
			seen[now]++
			before = now
		}
		if seen["error"] == 0 || name != "elm" && seen["cancelled"] == 0 {
			t.Errorf("%s: %v", name, seen)
		}
	}
}

// A table with rows repeated is the same as one with weights.
func TestWeightsRepeatRows(t *testing.T) {
	x, y := wave(150, 4)
	for i := range 15 {
		y.Set(i*9, 0, 20)
	}
	w := make([]float64, 150)
	var rows []int
	for i := range w {
		if w[i] = 1; i%5 == 0 {
			w[i] = 3
		} else if i%7 == 0 {
			w[i] = 0
		}
		for range int(w[i]) {
			rows = append(rows, i)
		}
	}
	z, v := mat.NewDense(len(rows), 2, nil), mat.NewDense(len(rows), 1, nil)
	for k, i := range rows {
		z.SetRow(k, x.RawRowView(i))
		v.Set(k, 0, y.At(i, 0))
	}
	for name, o := range map[string]elm.Options{"all open": {Tol: 1e-12}, "few nodes": {Hidden: 15, Tol: 1e-12}, "penalty": {Hidden: 15, Lambda: 0.01, Tol: 1e-12}} {
		b, err := elm.RCC{Options: o}.Fit(context.Background(), linalg.FromDense(z), v)
		if err != nil {
			t.Fatal(err)
		}
		o.Weights = w
		a, err := elm.RCC{Options: o}.Fit(context.Background(), linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(err)
		}
		p, _ := a.Predict(context.Background(), x)
		q, _ := b.Predict(context.Background(), x)
		q.Sub(q, p)
		nodes, others := a.OutputWeights().RawMatrix().Rows, b.OutputWeights().RawMatrix().Rows
		if off := math.Sqrt(meanSquareOf(q)); nodes != others || off > 1e-4 || math.Abs(a.Scale()[0]/b.Scale()[0]-1) > 1e-4 || math.Abs(a.ResidualCutoff()/b.ResidualCutoff()-1) > 1e-4 || math.Abs(a.Lambda()/b.Lambda()-1) > 1e-6 {
			t.Errorf("%s: %d and %d nodes, predictions off by %g, scales %g and %g, penalties %g and %g, cut-offs %g and %g", name, nodes, others, off, a.Scale()[0], b.Scale()[0], a.Lambda(), b.Lambda(), a.ResidualCutoff(), b.ResidualCutoff())
		}
	}
}

// The unit of the targets changes nothing, however absurd: outputs follow it, weights stay,
// also of a model that was kept.
func TestAbsurdUnits(t *testing.T) {
	draw := rand.New(rand.NewPCG(4, 4))
	x, y := mat.NewDense(50, 1, nil), mat.NewDense(50, 1, nil)
	for i := range 50 {
		x.Set(i, 0, draw.NormFloat64())
		y.Set(i, 0, math.Sin(x.At(i, 0))+0.05*draw.NormFloat64())
		if i%10 == 3 {
			y.Set(i, 0, 20)
		}
	}
	var want *mat.Dense
	var weights []float64
	for _, exponent := range []int{0, 380, 500, 530, 1000, -380, -500, -530, -1000} {
		var scaled mat.Dense
		scaled.Scale(math.Ldexp(1, exponent), y)
		m, err := elm.Robust{Options: elm.Options{Hidden: 8, Lambda: 1e-3}}.Fit(context.Background(), linalg.FromDense(x), &scaled)
		if err != nil {
			t.Fatalf("2^%d: %v", exponent, err)
		}
		back, err := stored(m)
		if err != nil {
			t.Fatal(err)
		}
		got, err := back.Predict(context.Background(), x)
		if err != nil {
			t.Fatal(err)
		}
		got.Scale(math.Ldexp(1, -exponent), got)
		judged, err := back.Judge(context.Background(), x, &scaled)
		if err != nil {
			t.Fatal(err)
		}
		w := judged.Weight
		if want == nil {
			want, weights = got, w
		}
		for i, v := range w {
			if math.Abs(v-weights[i]) > 1e-6 || math.Abs(got.At(i, 0)-want.At(i, 0)) > 1e-6 {
				t.Errorf("2^%d: row %d has output %g and weight %g, not %g and %g", exponent, i+1, got.At(i, 0), v, want.At(i, 0), weights[i])
				break
			}
		}
	}
}
