package classify

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
)

// shifted makes three classes in six columns, each shifted by two in a column of its own.
func shifted(n int, seed uint64) (*mat.Dense, []int) {
	draw := rand.New(rand.NewPCG(seed, 1))
	x, labels := mat.NewDense(n, 6, nil), make([]int, n)
	for i := range n {
		labels[i] = draw.IntN(3)
		for j := range 6 {
			x.Set(i, j, draw.NormFloat64())
		}
		x.Set(i, labels[i], x.At(i, labels[i])+2)
	}
	return x, labels
}

// Columns that never change have no say and make no number that cannot be stored.
func TestConstantColumns(t *testing.T) {
	x, labels := shifted(90, 2)
	for i := range 90 {
		x.Set(i, 4, 0)
		x.Set(i, 5, 7)
	}
	for _, clip := range []float64{math.Inf(1), -3} {
		m, err := Square{Options{Clip: clip}}.Fit(context.Background(), linalg.FromDense(x), labels, 3)
		if err != nil {
			t.Fatal(err)
		}
		s := m.parts.Scaling
		for j := range 6 {
			if math.IsInf(s.Scale[j], 0) {
				t.Errorf("column %d has scale %g", j+1, s.Scale[j])
			}
		}
		other := mat.DenseCopyOf(x)
		for i := range 90 {
			other.Set(i, 5, 1e6)
		}
		a, _ := m.Scores(context.Background(), x)
		b, _ := m.Scores(context.Background(), other)
		if s.Constant() != 2 || !mat.Equal(a, b) {
			t.Errorf("clip %g: %d constant columns, or they have a say", clip, s.Constant())
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
	x, labels := shifted(30, 3)
	for name, fit := range map[string]func(ctx context.Context) (*Model, error){
		"square": func(ctx context.Context) (*Model, error) {
			return Square{Options{}}.Fit(ctx, linalg.FromDense(x), labels, 3)
		},
		"hinge": func(ctx context.Context) (*Model, error) {
			return Hinge{Options: Options{}}.Fit(ctx, linalg.FromDense(x), labels, 3)
		},
		"logistic": func(ctx context.Context) (*Model, error) {
			return Logistic{Options: Options{}}.Fit(ctx, linalg.FromDense(x), labels, 3)
		},
		"regmaxcem": func(ctx context.Context) (*Model, error) {
			return RegMaxCEM{Options: Options{}}.Fit(ctx, linalg.FromDense(x), labels, 3)
		},
		"paper": func(ctx context.Context) (*Model, error) {
			return RegMaxCEM{Options: Options{MaxSteps: 10}, Variant: AsPrinted}.Fit(ctx, linalg.FromDense(x), labels, 3)
		},
		"cv": func(ctx context.Context) (*Model, error) {
			return RegMaxCEM{Options: Options{MaxSteps: 2, Calibration: NoCalibration}, Anneal: 1, Rule: SigmaByFolds}.Fit(ctx, linalg.FromDense(x), labels, 3)
		},
	} {
		before, seen := "error", map[string]int{}
		for k := 0; before != "finished"; k += 1 + k/30 {
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
				back, err := fromParts(m.parts)
				if err != nil || back.Status() != irls.Cancelled {
					t.Fatalf("%s: look %d: no whole model: %v", name, k, err)
				}
				if _, err := m.Judge(context.Background(), x, labels); err != nil {
					t.Fatal(err)
				}
			case m.Status() == irls.Unfinished:
				t.Fatalf("%s ends unfinished", name)
			}
			if now == "error" && before != now {
				t.Errorf("%s: look %d: an error after a model", name, k)
			}
			seen[now]++
			before = now
		}
		if seen["error"] == 0 || seen["cancelled"] == 0 && name != "logistic" {
			t.Errorf("%s: %v", name, seen)
		}
	}
}

// A table with rows repeated is the same as one with weights: scores, probabilities and
// cut-offs.
func TestWeightsRepeatRows(t *testing.T) {
	x, labels := shifted(90, 4)
	w := make([]float64, 90)
	var rows []int
	for i := range w {
		w[i] = float64((i / 2) % 3)
		for range int(w[i]) {
			rows = append(rows, i)
		}
	}
	z, same := mat.NewDense(len(rows), 6, nil), make([]int, len(rows))
	for k, i := range rows {
		z.SetRow(k, x.RawRowView(i))
		same[k] = labels[i]
	}
	for name, fit := range map[string]func(o Options, x *mat.Dense, labels []int) (*Model, error){
		"square": func(o Options, x *mat.Dense, labels []int) (*Model, error) {
			return Square{o}.Fit(context.Background(), linalg.FromDense(x), labels, 3)
		},
		"logistic": func(o Options, x *mat.Dense, labels []int) (*Model, error) {
			return Logistic{Options: o}.Fit(context.Background(), linalg.FromDense(x), labels, 3)
		},
		"hinge": func(o Options, x *mat.Dense, labels []int) (*Model, error) {
			return Hinge{Options: o}.Fit(context.Background(), linalg.FromDense(x), labels, 3)
		},
		"regmaxcem": func(o Options, x *mat.Dense, labels []int) (*Model, error) {
			return RegMaxCEM{Options: o}.Fit(context.Background(), linalg.FromDense(x), labels, 3)
		},
		"rbf": func(o Options, x *mat.Dense, labels []int) (*Model, error) {
			o.Kernel.Kind = kernel.RBF
			return RegMaxCEM{Options: o}.Fit(context.Background(), linalg.FromDense(x), labels, 3)
		},
	} {
		o := Options{Tol: 1e-10, Clip: -3}
		b, err := fit(o, z, same)
		if err != nil {
			t.Fatal(err)
		}
		o.Weights = w
		a, err := fit(o, x, labels)
		if err != nil {
			t.Fatal(err)
		}
		p, _ := a.Predict(context.Background(), x)
		q, _ := b.Predict(context.Background(), x)
		var d mat.Dense
		d.Sub(p.Scores, q.Scores)
		scores := mat.Norm(&d, math.Inf(1))
		d.Sub(p.Probabilities, q.Probabilities)
		if off := mat.Norm(&d, math.Inf(1)); scores > 2e-3 || off > 2e-2 || math.Abs(a.parts.BestCutoff-b.parts.BestCutoff) > 1e-3 {
			t.Errorf("%s: scores off by %g, probabilities by %g, cut-offs %g and %g", name, scores, off, a.parts.BestCutoff, b.parts.BestCutoff)
		}
	}
}
