package tune

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/linalg"
)

// Entrant is a method with parameters under a name of its own.
type Entrant struct {
	Label  string
	Method *catalog.Method
	Params map[string]string
}

// Contest sets methods side by side: in every repeat the rows are divided at random, all
// methods learn from the same training rows and are judged on the same test rows.
type Contest struct {
	Entrants []Entrant
	// Task that all entrants share.
	Task catalog.Task
	// Repeats of the random division. Zero: 10.
	Repeats int
	// TestShare of the rows is for testing. Zero: 0.25.
	TestShare float64
	// Rules keep rows together; classes are always spread evenly.
	Rules dataset.SplitRules
	// Corrupt dirties the training rows of every repeat, never the test rows, as
	// dataset.Corrupt does; empty: not.
	Corrupt string
	// Metric that ranks. Zero: the default of the task.
	Metric Metric
	// Tune chooses the parameters of every entrant by cross-validation on the training
	// rows of each repeat, over its default axes.
	Tune bool
	// Seed of divisions, dirt and fits.
	Seed uint64
	// OnProgress observes; calls never overlap.
	OnProgress func(Progress)
}

// Standing is how a contest ended.
type Standing struct {
	Task        catalog.Task
	Metric      Metric
	Metrics     []Metric // all that were computed, the ranking one first
	Repeats     int
	Train, Test int     // rows of the first repeat
	Dirty       float64 // training rows that were dirtied, mean over the repeats
	Lines       []Line  // best first
	Parts       []dataset.Partition
}

// Line is one entrant's result.
type Line struct {
	Entrant
	Scores   map[string][]float64 // by metric and repeat
	Mean, SD float64              // of the ranking metric
	MeanRank float64              // over the repeats; equal scores share the mean of their ranks
	Versus   *Difference          // to the best; nil for the best itself and for a single repeat
	Flagged  float64              // share of the training rows that the model calls outliers; NaN: it does not tell
	Found    float64              // share of the dirtied rows that are among them; NaN: none were dirtied
	False    float64              // share of the other rows that are among them
	Seconds  float64              // of a fit, mean
	Failure  string
	Tuned    map[string]string // parameters chosen in the first repeat
	First    *Example          // of the first repeat
}

// Example is a fit of the first repeat, for pictures.
type Example struct {
	Model       catalog.Model
	Prediction  *catalog.Prediction // of the test rows
	Train, Test *dataset.Set
}

