package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/linalg"
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

// Rows are validated once per repeat, by models that have not seen them, and classes and
// groups are where they belong.
func TestNoLeak(t *testing.T) {
	fake := &ridgeline{}
	m := fake.method()
	set := classData(60)
	n := set.Rows()
	// A second column numbers the rows, so that the fits tell which ones they saw.
	numbered := mat.NewDense(n, 2, nil)
	groups := make([]int, n)
	for i := range n {
		numbered.SetRow(i, []float64{set.X.At(i, 0), float64(i)})
		groups[i] = i / 2
	}
	set.X, set.Columns = numbered, []string{"x", "row"}
	run(t, Search{Method: m, Axes: []Axis{}, Folds: 3, Repeats: 2, Rules: dataset.SplitRules{Groups: groups}, Seed: 1}, set)
	if len(fake.fits) != 6 {
		t.Fatalf("%d fits", len(fake.fits))
	}
	missing := make([]int, n)
	for _, fit := range fake.fits {
		seen := make([]bool, n)
		for i := range fit.Rows() {
			seen[int(fit.X.At(i, 1))] = true
		}
		for i := range seen {
			if !seen[i] {
				missing[i]++
			}
			if seen[i] != seen[i/2*2] {
				t.Errorf("the group of row %d was torn apart", i)
			}
		}
		if fit.Target.Values != nil || len(fit.Target.Classes) != 3 {
			t.Error("the target is not that of a classification")
		}
	}
	for i, k := range missing {
		if k != 2 { // once per repeat
			t.Errorf("row %d was left out of training %d times in 2 repeats", i, k)
		}
	}
}

func TestWorkersAndResumption(t *testing.T) {
	m := (&ridgeline{}).method()
	set := lineData(80, 2)
	s := Search{Method: m, Axes: []Axis{axis(t, m, "lambda=0,1,10,100,1000"), axis(t, m, "mode=plain,flip")}, Folds: 4, Repeats: 2, Seed: 5}
	defer linalg.SetThreads(linalg.Threads())
	linalg.SetThreads(1)
	one := run(t, s, set)
	linalg.SetThreads(4)
	same(t, "four workers", one, run(t, s, set))

	s.Journal = filepath.Join(t.TempDir(), "journal")
	ctx, cancel := context.WithCancel(context.Background())
	s.OnProgress = func(p Progress) {
		if p.Done == 33 {
			cancel()
		}
	}
	if _, err := s.Run(ctx, set); !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled: %v", err)
	}
	text, err := os.ReadFile(s.Journal)
	if err != nil {
		t.Fatal(err)
	}
	// A crash in the middle of a line.
	if err := os.WriteFile(s.Journal, text[:len(text)-20], 0o600); err != nil {
		t.Fatal(err)
	}
	fake := &ridgeline{}
	s.Method, s.OnProgress = fake.method(), nil
	resumed := run(t, s, set)
	same(t, "a resumed search", one, resumed)
	if resumed.Reused < 30 || resumed.Reused+resumed.Fits != 80 || fake.count() != resumed.Fits {
		t.Errorf("%d reused, %d fits, %d really", resumed.Reused, resumed.Fits, fake.count())
	}
	// Everything is there now; a wider grid needs only what is new.
	fake = &ridgeline{}
	s.Method = fake.method()
	same(t, "a search without fits", one, run(t, s, set))
	if fake.count() != 0 {
		t.Errorf("%d fits", fake.count())
	}
	s.Axes = []Axis{axis(t, m, "lambda=0,1,10,100,1000,1e4"), s.Axes[1]}
	if wider := run(t, s, set); wider.Fits != 16 || wider.Reused != 80 {
		t.Errorf("a wider grid: %d fits, %d reused", wider.Fits, wider.Reused)
	}
}

