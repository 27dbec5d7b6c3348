package classify

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
)

// price is the mean loss that a machine minimises, from its definition.
func price(name string, f, y *mat.Dense, prior []float64) float64 {
	n, k := f.Dims()
	sum, total := 0.0, 0.0
	for i := range n {
		s, count := 0.0, 1.0
		for l := range k {
			m := y.At(i, l) * f.At(i, l)
			e := y.At(i, l) - f.At(i, l)
			switch name {
			case "square", "regmaxcem:two=1":
				s += e * e
			case "hinge:power=1":
				s += max(0, 1-m)
			case "logistic:multiclass=one-vs-all":
				s += math.Log(1 + math.Exp(-m))
			case "logistic:multiclass=joint", "regmaxcem:variant=joint": // log sum exp(f) less the label's
				if y.At(i, l) > 0 {
					for other := range k {
						s += math.Exp(f.At(i, other) - f.At(i, l))
					}
					s = math.Log(s)
				}
			case "regmaxcem", "hinge:power=2":
				s += max(0, 1-m) * max(0, 1-m)
			case "regmaxcem:variant=element":
				s += 1 - math.Exp(-e*e/(2*DefaultSigma*DefaultSigma))
				count = float64(k)
			}
		}
		if name == "regmaxcem:variant=joint" { // deviance
			s *= 2
		}
		if name == "regmaxcem" || name == "regmaxcem:two=1" || name == "regmaxcem:variant=joint" {
			s = 1 - math.Exp(-s/(2*DefaultSigma*DefaultSigma))
		}
		sum += prior[i] * s / count
		total += prior[i]
	}
	return sum / total
}

// At the end every directional derivative of the objective vanishes (for the hinge, whose
// objective has edges: none is negative), and the trace's last value is the objective.
func TestEndIsStationary(t *testing.T) {
	x, labels, _ := clouds(80, 3, 3, 1.2, 0.15, 2)
	prior := make([]float64, 80)
	for i := range prior {
		prior[i] = 0.5 + float64(i%4)
	}
	for _, kind := range []kernel.Kind{kernel.Linear, kernel.RBF} {
		for _, name := range []string{"square", "hinge:power=1", "hinge:power=2", "logistic:multiclass=one-vs-all", "logistic:multiclass=joint", "regmaxcem", "regmaxcem:two=1", "regmaxcem:variant=element", "regmaxcem:variant=joint"} {
			if kind == kernel.RBF && strings.HasSuffix(name, "=joint") {
				continue
			}
			o, _ := Options{Kernel: kernel.Kernel{Kind: kind, Gamma: map[kernel.Kind]float64{kernel.RBF: 0.2}[kind]}, Lambda: 0.03, Tol: 1e-13, MaxSteps: 20000}.filled()
			d, err := newDesign(t.Context(), o.scaling(x).Apply(x), o)
			if err != nil {
				t.Fatal(err)
			}
			task := newTask(d.a, labels, 3, prior, o)
			task.kernel = d.own
			out, err := studyMachine(name, o).train(context.Background(), task)
			if err != nil {
				t.Fatal(err)
			}
			if d.own { // the same in terms of features
				features, factor, err := task.spelled()
				if err != nil {
					t.Fatal(err)
				}
				d.a, task = features.a, features
				linalg.Mul(out.theta.Slice(0, 80, 0, 3).(*mat.Dense), factor.Lower().T(), out.theta.Slice(0, 80, 0, 3))
			}
			penalty := o.Lambda
			switch name {
			case "regmaxcem", "regmaxcem:two=1":
				penalty /= 2 * DefaultSigma * DefaultSigma
			case "regmaxcem:variant=joint":
				penalty /= DefaultSigma * DefaultSigma
			case "regmaxcem:variant=element":
				penalty /= 3 * 2 * DefaultSigma * DefaultSigma
			}
			y := task.targets()
			objective := func(theta *mat.Dense) float64 {
				var f mat.Dense
				f.Mul(d.a, theta)
				return price(name, &f, y, prior) + penalty*task.squaredNorm(theta, &f)
			}
			last := out.steps[len(out.steps)-1].Objective
			if got := objective(out.theta); math.Abs(got-last) > 1e-10*last {
				t.Errorf("%s %s: objective %v, the trace ends with %v", kind, name, got, last)
			}
			p, k := out.theta.Dims()
			const h = 1e-5
			worst := 0.0
			for j := range p {
				for l := range k {
					at := func(step float64) float64 {
						moved := mat.DenseCopyOf(out.theta)
						moved.Set(j, l, moved.At(j, l)+step)
						return objective(moved)
					}
					up, down := (at(h)-last)/h, (at(-h)-last)/h
					if name == "hinge:power=1" {
						worst = max(worst, -up-2*h, -down-2*h)
						continue
					}
					worst = max(worst, math.Abs(up-down)/2)
				}
			}
			if !(worst <= 2e-7) && name != "hinge:power=1" || !(worst <= 1e-5) {
				t.Errorf("%s %s: slope %g at the end (%v after %d steps)", kind, name, worst, out.status, len(out.steps)-1)
			}
		}
	}
}

