package tune

import (
	"context"
	"fmt"
	"maps"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/corrupt"
)

// round is one repeat: its sets are made when first needed.
type round struct {
	contest *Contest
	set     *dataset.Set
	part    dataset.Partition
	seed    uint64
	first   bool
	left    int

	once        sync.Once
	train, test *dataset.Set
	dirt        *corrupt.Dirt
	hit         int
	err         error
}

// bout is one entrant in one repeat.
type bout struct {
	scores               map[string]float64
	flagged, found, lies float64
	seconds              float64
	err                  error
	tuned                map[string]string
	example              *Example
}

func (r *round) prepare() {
	r.train, r.test, _ = divide(r.set, r.part)
	if r.contest.Corrupt == "" {
		return
	}
	dirty, dirt, err := corrupt.Apply(r.train, r.contest.Corrupt, r.seed)
	if err != nil {
		r.err = wrongIn("corrupt", "inlier data corrupt lists the kinds of dirt", "%s", strings.TrimPrefix(err.Error(), "dataset: "))
		return
	}
	r.train, r.dirt, r.hit = dirty, dirt, dirt.RowCount()
}

// fight fits and judges one entrant.
func (r *round) fight(ctx context.Context, e Entrant, metrics []Metric) bout {
	r.once.Do(r.prepare)
	b := bout{flagged: math.NaN(), found: math.NaN(), lies: math.NaN(), scores: map[string]float64{}}
	if r.err != nil {
		return b
	}
	params := maps.Clone(e.Params)
	if r.contest.Tune {
		found, err := r.search(e).Run(ctx, r.train)
		if err != nil {
			b.err = err
			return b
		}
		params, b.tuned = found.Chosen().Given(), found.Chosen().Params
	}
	began := time.Now()
	m, err := e.Method.Fit(ctx, r.train.Source(), params, catalog.Run{Seed: r.seed})
	b.seconds = time.Since(began).Seconds()
	if err != nil {
		b.err = err
		return b
	}
	p, ok := m.(catalog.Predictor)
	if !ok {
		b.err = fmt.Errorf("tune: %s models do not predict", e.Method.Name)
		return b
	}
	made, err := p.Predict(ctx, r.test.X)
	if err != nil {
		b.err = err
		return b
	}
	rows := make([]int, r.test.Rows())
	for i := range rows {
		rows[i] = i
	}
	for k, metric := range metrics {
		v := math.NaN()
		out, err := metric.outcome(made, r.test.Target)
		if err == nil {
			v, err = metric.value(r.test.Target, rows, out)
		}
		if err != nil && k == 0 { // others may not apply, such as the log-loss without probabilities
			b.err = err
			return b
		}
		b.scores[metric.Name] = v
	}
	if b.err = r.detect(ctx, m, &b); b.err == nil && r.first {
		b.example = &Example{Model: m, Prediction: made, Train: r.train, Test: r.test}
	}
	return b
}

// search chooses the parameters of an entrant from the training rows. Rows that must stay together do so there too: otherwise
// what has learned them by heart would seem best. Where the training rows are of fewer groups than folds there are fewer folds.
func (r *round) search(e Entrant) Search {
	s := Search{Method: e.Method, Fixed: e.Params, Metric: r.contest.Metric, Seed: r.seed}
	s.Rules.Together = r.contest.Rules.Together
	if r.contest.Rules.Groups == nil {
		return s
	}
	groups, different := make([]int, len(r.part.Train)), map[int]bool{}
	for k, i := range r.part.Train {
		groups[k] = r.contest.Rules.Groups[i]
		different[groups[k]] = true
	}
	if len(different) > 1 { // of one group nothing else can be told
		s.Rules.Groups, s.Folds = groups, min(usualFolds, len(different))
	}
	return s
}

// detect asks the model which training rows are outliers, and compares with the dirt.
func (r *round) detect(ctx context.Context, m catalog.Model, b *bout) error {
	d, ok := m.(catalog.Detector)
	if !ok {
		return nil
	}
	o, err := d.Outliers(ctx, r.train)
	if err != nil {
		return err
	}
	var dirty, found, clean, lies float64
	for i, out := range o.Outlier {
		hit := r.dirt != nil && i < len(r.dirt.Rows) && r.dirt.Rows[i]
		switch {
		case hit && out:
			dirty, found = dirty+1, found+1
		case hit:
			dirty++
		case out:
			clean, lies = clean+1, lies+1
		default:
			clean++
		}
	}
	b.flagged = (found + lies) / math.Max(1, dirty+clean)
	if dirty > 0 {
		b.found = found / dirty
	}
	if r.dirt != nil {
		b.lies = lies / math.Max(1, clean)
	}
	return nil
}
