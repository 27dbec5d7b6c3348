package tune

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/tune"
	"gonum.org/v1/gonum/mat"
)

func run(t *testing.T, s tune.Search, set *dataset.Set) *tune.Result {
	t.Helper()
	r, err := s.Run(context.Background(), set)
	if err != nil {
		t.Fatal(err)
	}
	return r
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
	run(t, tune.Search{Method: m, Axes: []tune.Axis{}, Folds: 3, Repeats: 2, Rules: dataset.SplitRules{Groups: groups}, Seed: 1}, set)
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
	s := tune.Search{Method: m, Axes: []tune.Axis{axis(t, m, "lambda=0,1,10,100,1000"), axis(t, m, "mode=plain,flip")}, Folds: 4, Repeats: 2, Seed: 5}
	defer linalg.SetThreads(linalg.Threads())
	linalg.SetThreads(1)
	one := run(t, s, set)
	linalg.SetThreads(4)
	same(t, "four workers", one, run(t, s, set))

	s.Journal = filepath.Join(t.TempDir(), "journal")
	ctx, cancel := context.WithCancel(context.Background())
	s.OnProgress = func(p tune.Progress) {
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
	s.Axes = []tune.Axis{axis(t, m, "lambda=0,1,10,100,1000,1e4"), s.Axes[1]}
	if wider := run(t, s, set); wider.Fits != 16 || wider.Reused != 80 {
		t.Errorf("a wider grid: %d fits, %d reused", wider.Fits, wider.Reused)
	}
}

func TestJournalIsChecked(t *testing.T) {
	m := (&ridgeline{}).method()
	set := lineData(40, 2)
	dir := t.TempDir()
	s := tune.Search{Method: m, Axes: []tune.Axis{axis(t, m, "lambda=0,1")}, Folds: 4, Journal: filepath.Join(dir, "journal")}
	run(t, s, set)
	good, err := os.ReadFile(s.Journal)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(s tune.Search, set *dataset.Set, want string) {
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
	s := tune.Search{Method: m, Axes: []tune.Axis{axis(t, m, "lambda=0..2000:10"), axis(t, m, "mode=plain,flip")}, Folds: 3, Halving: true, Seed: 2}
	var last tune.Progress
	s.OnProgress = func(p tune.Progress) { last = p }
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
	r := run(t, tune.Search{Method: m, Axes: []tune.Axis{}, Folds: 10, Seed: 1}, set)
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
	s := tune.Search{Method: m, Axes: []tune.Axis{axis(t, m, "lambda=1,0,2")}, Folds: 4}
	r := run(t, s, set)
	if last := r.Trials[2]; last.Params["lambda"] != "1" || !math.IsNaN(last.Score) || last.Failure != "lambda=1 is cursed" {
		t.Errorf("%+v", last)
	}
	s.Axes = []tune.Axis{axis(t, m, "lambda=1")}
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
	for want, s := range map[string]tune.Search{
		"needs a column to learn": {Method: m},
		"is constant":             {Method: m, Metric: tune.Metrics()[0]},
		"one class only":          {Method: m},
		"single row":              {Method: m},
		"--folds 31":              {Method: m, Folds: 31},
		"--folds 1":               {Method: m, Folds: 1},
		"--repeats -1":            {Method: m, Repeats: -1},
		"does not fit":            {Method: m, Metric: tune.Metrics()[4]},
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
	if _, err := (tune.Search{Method: pca}).Run(context.Background(), base); err == nil {
		t.Error("pca was tuned")
	}
}

func TestProgressTellsTimeLeft(t *testing.T) {
	fake := &ridgeline{fail: func(catalog.Values) error { time.Sleep(time.Millisecond); return nil }}
	m := fake.method()
	var mu sync.Mutex
	var list []tune.Progress
	s := tune.Search{Method: m, Axes: []tune.Axis{axis(t, m, "lambda=0,1,2")}, Folds: 4, OnProgress: func(p tune.Progress) {
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