// Within a stage the objective never rises, over many draws, sizes and bandwidths; the
// printed formula does rise in some of them.
func TestCorrectedDescendsPrintedMayNot(t *testing.T) {
	rises := func(name string) (n, stages int) {
		for seed := range uint64(4) {
			x, labels, _ := clouds(60, 2+int(seed%3), 2+int(seed%3), 1, 0.2, seed)
			for _, lambda := range []float64{1e-3, 0.3} {
				o := Options{Lambda: lambda, Tol: 1e-10, Calibration: NoCalibration}
				if seed%2 == 1 {
					o.Kernel.Kind = kernel.RBF
				}
				m := mustFit(t, studyMachine(name, o), x, labels, 2+int(seed%3))
				steps := m.parts.Steps
				for i := 1; i < len(steps); i++ {
					if steps[i].Stage != steps[i-1].Stage {
						stages++
					} else if steps[i].Objective > steps[i-1].Objective*(1+1e-10) {
						n++
					}
				}
			}
		}
		return n, stages
	}
	for _, name := range []string{"regmaxcem", "regmaxcem:sigma=0.5", "regmaxcem:two=1", "regmaxcem:variant=element", "regmaxcem:variant=element;sigma=0.6"} {
		n, stages := rises(name)
		if n > 0 {
			t.Errorf("%s: the objective rose %d times", name, n)
		}
		if stages == 0 {
			t.Errorf("%s: no run was annealed", name)
		}
	}
	if n, _ := rises("regmaxcem:variant=paper;sigma=0.6;anneal=1"); n == 0 {
		t.Error("the printed formula never let the objective rise: the test shows nothing")
	}
}

// A wide bandwidth makes the two-sided machine least squares with the same penalty; the usual ones differ.
func TestWideBandwidthIsSquare(t *testing.T) {
	x, labels, _ := clouds(90, 4, 3, 1.5, 0.2, 4)
	for _, o := range []Options{{}, rbf(0.2)} {
		o.Calibration, o.Lambda = NoCalibration, 1.0/180
		want := mustScore(t, mustFit(t, Square{o}, x, labels, 3), x)
		for _, name := range []string{"regmaxcem:two=1;sigma=1e5", "regmaxcem:variant=element;sigma=1e5"} {
			if d := apart(want, mustScore(t, mustFit(t, studyMachine(name, o), x, labels, 3), x)); !(d < 1e-8) {
				t.Errorf("%s differs from least squares by %g", name, d)
			}
		}
	}
}

// Landmarks at all rows make Nystrom exact; many random features come near.
func TestApproximations(t *testing.T) {
	x, labels, _ := clouds(120, 3, 3, 1.5, 0.1, 6)
	for _, m := range []string{"square", "hinge", "logistic", "regmaxcem"} {
		o := rbf(0.15)
		o.Calibration, o.Lambda, o.Tol = NoCalibration, 0.02, 1e-9
		o.Approximation = Exact
		want := mustScore(t, mustFit(t, studyMachine(m, o), x, labels, 3), x)
		o.Approximation, o.Features = Nystrom, 120
		near := mustScore(t, mustFit(t, studyMachine(m, o), x, labels, 3), x)
		if d := apart(want, near); !(d < 1e-5) {
			t.Errorf("%s: Nystrom with every row differs by %g", m, d)
		}
		o.Approximation, o.Features = Fourier, 6000
		if d := apart(want, mustScore(t, mustFit(t, studyMachine(m, o), x, labels, 3), x)); !(d < 0.25) {
			t.Errorf("%s: 6000 random features differ by %g", m, d)
		}
	}
	o, _ := rbf(0).filled()
	many, _, _ := clouds(ExactRows+1, 2, 2, 1, 0, 1)
	o.Features = 20
	d, err := newDesign(t.Context(), many, o)
	if err != nil || d.approximation != Nystrom {
		t.Fatalf("%d rows: %v, error %v", ExactRows+1, d.approximation, err)
	}
	if _, columns := d.a.Dims(); columns > 21 {
		t.Errorf("%d features instead of 20", columns-1)
	}
}