// Run holds the contest. Failing entrants come last with the reason; only when all fail
// is that an error.
func (c Contest) Run(ctx context.Context, set *dataset.Set) (*Standing, error) {
	c, focused, err := c.filled(set)
	if err != nil {
		return nil, err
	}
	parts, seeds, err := c.divisions(focused)
	if err != nil {
		return nil, err
	}
	s := &Standing{Task: c.Task, Metric: c.Metric, Repeats: c.Repeats, Train: len(parts[0].Train), Test: len(parts[0].Test), Parts: parts}
	s.Metrics = []Metric{c.Metric}
	for _, m := range Metrics() {
		if m.Task == c.Task && m.Name != c.Metric.Name {
			s.Metrics = append(s.Metrics, m)
		}
	}
	results := make([][]bout, len(c.Entrants)) // by entrant and repeat
	for e := range results {
		results[e] = make([]bout, c.Repeats)
	}
	rounds := make([]round, c.Repeats)
	for k := range rounds {
		rounds[k] = round{contest: &c, set: focused, part: parts[k], seed: seeds[k], first: k == 0, left: len(c.Entrants)}
	}
	var mu sync.Mutex
	done, began := 0, time.Now()
	linalg.Parallel(c.Repeats*len(c.Entrants), func(k int) {
		repeat, e := k/len(c.Entrants), k%len(c.Entrants)
		if ctx.Err() != nil {
			return
		}
		b := rounds[repeat].fight(ctx, c.Entrants[e], s.Metrics)
		mu.Lock()
		defer mu.Unlock()
		results[e][repeat] = b
		if rounds[repeat].left--; rounds[repeat].left == 0 {
			rounds[repeat].train, rounds[repeat].test = nil, nil
		}
		if done++; c.OnProgress != nil {
			p := Progress{Done: done, All: c.Repeats * len(c.Entrants), Elapsed: time.Since(began)}
			p.Left = time.Duration(float64(p.Elapsed) * float64(p.All-done) / float64(done))
			c.OnProgress(p)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for k := range rounds {
		if rounds[k].err != nil {
			return nil, rounds[k].err
		}
		s.Dirty += float64(rounds[k].hit) / float64(c.Repeats)
	}
	var failures []error
	for e, entrant := range c.Entrants {
		line, err := summarise(entrant, results[e], s.Metrics)
		if err != nil {
			failures = append(failures, err)
		}
		s.Lines = append(s.Lines, line)
	}
	if len(failures) == len(c.Entrants) {
		return nil, failures[0]
	}
	s.settle()
	return s, nil
}

func (c Contest) filled(set *dataset.Set) (Contest, *dataset.Set, error) {
	if len(c.Entrants) == 0 {
		return c, nil, errors.New("tune: a contest needs methods")
	}
	if c.Repeats == 0 {
		c.Repeats = 10
	}
	if c.TestShare == 0 {
		c.TestShare = 0.25
	}
	switch {
	case c.Repeats < 1 || c.Repeats > 10000:
		return c, nil, wrong("it is a number from 1 to 10000", "--repeats %d is not allowed", c.Repeats)
	case !(c.TestShare > 0 && c.TestShare < 1):
		return c, nil, wrong("it is a share above 0 and below 1", "--test %g is not allowed", c.TestShare)
	}
	if c.Metric.Name == "" {
		var err error
		if c.Metric, err = MetricFor("", c.Task); err != nil {
			return c, nil, err
		}
	}
	focused, err := Focus(set, c.Task)
	if err != nil {
		return c, nil, err
	}
	if n := set.Rows(); n < 4 {
		return c, nil, wrong("more rows are needed", "%s has only %d rows", set.Name, n)
	}
	for _, e := range c.Entrants {
		if err := buildable(e.Method, e.Params); err != nil {
			return c, nil, err
		}
	}
	return c, focused, nil
}

// divisions draws the random divisions, and a seed for each repeat.
func (c *Contest) divisions(set *dataset.Set) ([]dataset.Partition, []uint64, error) {
	rules := c.Rules
	rules.Stratify = c.Task == catalog.Classify
	var parts []dataset.Partition
	var seeds []uint64
	for k := range c.Repeats {
		seed := dataset.Random(c.Seed, fmt.Sprintf("contest %d", k)).Uint64()
		p, err := dataset.SplitBy(set, c.TestShare, rules, seed)
		if err != nil {
			return nil, nil, wrong("use another --test share", "%s", strings.TrimPrefix(err.Error(), "dataset: "))
		}
		parts, seeds = append(parts, p), append(seeds, seed)
	}
	return parts, seeds, checkParts(set, parts, c.Task, "use a smaller --test share")
}

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
	dirt        *dataset.Dirt
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
	r.train, r.test, _ = Divide(r.set, r.part)
	if r.contest.Corrupt == "" {
		return
	}
	dirty, dirt, err := dataset.Corrupt(r.train, r.contest.Corrupt, r.seed)
	if err != nil {
		r.err = wrong("inlier data corrupt lists the kinds of dirt", "%s", strings.TrimPrefix(err.Error(), "dataset: "))
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
		s := Search{Method: e.Method, Fixed: e.Params, Metric: r.contest.Metric, Seed: r.seed}
		found, err := s.Run(ctx, r.train)
		if err != nil {
			b.err = err
			return b
		}
		params, b.tuned = found.Chosen().Given(), found.Chosen().Params
	}
	began := time.Now()
	m, err := e.Method.Fit(ctx, r.train, params, catalog.Run{Seed: r.seed})
	b.seconds = time.Since(began).Seconds()
	if err != nil {
		b.err = err
		return b
	}
	p, ok := m.(catalog.Predictor)
	if !ok {
		b.err = fmt.Errorf("tune: a %s model does not predict", e.Method.Name)
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

// summarise puts an entrant's repeats together.
func summarise(e Entrant, bouts []bout, metrics []Metric) (Line, error) {
	l := Line{Entrant: e, Scores: map[string][]float64{}, Mean: math.NaN(), SD: math.NaN(), Tuned: bouts[0].tuned, First: bouts[0].example}
	n := float64(len(bouts))
	for k, b := range bouts {
		if b.err != nil {
			l.Failure = fmt.Sprintf("repeat %d: %s", k+1, strings.Join(strings.Fields(b.err.Error()), " "))
			l.Flagged, l.Found, l.False, l.Seconds = math.NaN(), math.NaN(), math.NaN(), math.NaN()
			return l, b.err
		}
		for _, m := range metrics {
			l.Scores[m.Name] = append(l.Scores[m.Name], b.scores[m.Name])
		}
		l.Flagged += b.flagged / n
		l.Found += b.found / n
		l.False += b.lies / n
		l.Seconds += b.seconds / n
	}
	main := l.Scores[metrics[0].Name]
	l.Mean = mean(main)
	l.SD = deviation(main)
	return l, nil
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// settle ranks the lines and compares each with the best.
func (s *Standing) settle() {
	name := s.Metric.Name
	for k := range s.Repeats {
		var scores []float64
		for i := range s.Lines {
			v := math.NaN()
			if s.Lines[i].Failure == "" {
				v = s.Lines[i].Scores[name][k]
			}
			scores = append(scores, v)
		}
		for i, r := range s.Metric.ranks(scores) {
			s.Lines[i].MeanRank += r / float64(s.Repeats)
		}
	}
	slices.SortStableFunc(s.Lines, func(a, b Line) int { return s.Metric.order(a.Mean, b.Mean) })
	if s.Repeats < 2 {
		return
	}
	best := s.Lines[0].Scores[name]
	var tests []*Difference
	for i := 1; i < len(s.Lines); i++ {
		if s.Lines[i].Failure != "" {
			continue
		}
		if d, err := resampled(s.Lines[i].Scores[name], best, float64(s.Test)/float64(s.Train)); err == nil {
			s.Lines[i].Versus = d
			tests = append(tests, d)
		}
	}
	holm(tests)
}

// ranks are 1 for the best; equal scores share the mean of their ranks, failures come
// last.
func (m Metric) ranks(scores []float64) []float64 {
	out := make([]float64, len(scores))
	for i, a := range scores {
		better, equal := 0, 0
		for _, b := range scores {
			switch m.order(b, a) {
			case -1:
				better++
			case 0:
				equal++ // itself too
			}
		}
		out[i] = float64(better) + float64(equal+1)/2
	}
	return out
}
