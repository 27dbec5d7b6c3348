package tune

import (
	"context"
	"errors"
	"maps"
	"math"
	"time"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/version"
)

// Search looks for the parameters of a method that predict unseen rows best.
type Search struct {
	Method *catalog.Method
	// Fixed are parameters that all candidates share.
	Fixed map[string]string
	// Axes are the parameters to vary. Nil: those of [DefaultAxes].
	Axes []Axis
	// Random tries so many random settings instead of all combinations; 0: all.
	Random int
	// Halving begins with few training rows and keeps the better third of the candidates
	// each time the rows are tripled.
	Halving bool

	// Folds and Repeats of the cross-validation. Zero: 5 and 1.
	Folds, Repeats int
	// Rules keep rows together; classes are always spread evenly.
	Rules dataset.SplitRules
	// Metric that ranks the candidates. Zero: the default of the task.
	Metric Metric
	// OneSE chooses the simplest candidate within one standard error of the best.
	OneSE bool
	// Seed of folds, draws and fits.
	Seed uint64

	// Journal is a file that keeps finished fits, so that an interrupted search can go on;
	// empty: none.
	Journal string
	// OnProgress observes; calls never overlap.
	OnProgress func(Progress)
}

// usualFolds is the number of folds where none is asked for.
const usualFolds = 5

// Progress is how far a search has come.
type Progress struct {
	Done, All int // fits
	Reused    int // of those done, taken from the journal
	Elapsed   time.Duration
	Left      time.Duration // estimated; 0 before the first fit has ended
	Rung      int           // of a halving search, from 0
}

// filled puts defaults in place.
func (s Search) filled(set *dataset.Set) (Search, catalog.Task, error) {
	if s.Method == nil {
		return s, "", errors.New("tune: a search needs a method")
	}
	task, err := TaskOf(s.Method, s.Fixed, set)
	if err != nil {
		return s, "", err
	}
	if s.Folds == 0 {
		s.Folds = usualFolds
	}
	if s.Repeats == 0 {
		s.Repeats = 1
	}
	if err := affordable(s.Repeats, s.Folds, set); err != nil {
		return s, "", err
	}
	if s.Metric.Name == "" {
		if s.Metric, err = MetricFor("", task); err != nil {
			return s, "", err
		}
	}
	if s.Metric.Task != task {
		return s, "", wrongIn("metric", "", "metric %s does not fit the target", s.Metric.Name)
	}
	if s.Axes == nil {
		s.Axes = DefaultAxes(s.Method, s.Fixed, set, task)
	}
	return s, task, nil
}

// Run searches. Mistakes in what was asked for come back before the first fit; a
// candidate whose fits fail is ranked last with the reason, and only when all fail is
// that an error.
func (s Search) Run(ctx context.Context, set *dataset.Set) (*Result, error) {
	ctx = given.Context(ctx)
	s, task, err := s.filled(set)
	if err != nil {
		return nil, err
	}
	focused, err := focus(set, task)
	if err != nil {
		return nil, err
	}
	list, err := s.candidates()
	if err != nil {
		return nil, err
	}
	parts, err := partitions(focused, s.Folds, s.Repeats, s.Rules, task, s.Seed)
	if err != nil {
		return nil, err
	}
	w := &work{search: &s, set: focused, parts: parts, began: time.Now()}
	if s.Journal != "" {
		key := fingerprint(focused, s.Rules.Groups, s.Method.Name, s.Folds, s.Repeats, s.Rules.Together, s.Seed, s.Metric.Name == "log-loss", version.String())
		if w.journal, err = openJournal(s.Journal, journalHead{Key: key, Method: s.Method.Name, Data: set.Name}); err != nil {
			return nil, err
		}
	}
	result := &Result{Method: s.Method.Name, Task: task, Metric: s.Metric, Axes: s.Axes, Folds: s.Folds, Repeats: s.Repeats}
	trials, err := w.rungs(ctx, list)
	if err = errors.Join(err, w.journal.close()); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, err
	}
	result.Trials, result.Fits, result.Reused, result.Unknown = trials, w.done-w.reused, w.reused, unknownCells(focused, parts)
	result.Seconds = time.Since(w.began).Seconds()
	result.rank()
	if math.IsNaN(result.Trials[0].Score) {
		w.journal.discard()
		if w.first != nil {
			return nil, w.first
		}
		return nil, wrong("", "every candidate failed: %s", result.Trials[0].Failure)
	}
	result.choose(s.OneSE)
	return result, nil
}

// Refit fits the method to all rows with a candidate's parameters.
func (s Search) Refit(ctx context.Context, set *dataset.Set, c Candidate, run catalog.Run) (catalog.Model, error) {
	ctx = given.Context(ctx)
	task, err := TaskOf(s.Method, s.Fixed, set)
	if err != nil {
		return nil, err
	}
	focused, err := focus(set, task)
	if err != nil {
		return nil, err
	}
	m, err := s.Method.Fit(ctx, focused.Source(), maps.Clone(c.given), run)
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	return m, nil
}
