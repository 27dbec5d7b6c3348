package tune

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/score"
)

func run(t *testing.T, s Search, set *dataset.Set) *Result {
	t.Helper()
	r, err := s.Run(context.Background(), set)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The score equals one that is computed by hand from the folds, and the spread for a
// metric that is a mean over rows of equal folds is the standard deviation of the folds.
func TestScoreByHand(t *testing.T) {
	fake := &ridgeline{}
	m := fake.method()
	set := lineData(60, 1)
	metric, _ := MetricFor("mae", catalog.Regress)
	r := run(t, Search{Method: m, Axes: []Axis{axis(t, m, "lambda=0,50")}, Folds: 4, Metric: metric, Seed: 3}, set)
	parts, err := dataset.Folds(set, 4, dataset.SplitRules{}, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range r.Trials {
		v, _ := m.Check(trial.Given())
		var folds []float64
		total := 0.0
		for _, p := range parts {
			model := fitLine(set.Subset(p.Train), v)
			test := set.Subset(p.Test)
			made, _ := model.Predict(context.Background(), test.X)
			e, err := score.MAE(test.Target.Values, made.Values)
			if err != nil {
				t.Fatal(err)
			}
			folds = append(folds, e)
			total += e / 4
		}
		if math.Abs(trial.Score-total) > 1e-12*total || math.Abs(trial.SD-deviation(folds)) > 1e-9*trial.SD || trial.StandardError != trial.SD/2 {
			t.Errorf("%s: %v, %v; by hand %v, %v", trial.Text(r.Axes), trial.Score, trial.SD, total, deviation(folds))
		}
	}
	if !r.Metric.Better(r.Trials[0].Score, r.Trials[1].Score) || r.Trials[0].Rank != 1 || r.Trials[1].Rank != 2 || r.Fits != 8 {
		t.Errorf("ranks %d, %d, fits %d", r.Trials[0].Rank, r.Trials[1].Rank, r.Fits)
	}
}

func TestOneStandardError(t *testing.T) {
	r := &Result{Metric: Metrics()[0], Axes: []Axis{{Name: "hidden"}, {Name: "lambda"}}}
	add := func(score, se float64, hidden, lambda string) {
		r.Trials = append(r.Trials, Trial{Candidate: Candidate{Params: map[string]string{"hidden": hidden, "lambda": lambda}}, Score: score, StandardError: se})
	}
	add(1.0, 0.2, "100", "0.1")
	add(1.1, 0.2, "50", "0.1")
	add(1.15, 0.2, "50", "1")
	add(1.19, 0.2, "auto", "10")
	add(1.3, 0.2, "10", "1")
	add(math.NaN(), 0, "5", "1")
	r.rank()
	if r.choose(false); r.Choice != 0 {
		t.Errorf("best: %d", r.Choice)
	}
	if r.choose(true); r.Chosen().Params["hidden"] != "50" || r.Chosen().Params["lambda"] != "1" {
		t.Errorf("one standard error: %v", r.Chosen().Params)
	}
}

// Text columns are coded as if the training rows were all there is.
func TestDivideCodesAgain(t *testing.T) {
	set := &dataset.Set{Name: "coded", Columns: []string{"size", "colour=blue", "colour=green", "colour=red", "x"},
		X: mat.NewDense(5, 5, []float64{
			0, 1, 0, 0, 9,
			2, 0, 0, 1, 8,
			3, 1, 0, 0, 7,
			1, 0, 1, 0, 6, // size and colour that no training row has
			2, 1, 0, 0, 5,
		}),
		Target: &dataset.Target{Name: "y", Values: []float64{1, 2, 3, 4, 5}},
		Coder: &dataset.Coder{Codings: []dataset.Coding{
			{Column: "size", Levels: []string{"l", "m", "s", "xl"}},
			{Column: "colour", Levels: []string{"blue", "green", "red"}, OneHot: true},
		}}}
	train, test, unknown := divide(set, dataset.Partition{Train: []int{0, 1, 2}, Test: []int{3, 4}})
	columns := []string{"size", "colour=blue", "colour=red", "x"}
	wantTrain := mat.NewDense(3, 4, []float64{0, 1, 0, 9, 1, 0, 1, 8, 2, 1, 0, 7})
	wantTest := mat.NewDense(2, 4, []float64{0.5, 0, 0, 6, 1, 1, 0, 5})
	if !mat.Equal(train.X, wantTrain) || !mat.Equal(test.X, wantTest) || unknown != 2 {
		t.Errorf("train %v test %v, %d unknown", mat.Formatted(train.X), mat.Formatted(test.X), unknown)
	}
	if !slices.Equal(train.Columns, columns) || !slices.Equal(test.Columns, columns) || !slices.Equal(train.Coder.Codings[0].Levels, []string{"l", "s", "xl"}) {
		t.Errorf("columns %q, %q, coder %v", train.Columns, test.Columns, train.Coder)
	}
	if set.X.At(3, 0) != 1 || set.Dim() != 5 {
		t.Error("the set itself was changed")
	}
}

func TestMetrics(t *testing.T) {
	truth := &dataset.Target{Labels: []int{0, 0, 0, 1}, Classes: []string{"a", "b"}}
	rows := []int{0, 1, 2, 3}
	p := &catalog.Prediction{Labels: []int{0, 0, 1, 1}, Probabilities: mat.NewDense(4, 2, []float64{0.9, 0.1, 0.8, 0.2, 0.4, 0.6, 0.3, 0.7})}
	// sklearn.metrics: accuracy_score 0.75, balanced_accuracy_score 0.8333333333333333,
	// log_loss 0.4003674356962309 for the same numbers.
	for name, want := range map[string]float64{"accuracy": 0.75, "balanced": 0.8333333333333333, "log-loss": 0.4003674356962309} {
		m, err := MetricFor(name, catalog.Classify)
		if err != nil {
			t.Fatal(err)
		}
		out, err := m.outcome(p, truth)
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.value(truth, rows, out)
		if err != nil || math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %v, want %v (%v)", name, got, want, err)
		}
	}
	for _, bad := range []string{"rmse", "acc", "accuracy:0.1", "trimmed:0.1"} {
		if _, err := MetricFor(bad, catalog.Classify); err == nil {
			t.Errorf("%s was accepted", bad)
		}
	}
	for _, bad := range []string{"trimmed:1", "trimmed:x", "trimmed:-0.1", "log-loss"} {
		if _, err := MetricFor(bad, catalog.Regress); err == nil {
			t.Errorf("%s was accepted", bad)
		}
	}
	if m, err := MetricFor("trimmed:0.1", catalog.Regress); err != nil || m.Share != 0.1 || fmt.Sprint(m) != "trimmed:0.1" {
		t.Errorf("%v %v", m, err)
	}
	p.Probabilities = nil
	m, _ := MetricFor("log-loss", catalog.Classify)
	if _, err := m.outcome(p, truth); err == nil {
		t.Error("a log-loss without probabilities")
	}
}