func TestJournalIsChecked(t *testing.T) {
	m := (&ridgeline{}).method()
	set := lineData(40, 2)
	dir := t.TempDir()
	s := Search{Method: m, Axes: []Axis{axis(t, m, "lambda=0,1")}, Folds: 4, Journal: filepath.Join(dir, "journal")}
	run(t, s, set)
	good, err := os.ReadFile(s.Journal)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(s Search, set *dataset.Set, want string) {
		t.Helper()
		before, _ := os.ReadFile(s.Journal)
		_, err := s.Run(context.Background(), set)
		var usage *catalog.UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if after, _ := os.ReadFile(s.Journal); string(after) != string(before) {
			t.Error("the file was changed")
		}
	}
	other := s
	other.Seed = 9
	refused(other, set, "another search")
	refused(s, lineData(40, 3), "another search")
	other = s
	other.Folds = 5
	refused(other, set, "another search")
	other = s
	other.Journal = filepath.Join(dir, "notes")
	for _, text := range []string{"my own notes\n", "my own notes", `{"a":1}` + "\n"} {
		if err := os.WriteFile(other.Journal, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		refused(other, set, "not the journal")
	}
	head, rest, _ := strings.Cut(string(good), "\n")
	if err := os.WriteFile(s.Journal, []byte(head+"\n{\"candidate\":3}\n"+rest), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(s, set, "line 2 is damaged")
	other.Journal = filepath.Join(dir, "nowhere", "journal")
	refused(other, set, "no such file")
	// Bad input leaves no journal behind.
	other.Journal = filepath.Join(dir, "fresh")
	other.Folds = 1000
	refused(other, set, "only 40 rows")
	if _, err := os.Stat(other.Journal); err == nil {
		t.Error("a journal was written")
	}
}

func TestHalving(t *testing.T) {
	fake := &ridgeline{}
	m := fake.method()
	set := lineData(600, 4)
	s := Search{Method: m, Axes: []Axis{axis(t, m, "lambda=0..2000:10"), axis(t, m, "mode=plain,flip")}, Folds: 3, Halving: true, Seed: 2}
	var last Progress
	s.OnProgress = func(p Progress) { last = p }
	r := run(t, s, set)
	// 20 candidates on 44 rows, 7 on 133, 3 on all 400.
	want := 3 * (20 + 7 + 3)
	if r.Fits != want || last.Done != want || last.All != want || last.Rung != 2 {
		t.Errorf("%d fits, %+v, want %d", r.Fits, last, want)
	}
	full := 0
	for i, trial := range r.Trials {
		if trial.Rows == 0 {
			full++
		}
		if i > 0 && trial.Rung > r.Trials[i-1].Rung {
			t.Error("a candidate that came less far stands above")
		}
	}
	sizes := map[int]int{}
	for _, fit := range fake.fits {
		sizes[fit.Rows()]++
	}
	if full != 3 || sizes[44] != 60 || sizes[133] != 21 || sizes[400] != 9 {
		t.Errorf("%d candidates on all rows, fits by rows %v", full, sizes)
	}
	s.OnProgress, s.Halving = nil, false
	if best := run(t, s, set); best.Chosen().Params["mode"] != "plain" || r.Chosen().Params["mode"] != "plain" {
		t.Error("the flipped line wins")
	}
}

// The trimmed error is blind to wild targets that sit in one small fold, where trimming
// fold by fold would remove nothing.
func TestTrimmedOverAllRows(t *testing.T) {
	m := (&ridgeline{}).method()
	set := lineData(20, 1)
	for i := range set.Target.Values {
		set.Target.Values[i] = 3 * set.X.At(i, 0)
	}
	set.Target.Values[5] += 1e6
	r := run(t, Search{Method: m, Axes: []Axis{}, Folds: 10, Seed: 1}, set)
	if r.Metric.Name != "trimmed" || r.Trials[0].Score > 3e5 {
		t.Errorf("%s %v", r.Metric.Name, r.Trials[0].Score)
	}
}

func TestFailures(t *testing.T) {
	set := lineData(40, 1)
	fake := &ridgeline{fail: func(v catalog.Values) error {
		if v.Is("lambda", "1") {
			return &catalog.UsageError{Problem: "lambda=1 is cursed"}
		}
		return nil
	}}
	m := fake.method()
	s := Search{Method: m, Axes: []Axis{axis(t, m, "lambda=1,0,2")}, Folds: 4}
	r := run(t, s, set)
	if last := r.Trials[2]; last.Params["lambda"] != "1" || !math.IsNaN(last.Score) || last.Failure != "lambda=1 is cursed" {
		t.Errorf("%+v", last)
	}
	s.Axes = []Axis{axis(t, m, "lambda=1")}
	s.Journal = filepath.Join(t.TempDir(), "journal")
	_, err := s.Run(context.Background(), set)
	var usage *catalog.UsageError
	if !errors.As(err, &usage) {
		t.Errorf("all failed: %v", err)
	}
	if _, err := os.Stat(s.Journal); err == nil {
		t.Error("a journal without a result was left behind")
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

func TestBadTargets(t *testing.T) {
	m := (&ridgeline{}).method()
	base := lineData(30, 1)
	with := func(target *dataset.Target) *dataset.Set {
		s := *base
		s.Target = target
		return &s
	}
	labels := func(of ...int) *dataset.Target {
		t := &dataset.Target{Name: "kind", Classes: []string{"a", "b", "c"}, Labels: make([]int, 30)}
		copy(t.Labels, of)
		return t
	}
	for want, s := range map[string]Search{
		"needs a column to learn": {Method: m},
		"is constant":             {Method: m, Metric: Metrics()[0]},
		"one class only":          {Method: m},
		"single row":              {Method: m},
		"--folds 31":              {Method: m, Folds: 31},
		"--folds 1":               {Method: m, Folds: 1},
		"--repeats -1":            {Method: m, Repeats: -1},
		"does not fit":            {Method: m, Metric: Metrics()[4]},
		"must stay together":      {Method: m, Folds: 2, Rules: dataset.SplitRules{Groups: make([]int, 30)}},
	} {
		set := base
		switch want {
		case "needs a column to learn":
			set = with(nil)
		case "is constant":
			set = with(&dataset.Target{Name: "y", Values: make([]float64, 30)})
		case "one class only":
			set = with(labels())
		case "single row":
			set = with(labels(1, 1, 2))
		case "must stay together":
			set = with(labels(1, 1, 1, 1, 1))
			for i := range 5 {
				s.Rules.Groups[i] = 1
			}
		}
		_, err := s.Run(context.Background(), set)
		var usage *catalog.UsageError
		if !errors.As(err, &usage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	pca, err := catalog.Lookup("pca")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (Search{Method: pca}).Run(context.Background(), base); err == nil {
		t.Error("pca was tuned")
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

func TestProgressTellsTimeLeft(t *testing.T) {
	fake := &ridgeline{fail: func(catalog.Values) error { time.Sleep(time.Millisecond); return nil }}
	m := fake.method()
	var mu sync.Mutex
	var list []Progress
	s := Search{Method: m, Axes: []Axis{axis(t, m, "lambda=0,1,2")}, Folds: 4, OnProgress: func(p Progress) {
		if !mu.TryLock() {
			t.Error("calls overlap")
			return
		}
		list = append(list, p)
		mu.Unlock()
	}}
	run(t, s, lineData(40, 1))
	for i, p := range list {
		if p.Done != i+1 || p.All != 12 || p.Elapsed <= 0 || (p.Left <= 0) != (i == 11) {
			t.Errorf("%+v", p)
		}
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
	if m, err := MetricFor("trimmed:0.25", catalog.Regress); err != nil || m.Share != 0.25 || fmt.Sprint(m) != "trimmed:0.25" {
		t.Errorf("%v %v", m, err)
	}
	p.Probabilities = nil
	m, _ := MetricFor("log-loss", catalog.Classify)
	if _, err := m.outcome(p, truth); err == nil {
		t.Error("a log-loss without probabilities")
	}
}
