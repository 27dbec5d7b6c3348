package elm

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
	"gonum.org/v1/gonum/mat"
)

// data makes n rows of d inputs and k smooth outputs with noise and a few wild targets.
func data(n, d, k int, seed uint64) (x, t *mat.Dense) {
	random := rand.New(rand.NewPCG(seed, 3))
	x, t = mat.NewDense(n, d, nil), mat.NewDense(n, k, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, random.NormFloat64())
		}
		for c := range k {
			v := math.Sin(x.At(i, 0)+float64(c)) + 0.1*random.NormFloat64()
			if random.Float64() < 0.1 {
				v += 5
			}
			t.Set(i, c, v)
		}
	}
	return x, t
}

func relative(a, b mat.Matrix) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return mat.Norm(&d, 2) / mat.Norm(b, 2)
}

// The settings of Table I. Every run converges, also with p above 2, where the paper's
// plain iteration mostly cycles, and no objective ends above an earlier one.
func TestSincConverges(t *testing.T) {
	draws := 30
	if os.Getenv("INLIER_CONFORMANCE") == "all" {
		draws = 200
	}
	for _, c := range []struct {
		name     string
		wave     bool
		hidden   int
		lambda   float64
		sigma, p float64
	}{{"uniform", false, 90, 2e-6, 0.8, 4}, {"sine wave", true, 25, 2.5e-6, 1.2, 3.4}} {
		var converged, cycling int
		for seed := range uint64(draws) {
			x, y := sinc(200, c.wave, seed)
			m := elm.KMPE{Options: elm.Options{Hidden: c.hidden, Lambda: c.lambda, Seed: seed}, P: c.p, Sigma: loss.FixedAt(c.sigma)}
			got, err := m.Fit(context.Background(), linalg.FromDense(x), y)
			must(t, got, err)
			falling(t, got)
			if got.Status() == irls.Converged {
				converged++
			}
			if seed < 10 {
				m.Plain, m.Start, m.MaxSteps = true, elm.StartZero, 100
				printed, err := m.Fit(context.Background(), linalg.FromDense(x), y)
				if must(t, printed, err).Status() != irls.Converged {
					cycling++
				}
			}
		}
		t.Logf("%s: %d of %d converged; as printed %d of 10 did not in 100 steps", c.name, converged, draws, cycling)
		if converged != draws {
			t.Errorf("%s: %d of %d runs converged", c.name, converged, draws)
		}
	}
}

// p < 2 with a tiny penalty: the objective keeps falling although the weights differ by
// many orders of magnitude.
func TestSmallPowersFall(t *testing.T) {
	for seed := range uint64(6) {
		x, y := data(150, 6, 1, seed)
		for _, hidden := range []int{60, 170} {
			m, err := elm.KMPE{Options: elm.Options{Hidden: hidden, Lambda: 1e-7, Seed: seed, MaxSteps: 100}, P: 1, Sigma: loss.FixedAt(1)}.Fit(context.Background(), linalg.FromDense(x), y)
			falling(t, must(t, m, err))
		}
	}
}

// With a huge bandwidth correntropy is least squares: the penalty is the same lambda'.
func TestWideBandwidthIsRidge(t *testing.T) {
	x, y := data(120, 3, 1, 1)
	o := elm.Options{Hidden: 30, Lambda: 0.01}
	ridge, err := elm.Ridge{o}.Fit(context.Background(), linalg.FromDense(x), y)
	must(t, ridge, err)
	for name, spec := range map[string]string{"welsch": "welsch:sigma=1e5", "huber": "huber:c=1e5", "tukey": "tukey:c=1e6", "square": "square"} {
		s, err := loss.Parse(spec)
		if err != nil {
			t.Fatal(err)
		}
		m, err := elm.Robust{Options: o, Loss: s}.Fit(context.Background(), linalg.FromDense(x), y)
		if d := relative(must(t, m, err).OutputWeights(), ridge.OutputWeights()); d > 1e-7 {
			t.Errorf("%s: %.2g off", name, d)
		}
	}
}

func TestIntegerWeightsAreRepeatedRows(t *testing.T) {
	x, y := data(80, 2, 2, 2)
	w := make([]float64, 80)
	var rows []int
	for i := range w {
		w[i] = float64(i % 3)
		for range i % 3 {
			rows = append(rows, i)
		}
	}
	layer := elm.RandomLayer(20, 2, elm.Tanh, elm.Range{-1, 1}, elm.Range{0, 1}, 1)
	for _, perRow := range []bool{false, true} {
		o := elm.Options{Layer: layer, Lambda: 0.01, PerRow: perRow}
		weighted, repeated := o, o
		weighted.Weights = w
		for name, fit := range map[string]func(o elm.Options, x, t *mat.Dense) (*elm.Model, error){
			"relm": func(o elm.Options, x, t *mat.Dense) (*elm.Model, error) {
				return elm.Ridge{o}.Fit(context.Background(), linalg.FromDense(x), t)
			},
			"elm-rcc": func(o elm.Options, x, t *mat.Dense) (*elm.Model, error) {
				return elm.RCC{Options: o, Sigma: loss.FixedAt(1)}.Fit(context.Background(), linalg.FromDense(x), t)
			},
		} {
			a, err := fit(weighted, x, y)
			must(t, a, err)
			b, err := fit(repeated, pick(x, rows), pick(y, rows))
			must(t, b, err)
			if d := relative(a.OutputWeights(), b.OutputWeights()); d > 1e-7 {
				t.Errorf("%s, per row %v: %.2g off", name, perRow, d)
			}
			if u, v := a.Steps(), b.Steps(); math.Abs(u[len(u)-1].Objective-v[len(v)-1].Objective) > 1e-9 {
				t.Errorf("%s: objectives %g and %g", name, u[len(u)-1].Objective, v[len(v)-1].Objective)
			}
		}
	}
}

