package elm

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// sinc makes the kmpe paper's section IV-A: y = 8 sinc(x) + noise, a tenth of the rows
// with Gaussian noise of variance 9, the rest uniform in [-1, 1] or sin(uniform angle).
func sinc(n int, wave bool, seed uint64) (x, t *mat.Dense) {
	random := rand.New(rand.NewPCG(seed, 5))
	x, t = mat.NewDense(n, 1, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		v := 20*random.Float64() - 10
		noise := 2*random.Float64() - 1
		if wave {
			noise = math.Sin(2 * math.Pi * random.Float64())
		}
		if random.Float64() < 0.1 {
			noise = 3 * random.NormFloat64()
		}
		x.Set(i, 0, v)
		t.Set(i, 0, 8*math.Sin(v)/v+noise)
	}
	return x, t
}

func must(t testing.TB, m *elm.Model, err error) *elm.Model {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func column(m *mat.Dense) []float64 { return mat.Col(nil, 0, m) }

// The functions below are the textbook: plain loops, math.Exp, gonum's own QR of the
// whole matrix, written apart from the package and sharing nothing with it.

func textbookLayer(x *mat.Dense, l *elm.Layer) *mat.Dense {
	n, d := x.Dims()
	nodes, _ := l.Weights.Dims()
	h := mat.NewDense(n, nodes, nil)
	for i := range n {
		for j := range nodes {
			z, distance := l.Bias[j], 0.0
			for k := range d {
				z += x.At(i, k) * l.Weights.At(j, k)
				distance += (x.At(i, k) - l.Weights.At(j, k)) * (x.At(i, k) - l.Weights.At(j, k))
			}
			switch l.Activation {
			case elm.Sigmoid:
				z = 1 / (1 + math.Exp(-z))
			case elm.Tanh:
				z = (math.Exp(z) - math.Exp(-z)) / (math.Exp(z) + math.Exp(-z))
			case elm.ReLU:
				z = max(z, 0)
			case elm.Sine:
				z = math.Sin(z)
			case elm.Gaussian:
				z = math.Exp(-l.Bias[j] * distance)
			}
			h.Set(i, j, z)
		}
	}
	return h
}

// textbookRidge solves [sqrt(w)H; sqrt(lambda)I] beta = [sqrt(w)t; 0] by QR.
func textbookRidge(h *mat.Dense, t, w []float64, lambda float64) []float64 {
	n, l := h.Dims()
	a, b := mat.NewDense(n+l, l, nil), mat.NewVecDense(n+l, nil)
	for i := range n {
		root := 1.0
		if w != nil {
			root = math.Sqrt(w[i])
		}
		for j := range l {
			a.Set(i, j, root*h.At(i, j))
		}
		b.SetVec(i, root*t[i])
	}
	for j := range l {
		a.Set(n+j, j, math.Sqrt(lambda))
	}
	var qr mat.QR
	qr.Factorize(a)
	var x mat.VecDense
	if err := qr.SolveVecTo(&x, false, b); err != nil {
		if _, only := err.(mat.Condition); !only {
			panic(err)
		}
	}
	return mat.Col(nil, 0, &x)
}

// textbookKMPE is Algorithm 1 with a damped step: beta <- beta + part (new - beta).
// It returns the end and the lowest objective (22) of all steps.
func textbookKMPE(h *mat.Dense, t []float64, p, sigma, lambda float64, beta []float64, part float64, steps int) (end []float64, objective, best float64) {
	n, l := h.Dims()
	beta = append([]float64(nil), beta...)
	e, w := make([]float64, n), make([]float64, n)
	best = math.Inf(1)
	for step := 0; ; step++ {
		objective = 0
		for i := range n {
			e[i] = t[i]
			for j := range l {
				e[i] -= h.At(i, j) * beta[j]
			}
			g := math.Exp(-e[i] * e[i] / (2 * sigma * sigma))
			w[i] = math.Pow(max(1-g, 1e-12), (p-2)/2) * g
			objective += math.Pow(1-g, p/2) / float64(n)
		}
		for _, b := range beta {
			objective += p * lambda / (4 * sigma * sigma * float64(n)) * b * b
		}
		best = min(best, objective)
		if step == steps {
			return beta, objective, best
		}
		next := textbookRidge(h, t, w, lambda)
		for j := range beta {
			beta[j] += part * (next[j] - beta[j])
		}
	}
}

// apart is the largest difference of predictions H a and H b, relative to the largest
// prediction: output weights of nodes that nearly repeat one another are not unique to
// rounding, what they predict is.
func apart(h *mat.Dense, a, b []float64) float64 {
	n, l := h.Dims()
	var most, size float64
	for i := range n {
		var u, v float64
		for j := range l {
			u += h.At(i, j) * a[j]
			v += h.At(i, j) * b[j]
		}
		most, size = max(most, math.Abs(u-v)), max(size, math.Abs(v))
	}
	return most / size
}

func TestLayersAreTheFormulas(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	x := mat.NewDense(301, 4, nil)
	x.Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() }, x)
	for _, a := range elm.Activations {
		l := elm.RandomLayer(37, 4, a, elm.Range{-1, 1}, elm.Range{0, 1}, 3)
		got, err := l.Outputs(x)
		if err != nil {
			t.Fatal(err)
		}
		if want := textbookLayer(x, l); !mat.EqualApprox(got, want, 1e-13) {
			t.Errorf("%s differs from its formula", a)
		}
	}
}

