package tune

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/words"
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
	// corrupt.Apply does; empty: not.
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

// Run holds the contest. Failing entrants come last with the reason; only when all fail
// is that an error.
func (c Contest) Run(ctx context.Context, set *dataset.Set) (*Standing, error) {
	ctx = given.Context(ctx)
	c, focused, err := c.filled(set)
	if err != nil {
		return nil, err
	}
	parts, seeds, err := c.divisions(ctx, focused)
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
	if err := affordable(c.Repeats, 1, set); err != nil {
		return c, nil, err
	}
	switch {
	case !(c.TestShare > 0 && c.TestShare < 1):
		return c, nil, wrong("it is a share above 0 and below 1", "--test %g is not allowed", c.TestShare)
	}
	if c.Metric.Name == "" {
		var err error
		if c.Metric, err = MetricFor("", c.Task); err != nil {
			return c, nil, err
		}
	}
	focused, err := focus(set, c.Task)
	if err != nil {
		return c, nil, err
	}
	if n := set.Rows(); n < 4 {
		return c, nil, wrong("more rows are needed", "%s has only %s", set.Name, words.Plural(n, "row"))
	}
	for _, e := range c.Entrants {
		if err := buildable(e.Method, e.Params); err != nil {
			return c, nil, err
		}
	}
	return c, focused, nil
}

// divisions draws the random divisions, and a seed for each repeat.
func (c *Contest) divisions(ctx context.Context, set *dataset.Set) ([]dataset.Partition, []uint64, error) {
	rules := c.Rules
	rules.Stratify = c.Task == catalog.Classify
	var parts []dataset.Partition
	var seeds []uint64
	for k := range c.Repeats {
		if err := ctx.Err(); err != nil { // a thousand of a large table take minutes
			return nil, nil, err
		}
		seed := dataset.Random(c.Seed, fmt.Sprintf("contest %d", k)).Uint64()
		p, err := dataset.SplitBy(set, c.TestShare, rules, seed)
		if err != nil {
			return nil, nil, wrong("use another --test share", "%s", strings.TrimPrefix(err.Error(), "dataset: "))
		}
		parts, seeds = append(parts, p), append(seeds, seed)
	}
	return parts, seeds, checkParts(set, parts, c.Task, "use a smaller --test share")
}