// Targets in other units, with sigma in the same units, give the same machine.
func TestUnitsOfTheTarget(t *testing.T) {
	x, y := data(100, 2, 1, 3)
	var scaled mat.Dense
	scaled.Scale(1e4, y)
	for _, sigma := range []loss.Rule{loss.FixedAt(0.5), {Kind: loss.Auto}} {
		o := elm.Options{Hidden: 20, Seed: 1}
		a, err := elm.KMPE{Options: o, P: 2, Sigma: sigma}.Fit(context.Background(), linalg.FromDense(x), y)
		must(t, a, err)
		if sigma.Kind == loss.Fixed {
			sigma.Value *= 1e4
		}
		b, err := elm.KMPE{Options: o, P: 2, Sigma: sigma}.Fit(context.Background(), linalg.FromDense(x), &scaled)
		must(t, b, err)
		var back mat.Dense
		back.Scale(1e-4, b.OutputWeights())
		if d := relative(&back, a.OutputWeights()); d > 1e-6 {
			t.Errorf("sigma %v: %.2g off", sigma, d)
		}
	}
}

// With one weight per entry every output is a machine of its own.
func TestOutputsAreSeparate(t *testing.T) {
	x, y := data(100, 2, 3, 4)
	o := elm.Options{Hidden: 20, Lambda: 0.01, Seed: 1, Tol: 1e-12}
	all, err := elm.RCC{Options: o, Sigma: loss.FixedAt(1)}.Fit(context.Background(), linalg.FromDense(x), y)
	must(t, all, err)
	for c := range 3 {
		one, err := elm.RCC{Options: o, Sigma: loss.FixedAt(1)}.Fit(context.Background(), linalg.FromDense(x), mat.DenseCopyOf(y.Slice(0, 100, c, c+1)))
		if d := relative(all.OutputWeights().Slice(0, 20, c, c+1), must(t, one, err).OutputWeights()); d > 1e-8 {
			t.Errorf("output %d is %.2g off", c, d)
		}
	}
	o.PerRow = true
	rows, err := elm.RCC{Options: o, Sigma: loss.FixedAt(1)}.Fit(context.Background(), linalg.FromDense(x), y)
	if _, each := must(t, rows, err).EntryWeights().Dims(); each != 1 {
		t.Errorf("%d weights per row", each)
	}
	if d := relative(rows.OutputWeights(), all.OutputWeights()); d < 1e-3 {
		t.Errorf("weights per row and per entry give the same machine (%.2g)", d)
	}
}

func TestThreadsDoNotMatter(t *testing.T) {
	x, y := data(5000, 8, 1, 6)
	fit := func(threads int) *elm.Model {
		linalg.SetThreads(threads)
		defer linalg.SetThreads(0)
		m, err := elm.KMPE{Options: elm.Options{Hidden: 40, Seed: 1}, P: 2}.Fit(context.Background(), linalg.FromDense(x), y)
		return must(t, m, err)
	}
	a, b := fit(1), fit(4)
	if d := relative(a.OutputWeights(), b.OutputWeights()); d != 0 {
		t.Errorf("1 and 4 threads differ by %.2g", d)
	}
}