func TestMethodsEqualTheTextbook(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name      string
		n, hidden int
		lambda    float64
	}{{"tall", 200, 25, 1e-3}, {"tall with a tiny penalty", 200, 40, 1e-7}, {"wide", 60, 90, 1e-4}} {
		x, y := sinc(c.n, false, 7)
		src := linalg.FromDense(x)
		o := elm.Options{Layer: elm.RandomLayer(c.hidden, 1, elm.Sigmoid, elm.Range{-1, 1}, elm.Range{0, 1}, 11), Lambda: c.lambda, Tol: 1e-14, MaxSteps: 1000}
		h := textbookLayer(x, o.Layer)
		ridge := textbookRidge(h, column(y), nil, c.lambda)
		m, err := elm.Ridge{o}.Fit(ctx, src, y)
		if d := apart(h, column(must(t, m, err).OutputWeights()), ridge); d > 1e-9 {
			t.Errorf("%s: relm is %.2g off", c.name, d)
		}
		// step by step, from the paper's start and from ours
		for _, p := range []float64{2, 1.6, 1} {
			const sigma, steps = 1.5, 12
			for start, from := range map[elm.Start][]float64{elm.StartZero: make([]float64, c.hidden), elm.StartRidge: ridge} {
				want, objective, _ := textbookKMPE(h, column(y), p, sigma, c.lambda, from, 1, steps)
				letter := o
				letter.Start, letter.Plain, letter.MaxSteps, letter.Tol = start, true, steps, 1e-300
				k, err := elm.KMPE{Options: letter, P: p, Sigma: loss.FixedAt(sigma)}.Fit(ctx, src, y)
				if d := apart(h, column(must(t, k, err).OutputWeights()), want); d > 1e-9 {
					t.Errorf("%s: p=%g from %s is %.2g off after %d steps", c.name, p, start, d, len(k.Steps())-1)
				}
				if last := k.Steps()[len(k.Steps())-1]; math.Abs(last.Objective-objective) > 1e-6*objective || last.Number != steps {
					t.Errorf("%s: p=%g from %s: objective %.12g after %d steps, the textbook's %.12g", c.name, p, start, last.Objective, last.Number, objective)
				}
			}
		}
		// to the end
		want, objective, _ := textbookKMPE(h, column(y), 2, 1.5, c.lambda, ridge, 1, 300)
		for name, fit := range map[string]func() (*elm.Model, error){
			"elm-kmpe": func() (*elm.Model, error) {
				return elm.KMPE{Options: o, P: 2, Sigma: loss.FixedAt(1.5)}.Fit(ctx, src, y)
			},
			"elm-rcc": func() (*elm.Model, error) { return elm.RCC{Options: o, Sigma: loss.FixedAt(1.5)}.Fit(ctx, src, y) },
			"elm-robust": func() (*elm.Model, error) {
				return elm.Robust{Options: o, Loss: elm.DefaultLoss.WithRule(loss.FixedAt(1.5))}.Fit(ctx, src, y)
			},
		} {
			m, err := fit()
			if d := apart(h, column(must(t, m, err).OutputWeights()), want); d > 1e-9 || m.Status() != irls.Converged {
				t.Errorf("%s: %s is %.2g off (%s)", c.name, name, d, m.Status())
			}
			if last := m.Steps()[len(m.Steps())-1].Objective; math.Abs(last-objective) > 1e-9*objective {
				t.Errorf("%s: %s ends at %.12g, the textbook at %.12g", c.name, name, last, objective)
			}
			falling(t, m)
		}
	}
}

// At p = 4 the paper's own iteration may cycle; ours must end at or below the best that
// the textbook meets on the way, damped and plain.
func TestPowerFourEndsLow(t *testing.T) {
	for seed := range uint64(3) {
		x, y := sinc(200, false, 100+seed)
		o := elm.Options{Layer: elm.RandomLayer(90, 1, elm.Sigmoid, elm.Range{-1, 1}, elm.Range{0, 1}, seed), Lambda: 2e-6}
		h := textbookLayer(x, o.Layer)
		start := textbookRidge(h, column(y), nil, o.Lambda)
		_, _, plain := textbookKMPE(h, column(y), 4, 0.8, o.Lambda, start, 1, 100)
		_, _, damped := textbookKMPE(h, column(y), 4, 0.8, o.Lambda, start, 1.0/3, 300)
		m, err := elm.KMPE{Options: o, P: 4, Sigma: loss.FixedAt(0.8)}.Fit(context.Background(), linalg.FromDense(x), y)
		must(t, m, err)
		got := m.Steps()[len(m.Steps())-1].Objective
		if got > min(plain, damped)*(1+1e-7) || m.Status() != irls.Converged {
			t.Errorf("seed %d: ours %.12g (%s, %d steps), textbook plain %.12g, damped %.12g", seed, got, m.Status(), len(m.Steps()), plain, damped)
		}
	}
}