// A table has a fifth as many features as rows, within bounds, and fewer where memory has no room.
func TestFeaturesOfManyRows(t *testing.T) {
	defer func(before func() int64) { freeMemory = before }(freeMemory)
	for _, c := range []struct {
		rows, want int
		free       int64
	}{{100, 500, 1 << 40}, {4000, 800, 1 << 40}, {12000, 2000, 1 << 40}, {100000, 2000, 1 << 40}, {100000, 1000, 1e9}, {100000, 500, 1e6}} {
		freeMemory = func() int64 { return c.free }
		if got := featuresOf(c.rows, c.rows); got != c.want {
			t.Errorf("%d rows, %d bytes free: %d features, want %d", c.rows, c.free, got, c.want)
		}
	}
}

// More columns than rows: the same scores as an RBF-free machine on a basis of the rows,
// here checked against the dual solution of ridge regression by LU.
func TestWideTable(t *testing.T) {
	x, labels, _ := clouds(30, 90, 3, 1, 0, 21)
	o := Options{Scaling: ScaleNone, Clip: math.Inf(1), Lambda: 0.3, Calibration: NoCalibration, Tol: 1e-10}
	model := mustFit(t, Square{o}, x, labels, 3)
	if _, c := model.parts.Coef.Dims(); c != 90 {
		t.Fatalf("%d coefficients for 90 columns", c)
	}
	// [K + lambda n I, 1; 1', 0] [alpha; b] = [y; 0]
	var gram mat.Dense
	gram.Mul(x, x.T())
	normal, right := mat.NewDense(31, 31, nil), mat.NewDense(31, 3, nil)
	for i := range 30 {
		for j := range 30 {
			normal.Set(i, j, gram.At(i, j))
		}
		normal.Set(i, i, gram.At(i, i)+0.3*30)
		normal.Set(i, 30, 1)
		normal.Set(30, i, 1)
		for l := range 3 {
			right.Set(i, l, -1)
		}
		right.Set(i, labels[i], 1)
	}
	var solution, want mat.Dense
	if err := solution.Solve(normal, right); err != nil {
		t.Fatal(err)
	}
	want.Mul(&gram, solution.Slice(0, 30, 0, 3))
	for i := range 30 {
		for l := range 3 {
			want.Set(i, l, want.At(i, l)+solution.At(30, l))
		}
	}
	if d := apart(mustScore(t, model, x), &want); !(d < 1e-9) {
		t.Errorf("scores differ by %g", d)
	}
	for _, m := range every(o) {
		fitted := mustFit(t, m, x, labels, 3)
		p, err := fitted.Predict(context.Background(), x)
		if err != nil {
			t.Fatal(err)
		}
		for i, l := range p.Labels {
			if l != labels[i] {
				t.Errorf("%s: row %d of a separable set has label %d, want %d", m.name(), i, l, labels[i])
			}
		}
	}
}