func TestOnlineIsTheWholeFit(t *testing.T) {
	x, y := data(500, 3, 2, 7)
	ridge := elm.Ridge{elm.Options{Hidden: 25, Lambda: 0.01, Seed: 9}}
	whole, err := ridge.Fit(context.Background(), linalg.FromDense(x), y)
	must(t, whole, err)
	o, err := ridge.Online(3, 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.Model(); err == nil {
		t.Error("a model of no rows")
	}
	for first := 0; first < 500; first += 130 {
		last := min(first+130, 500)
		part := mat.DenseCopyOf(x.Slice(first, last, 0, 3))
		targets := mat.DenseCopyOf(y.Slice(first, last, 0, 2))
		if err := o.PartialFit(context.Background(), linalg.FromDense(part), targets, nil); err != nil {
			t.Fatal(err)
		}
		part.Set(5, 1, math.NaN())
		var cell *refusal.CellError
		if err := o.PartialFit(context.Background(), linalg.FromDense(part), targets, nil); !errors.As(err, &cell) || cell.Row != 6 || cell.Column != 2 {
			t.Errorf("a piece with a missing value: %v", err)
		}
	}
	m, err := o.Model()
	if d := relative(must(t, m, err).OutputWeights(), whole.OutputWeights()); d > 1e-9 || o.Rows() != 500 || m.Rows() != 500 {
		t.Errorf("%.2g off after %d rows", d, o.Rows())
	}
}

// The pseudo-inverse interpolates when there are as many nodes as rows, with the output
// weights of least norm when there are more.
func TestPlainIsThePseudoInverse(t *testing.T) {
	x, y := data(30, 2, 1, 8)
	m, err := elm.Plain{elm.Options{Hidden: 60, Seed: 1}}.Fit(context.Background(), linalg.FromDense(x), y)
	must(t, m, err)
	p, err := m.Predict(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	if d := relative(p, y); d > 1e-8 || m.Lambda() != 0 {
		t.Errorf("training rows are %.2g off, lambda %g", d, m.Lambda())
	}
	h, err := m.Layer().Outputs(x)
	if err != nil {
		t.Fatal(err)
	}
	var svd mat.SVD
	svd.Factorize(h, mat.SVDThin)
	var want mat.Dense
	svd.SolveTo(&want, y, svd.Rank(1e-13))
	if got := mat.Norm(m.OutputWeights(), 2); got > mat.Norm(&want, 2)*(1+1e-6) {
		t.Errorf("norm %g, least norm %g", got, mat.Norm(&want, 2))
	}
}

// A robust machine with all defaults is not moved by wild targets, the square loss is.
func TestDefaultsWithstandWildTargets(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 9))
	x, y, truth := mat.NewDense(400, 1, nil), mat.NewDense(400, 1, nil), mat.NewDense(400, 1, nil)
	for i := range 400 {
		v := 6*random.Float64() - 3
		x.Set(i, 0, v)
		truth.Set(i, 0, math.Sin(v))
		y.Set(i, 0, math.Sin(v)+0.1*random.NormFloat64())
		if random.Float64() < 0.2 {
			y.Set(i, 0, 10)
		}
	}
	off := func(m *elm.Model, err error) float64 {
		p, err := must(t, m, err).Predict(context.Background(), x)
		if err != nil {
			t.Fatal(err)
		}
		return relative(p, truth)
	}
	square := off(elm.Ridge{}.Fit(context.Background(), linalg.FromDense(x), y))
	robust := off(elm.Robust{Loss: elm.DefaultLoss}.Fit(context.Background(), linalg.FromDense(x), y))
	if robust > 0.1 || square < 1 {
		t.Errorf("robust %.3f, square %.3f off", robust, square)
	}
}

func TestBadInput(t *testing.T) {
	x, y := data(20, 2, 1, 10)
	hole := mat.DenseCopyOf(x)
	hole.Set(3, 1, math.NaN())
	gap := mat.DenseCopyOf(y)
	gap.Set(7, 0, math.Inf(1))
	for name, c := range map[string]struct {
		o    elm.Options
		x, t *mat.Dense
	}{
		"missing input":     {elm.Options{}, hole, y},
		"infinite target":   {elm.Options{}, x, gap},
		"too few targets":   {elm.Options{}, x, y.Slice(0, 10, 0, 1).(*mat.Dense)},
		"no such function":  {elm.Options{Activation: "step"}, x, y},
		"no such start":     {elm.Options{Start: "middle"}, x, y},
		"negative weight":   {elm.Options{Weights: append([]float64{-1}, make([]float64, 19)...)}, x, y},
		"no weight":         {elm.Options{Weights: make([]float64, 20)}, x, y},
		"lambda":            {elm.Options{Lambda: math.NaN()}, x, y},
		"empty range":       {elm.Options{WeightRange: elm.Range{1, -1}}, x, y},
		"layer of 3 inputs": {elm.Options{Layer: elm.RandomLayer(5, 3, elm.ReLU, elm.Range{-1, 1}, elm.Range{0, 1}, 1)}, x, y},
	} {
		if _, err := (elm.Robust{Options: c.o, Loss: elm.DefaultLoss}).Fit(context.Background(), linalg.FromDense(c.x), c.t); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	var memory *refusal.MemoryError
	if _, err := (elm.Ridge{elm.Options{Hidden: 1 << 40}}).Fit(context.Background(), linalg.FromDense(x), y); !errors.As(err, &memory) {
		t.Errorf("a hidden layer of 2^40 nodes: %v", err)
	}
	big, targets := data(2000, 1, 1, 1)
	if _, err := (elm.Ridge{elm.Options{Hidden: 1000, Memory: 1 << 20}}).Fit(context.Background(), linalg.FromDense(big), targets); !errors.As(err, &memory) {
		t.Errorf("a megabyte for 1000 nodes: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := (elm.Ridge{}).Fit(ctx, linalg.FromDense(x), y); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
