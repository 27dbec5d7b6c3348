package classify

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/memory"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/score"
	"github.com/inlier-ml/inlier/verdict"
)

// Probabilities lie in [0, 1], sum to one, rank like the scores of one class do, and
// beat the guess that ignores the row.
func TestProbabilities(t *testing.T) {
	x, labels, _ := clouds(300, 4, 3, 1, 0, 11)
	fresh, truth, _ := clouds(300, 4, 3, 1, 0, 11)
	for _, calibration := range []Calibration{Folds, HoldOut} {
		for _, m := range every(Options{Calibration: calibration}) {
			model := mustFit(t, m, x, labels, 3)
			p, err := model.Predict(context.Background(), fresh)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 300 {
				sum := 0.0
				for _, v := range p.Probabilities.RawRowView(i) {
					if !(v >= 0 && v <= 1) {
						t.Fatalf("%s: probability %v", m.name(), v)
					}
					sum += v
				}
				if math.Abs(sum-1) > 1e-12 {
					t.Fatalf("%s: probabilities sum to %v", m.name(), sum)
				}
			}
			if v, err := score.LogLoss(truth, p.Probabilities); err != nil || !(v < 0.7*math.Log(3)) {
				t.Errorf("%s: log-loss %v, error %v; a blind guess has %v", m.name(), v, err, math.Log(3))
			}
		}
	}
	if m := mustFit(t, Square{Options{Calibration: NoCalibration}}, x, labels, 3); m.Probabilistic() {
		t.Error("probabilities without calibration")
	}
	if m := mustFit(t, Logistic{Options: Options{Calibration: NoCalibration}}, x, labels, 3); !m.Probabilistic() {
		t.Error("logistic has no probabilities")
	}
}

// Calibrated probabilities of a class mean what they say: among rows given about q the
// share of the class is about q.
func TestCalibrationIsHonest(t *testing.T) {
	x, labels, _ := clouds(1500, 2, 2, 0.6, 0, 12)
	for _, m := range every(Options{}) {
		p, err := mustFit(t, m, x, labels, 2).Predict(context.Background(), x)
		if err != nil {
			t.Fatal(err)
		}
		for bin := range 5 {
			count, hits, mean := 0.0, 0.0, 0.0
			for i, l := range labels {
				q := p.Probabilities.At(i, 1)
				if int(5*math.Min(q, 0.9999)) == bin {
					count++
					mean += q
					hits += float64(l)
				}
			}
			if count > 60 && math.Abs(hits-mean)/count > 0.12 {
				t.Errorf("%s: rows given %.2f are of the class in %.2f of %v cases", m.name(), mean/count, hits/count, count)
			}
		}
	}
}

// The report finds changed labels and names the right ones; honest rows are left alone.
func TestMislabelReport(t *testing.T) {
	x, labels, truth := clouds(300, 4, 3, 3, 0.15, 13)
	for _, o := range []Options{{}, rbf(0)} {
		model := mustFit(t, studyMachine("regmaxcem", o), x, labels, 3)
		v, err := model.Judge(context.Background(), x, labels)
		if err != nil {
			t.Fatal(err)
		}
		wrong, found, falsely := 0, 0, 0
		for i := range labels {
			doubtful := v.Kind[i] == verdict.DoubtfulLabel
			switch {
			case labels[i] != truth[i]:
				wrong++
				if doubtful && v.Label[i] == truth[i] {
					found++
				}
			case doubtful:
				falsely++
			}
			if doubtful != (doubtful && v.Residual[i] < 0) || !(v.Weight[i] >= 0 && v.Weight[i] <= 1) {
				t.Fatalf("row %d: margin %v, weight %v, %v", i, v.Residual[i], v.Weight[i], v.Kind[i])
			}
		}
		if wrong < 20 || float64(found) < 0.88*float64(wrong) || falsely > 3 {
			t.Errorf("%v: %d of %d wrong labels found, %d honest rows doubted", o.Kernel, found, wrong, falsely)
		}
		// Weights of training rows are what the fit ended with.
		for i, w := range model.Weights() {
			if math.Abs(w-v.Weight[i]) > 1e-6 {
				t.Fatalf("row %d has weight %v in the fit and %v in the report", i, w, v.Weight[i])
			}
		}
	}
	// Far out nobody claims a row of an RBF machine.
	model := mustFit(t, studyMachine("regmaxcem", rbf(0)), x, labels, 3)
	far, err := model.Judge(context.Background(), mat.NewDense(1, 4, []float64{100, -100, 100, -100}), nil)
	if err != nil || far.Kind[0] != verdict.FarFromAll || far.Count() != 1 {
		t.Errorf("a far row is %v, error %v", far.Kind, err)
	}
}