// A whole weight acts like repeating the row, weight zero like leaving it out.
func TestWeightsAreRepetitions(t *testing.T) {
	x, labels, _ := clouds(60, 3, 3, 1.2, 0.15, 8)
	weights := make([]float64, 60)
	var rows []int
	for i := range weights {
		weights[i] = float64(i % 3)
		for range i % 3 {
			rows = append(rows, i)
		}
	}
	repeated, again := mat.NewDense(len(rows), 3, nil), make([]int, len(rows))
	for at, i := range rows {
		repeated.SetRow(at, x.RawRowView(i))
		again[at] = labels[i]
	}
	for _, kind := range []kernel.Kind{kernel.Linear, kernel.RBF} {
		for _, classWeights := range []ClassWeights{Equal, Balanced} {
			o := Options{Lambda: 0.05, Tol: 1e-12, MaxSteps: 50000, Calibration: NoCalibration, ClassWeights: classWeights}
			if kind == kernel.RBF {
				o.Kernel = kernel.Kernel{Kind: kind, Gamma: 0.2}
			}
			for _, m := range every(o) {
				want := mustScore(t, mustFit(t, m, repeated, again, 3), x)
				o := o
				o.Weights = weights
				var weighted machine
				for at, other := range every(o) {
					if every(Options{})[at].name() == m.name() && same(m, every(o)[at]) {
						weighted = other
					}
				}
				if d := apart(want, mustScore(t, mustFit(t, weighted, x, labels, 3), x)); !(d < 1e-5) {
					t.Errorf("%s %s %s: weights and repeated rows differ by %g", kind, classWeights, m.name(), d)
				}
			}
		}
	}
}

// same tells whether two machines differ in their options alone.
func same(a, b machine) bool {
	x, ok := a.(RegMaxCEM)
	y, also := b.(RegMaxCEM)
	if !ok || !also {
		return a.name() == b.name()
	}
	return x.Variant == y.Variant && x.TwoSided == y.TwoSided
}

// Results do not depend on the number of workers, also where gradients solve.
func TestWorkers(t *testing.T) {
	defer linalg.SetThreads(0)
	x, labels, _ := clouds(220, 4, 3, 1.5, 0.2, 9)
	o := rbf(0.1)
	for _, m := range every(o) {
		linalg.SetThreads(1)
		one := mustFit(t, m, x, labels, 3)
		linalg.SetThreads(5)
		five := mustFit(t, m, x, labels, 3)
		if !mat.Equal(one.parts.Coef, five.parts.Coef) {
			t.Errorf("%s: another number of workers gave other coefficients", m.name())
		}
		a, b := mustScore(t, one, x), mustScore(t, five, x)
		if !mat.Equal(a, b) {
			t.Errorf("%s: scores differ", m.name())
		}
	}
}

// Scaling and moving columns changes nothing, also by large factors.
func TestUnitsDoNotMatter(t *testing.T) {
	x, labels, _ := clouds(80, 3, 3, 1.2, 0.1, 10)
	moved := mat.DenseCopyOf(x)
	for i := range 80 {
		moved.Set(i, 0, 1e6*x.At(i, 0)+1e8)
		moved.Set(i, 1, -1e-5*x.At(i, 1))
	}
	for _, scale := range []Scaling{ScaleStandard, ScaleRobust} {
		o := Options{Scaling: scale, Clip: 3, Calibration: NoCalibration, Tol: 1e-9}
		for _, m := range every(o) {
			if d := apart(mustScore(t, mustFit(t, m, x, labels, 3), x), mustScore(t, mustFit(t, m, moved, labels, 3), moved)); !(d < 1e-4) {
				t.Errorf("%s, scale %s: other units change scores by %g", m.name(), scale, d)
			}
		}
	}
}

// A cancelled fit says so or returns what it has.
func TestCancel(t *testing.T) {
	x, labels, _ := clouds(80, 3, 3, 1.2, 0.1, 10)
	ctx, cancel := context.WithCancel(context.Background())
	o := Options{Calibration: NoCalibration, Tol: 1e-15, OnStep: func(s irls.Step) {
		if s.Number == 2 {
			cancel()
		}
	}}
	m, err := fit(ctx, studyMachine("regmaxcem", o), x, labels, 3)
	if err != nil || m.parts.Status != irls.Cancelled {
		t.Fatalf("%v", err)
	}
	if _, err := fit(ctx, Square{}, x, labels, 3); err == nil {
		t.Error("a cancelled context was accepted")
	}
}

// The table of features ends with its context.
func TestFeaturesEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o := Options{Kernel: kernel.Kernel{Kind: kernel.RBF, Gamma: 1}, Approximation: Fourier, Features: 4}
	if _, err := newDesign(ctx, mat.NewDense(9, 2, nil), o); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
