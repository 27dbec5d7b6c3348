package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/linalg"
)

// work is a search under way.
type work struct {
	search  *Search
	set     *dataset.Set
	parts   []dataset.Partition
	journal *journal

	mu           sync.Mutex
	began        time.Time
	done, reused int
	all          int
	cost, total  float64 // of the fits, in training rows: done now, and not reused in all
	rung         int
	first        error // of a failed fit
	fatal        error // of the journal
}

// division is a partition's sets, made when first needed and dropped after the last use.
type division struct {
	once        sync.Once
	train, test *dataset.Set
	left        int
}

// round fits every candidate on every partition with at most rows training rows (0: all)
// and returns the outcomes by candidate and partition.
func (w *work) round(ctx context.Context, list []Candidate, rows int) ([][]outcome, error) {
	divisions := make([]*division, len(w.parts))
	for p := range divisions {
		divisions[p] = &division{left: len(list)}
	}
	out := make([][]outcome, len(list))
	for c := range out {
		out[c] = make([]outcome, len(w.parts))
	}
	// Partition by partition, so that few of them are in memory at a time.
	linalg.Parallel(len(list)*len(w.parts), func(k int) {
		p, c := k/len(list), k%len(list)
		if ctx.Err() == nil && !w.failed() {
			out[c][p] = w.unit(ctx, divisions[p], list[c], p, rows)
		}
		w.mu.Lock()
		if divisions[p].left--; divisions[p].left == 0 {
			divisions[p].train, divisions[p].test = nil, nil
		}
		w.mu.Unlock()
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return out, w.fatal
}

func (w *work) failed() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.fatal != nil
}

// trainRows are the training rows of a partition that a round with so many uses.
func (w *work) trainRows(p, rows int) []int {
	train := w.parts[p].Train
	if rows == 0 || rows >= len(train) {
		return train
	}
	subset := nested(w.set, train, fmt.Sprint(p), w.search.Seed)[:rows]
	slices.Sort(subset)
	return subset
}

// trainCount is the number of those rows: the measure of a fit's cost.
func (w *work) trainCount(p, rows int) float64 {
	n := len(w.parts[p].Train)
	if rows > 0 {
		n = min(n, rows)
	}
	return float64(n)
}

// unit makes one fit, or takes it from the journal.
func (w *work) unit(ctx context.Context, d *division, c Candidate, p, rows int) outcome {
	test := w.parts[p].Test
	key := unitKey{c.key(), p, rows}
	cost := w.trainCount(p, rows)
	if o, ok := w.journal.find(key, len(test)); ok {
		w.tell(cost, true)
		return o
	}
	d.once.Do(func() {
		d.train, d.test, _ = divide(w.set, dataset.Partition{Train: w.trainRows(p, rows), Test: test})
	})
	began := time.Now()
	values, err := w.fit(ctx, d, c)
	if ctx.Err() != nil {
		return outcome{}
	}
	o := outcome{values: values, seconds: time.Since(began).Seconds()}
	if err != nil {
		o.values, o.failure = nil, strings.Join(strings.Fields(err.Error()), " ")
	}
	if err := w.journal.add(key, o); err != nil {
		w.mu.Lock()
		w.fatal = errors.Join(w.fatal, err)
		w.mu.Unlock()
	}
	w.mu.Lock()
	if err != nil && w.first == nil {
		w.first = err
	}
	w.mu.Unlock()
	w.tell(cost, false)
	return o
}

// fit learns from the training rows and predicts the others.
func (w *work) fit(ctx context.Context, d *division, c Candidate) ([]float64, error) {
	given := c.given
	if p, ok := w.search.Method.Param("calibration"); ok && w.search.Metric.Name != "log-loss" && given[p.Name] == "" && slices.Contains(p.Choices, "off") {
		// Probabilities are not looked at, and learning them takes several fits more.
		given = c.Given()
		given[p.Name] = "off"
	}
	m, err := w.search.Method.Fit(ctx, d.train.Source(), given, catalog.Run{Seed: w.search.Seed})
	if err != nil {
		return nil, err
	}
	p, ok := m.(catalog.Predictor)
	if !ok {
		return nil, fmt.Errorf("tune: %s models do not predict", w.search.Method.Name)
	}
	made, err := p.Predict(ctx, d.test.X)
	if err != nil {
		return nil, err
	}
	return w.search.Metric.outcome(made, d.test.Target)
}

// tell counts a finished fit and reports.
func (w *work) tell(cost float64, reused bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done++
	if reused {
		w.reused++
		w.total -= cost
	} else {
		w.cost += cost
	}
	if w.search.OnProgress == nil {
		return
	}
	p := Progress{Done: w.done, All: w.all, Reused: w.reused, Elapsed: time.Since(w.began), Rung: w.rung}
	if w.cost > 0 {
		p.Left = time.Duration(float64(p.Elapsed) * math.Max(0, w.total-w.cost) / w.cost)
	}
	w.search.OnProgress(p)
}