// Label noise hurts the correntropy machine less than least squares.
func TestOutliersInLabels(t *testing.T) {
	x, labels, truth := clouds(400, 5, 2, 1.5, 0, 14)
	for i := range labels { // two fifths of class 0 carry the other label
		if labels[i] == 0 && i%5 < 2 {
			labels[i] = 1
		}
	}
	accuracy := func(m machine) float64 {
		p, err := mustFit(t, m, x, labels, 2).Predict(context.Background(), x)
		if err != nil {
			t.Fatal(err)
		}
		a, err := score.Accuracy(truth, p.Labels)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	raw := Options{Calibration: NoCalibration}
	square, robust := accuracy(Square{raw}), accuracy(studyMachine("regmaxcem", raw))
	if robust < square+0.03 {
		t.Errorf("accuracy %v with correntropy, %v with least squares", robust, square)
	}
	// Probabilities know that labels of one class are often wrong, and labels follow them.
	for _, m := range every(Options{}) {
		if a := accuracy(m); a < 0.95 {
			t.Errorf("%s: accuracy %v", m.name(), a)
		}
	}
}

func TestPartsRestore(t *testing.T) {
	x, labels, _ := clouds(80, 3, 3, 1.5, 0.1, 15)
	fourier := rbf(0.2)
	fourier.Approximation, fourier.Features = Fourier, 51
	for _, o := range []Options{{Clip: 2}, rbf(0), fourier} {
		for _, m := range every(o) {
			a := mustFit(t, m, x, labels, 3)
			b, err := fromParts(a.parts)
			if err != nil {
				t.Fatal(err)
			}
			p, _ := a.Judge(context.Background(), x, labels)
			q, err := b.Judge(context.Background(), x, labels)
			if err != nil || fmt.Sprint(p) != fmt.Sprint(q) || a.bandwidth() != b.bandwidth() {
				t.Errorf("%s comes back different (error %v)", m.name(), err)
			}
		}
	}
	good := mustFit(t, Square{rbf(0)}, x, labels, 3).parts
	for name, spoil := range map[string]func(p *parts){
		"no coefficients": func(p *parts) { p.Coef = nil },
		"no support":      func(p *parts) { p.Support = nil },
		"intercepts":      func(p *parts) { p.Intercept = p.Intercept[:2] },
		"scaling":         func(p *parts) { p.Scaling.Scale = p.Scaling.Scale[:1] },
		"clipping":        func(p *parts) { p.Scaling.Low = p.Scaling.Scale[:1] },
		"kernel":          func(p *parts) { p.Kernel = "odd" },
		"loss":            func(p *parts) { p.Loss = "odd" },
		"sigmoids":        func(p *parts) { p.Sigmoids = make([]plattCurve, 1) },
		"probabilities":   func(p *parts) { rule := *p.Belief; rule.Shift = rule.Shift[:1]; p.Belief = &rule },
		"frequencies":     func(p *parts) { p.Support, p.Frequencies = nil, mat.NewDense(3, 2, nil) },
	} {
		p := good
		spoil(&p)
		if _, err := fromParts(p); err == nil {
			t.Errorf("parts with bad %s are accepted", name)
		}
	}
}

func TestClippingAndScaling(t *testing.T) {
	// One wild value in a column spoils least squares and does not spoil it clipped.
	x, labels, _ := clouds(200, 2, 2, 2, 0, 16)
	x.Set(0, 0, 1e4)
	x.Set(1, 0, 1e4)
	accuracy := func(clip float64, scale Scaling) float64 {
		p, err := mustFit(t, Square{Options{Clip: clip, Scaling: scale, Lambda: 1e-4}}, x, labels, 2).Predict(context.Background(), x)
		if err != nil {
			t.Fatal(err)
		}
		a, _ := score.Accuracy(labels, p.Labels)
		return a
	}
	if plain, clipped := accuracy(math.Inf(1), ScaleStandard), accuracy(-1, ScaleStandard); clipped < plain || clipped < 0.9 {
		t.Errorf("accuracy %v, clipped %v", plain, clipped)
	}
	for _, scale := range []Scaling{ScaleMinMax, ScaleNone, ScaleRobust} {
		if a := accuracy(3, scale); a < 0.9 {
			t.Errorf("scale %s: accuracy %v", scale, a)
		}
	}
}

func TestRefuses(t *testing.T) {
	x, labels, _ := clouds(40, 2, 2, 1, 0, 17)
	missing := mat.DenseCopyOf(x)
	missing.Set(4, 1, math.NaN())
	infinite := mat.DenseCopyOf(x)
	infinite.Set(2, 0, math.Inf(1))
	type call struct {
		m       machine
		x       *mat.Dense
		labels  []int
		classes int
	}
	for want, c := range map[string]call{
		"lambda=-1 must be":               {Square{Options{Lambda: -1}}, x, labels, 2},
		"one class only":                  {Square{}, x, make([]int, 40), 2},
		"labels run from 0 to 0":          {Square{}, x, labels, 1},
		"3 labels for 40":                 {Hinge{}, x, labels[:3], 2},
		"row 5, column 2 is missing":      {Logistic{}, missing, labels, 2},
		"row 3, column 1 is infinite":     {Logistic{}, infinite, labels, 2},
		"kernel=polynomial is not":        {Square{Options{Kernel: kernel.Kernel{Kind: kernel.Polynomial}}}, x, labels, 2},
		"gamma=-1":                        {Square{rbf(-1)}, x, labels, 2},
		"2 weights for 40":                {Square{Options{Weights: []float64{1, 2}}}, x, labels, 2},
		"rows of fewer than two classes":  {Square{Options{Weights: make([]float64, 40)}}, x, labels, 2},
		"weight -1 of row 1":              {Square{Options{Weights: append([]float64{-1}, make([]float64, 39)...)}}, x, labels, 2},
		"features=-3":                     {Square{Options{Features: -3}}, x, labels, 2},
		`scaling=odd is not one of`:       {Square{Options{Scaling: "odd"}}, x, labels, 2},
		"1 rows and 2 columns":            {Square{}, x.Slice(0, 1, 0, 2).(*mat.Dense), labels[:1], 2},
		"tol=-1":                          {Square{Options{Tol: -1}}, x, labels, 2},
		`calibration=odd is not one of`:   {Square{Options{Calibration: "odd"}}, x, labels, 2},
		`class-weights=odd is not one of`: {Square{Options{ClassWeights: "odd"}}, x, labels, 2},
	} {
		_, err := fit(context.Background(), c.m, c.x, c.labels, c.classes)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	for want, m := range map[string]RegMaxCEM{
		"sigma=-1": {Sigma: -1}, "sigma=odd": {Rule: "odd"}, `variant=odd`: {Variant: "odd"}, "anneal=0.5": {Anneal: 0.5},
	} {
		if _, err := m.Fit(context.Background(), linalg.FromDense(x), labels, 2); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
	model := mustFit(t, Square{}, x, labels, 2)
	if _, err := model.Predict(context.Background(), mat.NewDense(1, 3, nil)); err == nil {
		t.Error("rows of another width are accepted")
	}
	var where *refusal.CellError
	if _, err := model.Predict(context.Background(), missing); !errors.As(err, &where) || where.Row != 5 || where.Column != 2 {
		t.Errorf("missing value in new rows: %v", err)
	}
	if _, err := model.Judge(context.Background(), x, append([]int{7}, labels[1:]...)); err == nil {
		t.Error("an unknown label is accepted")
	}
}

// A class with one row, a class without any, a constant column, equal rows: a model, not
// a crash, and a warning where something was given up.
func TestPoorData(t *testing.T) {
	x, labels, _ := clouds(41, 3, 2, 1, 0, 18)
	labels[40] = 2
	for i := range 41 {
		x.Set(i, 1, 3)
	}
	x.SetRow(1, x.RawRowView(3))
	for _, o := range []Options{{}, rbf(0), {ClassWeights: Balanced}} {
		for _, m := range append(every(o), studyMachine("regmaxcem:sigma=cv", o), studyMachine("regmaxcem:variant=paper", o)) {
			model := mustFit(t, m, x, labels, 4)
			p, err := model.Predict(context.Background(), x)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 41 {
				for l := range 4 {
					if v := p.Probabilities.At(i, l); math.IsNaN(v) || v < 0 || v > 1 {
						t.Fatalf("%s: probability %v", m.name(), v)
					}
				}
			}
			text := fmt.Sprint(model.Warnings())
			if !strings.Contains(text, "constant") || m.name() != "logistic" && !strings.Contains(text, "too few to calibrate") {
				t.Errorf("%s: warnings %s", m.name(), text)
			}
		}
	}
}

// The paper's rule gives its bandwidth, and its collapse is told.
func TestPaperRule(t *testing.T) {
	x, labels, _ := clouds(60, 2, 2, 1.5, 0, 19)
	model := mustFit(t, studyMachine("regmaxcem:variant=paper", Options{MaxSteps: 1, Calibration: NoCalibration}), x, labels, 2)
	f := mustScore(t, mustFit(t, Square{Options{Calibration: NoCalibration, Lambda: PrintedLambda}}, x, labels, 2), x)
	sum := 0.0
	for i, label := range labels {
		for l := range 2 {
			y := -1.0
			if l == label {
				y = 1
			}
			sum += (f.At(i, l) - y) * (f.At(i, l) - y)
		}
	}
	if want := sum / (2 * 2 * 60); math.Abs(model.bandwidth()-want) > 1e-9 {
		t.Errorf("sigma %v after one step, want %v", model.bandwidth(), want)
	}
	if !model.parts.PerElement || len(model.parts.Weights) != 120 {
		t.Error("the paper's weights are per element")
	}
	many, names, _ := clouds(300, 2, 6, 0.7, 0.2, 20)
	collapsed := mustFit(t, studyMachine("regmaxcem:variant=paper", Options{Lambda: 0.1, MaxSteps: 200, Calibration: NoCalibration}), many, names, 6)
	if !strings.Contains(fmt.Sprint(collapsed.Warnings()), "bandwidth is too small") {
		t.Errorf("warnings %v, sigma %v", collapsed.Warnings(), collapsed.bandwidth())
	}
}

// Features that do not fit into memory are refused before they are made, for every machine; a
// kernel that may be approximated then is.
func TestMemoryIsChecked(t *testing.T) {
	x, labels, _ := clouds(200, 4, 2, 1.5, 0, 3)
	defer func() { freeMemory = memory.Free }()
	freeMemory = func() int64 { return 300e3 }
	rbf := kernel.Kernel{Kind: kernel.RBF}
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{}, ""}, {Options{Kernel: rbf, Approximation: Exact}, "choose approximation=nystrom"}, {Options{Kernel: rbf, Features: 30}, ""},
		{Options{Kernel: rbf, Approximation: Fourier, Features: 500}, "choose fewer features"},
	} {
		for _, name := range []string{"square", "hinge", "logistic", "regmaxcem"} {
			c.o.Calibration = NoCalibration
			m, err := fit(context.Background(), studyMachine(name, c.o), x, labels, 2)
			var short *refusal.MemoryError
			switch {
			case c.want == "" && err != nil:
				t.Errorf("%s %+v: %v", name, c.o, err)
			case c.want == "" && c.o.Kernel == rbf && m.parts.Approximation != Nystrom:
				t.Errorf("%s: %s where the exact kernel does not fit", name, m.parts.Approximation)
			case c.want != "" && (!errors.As(err, &short) || short.Hint() != c.want):
				t.Errorf("%s %+v: %v", name, c.o, err)
			}
		}
	}
}
