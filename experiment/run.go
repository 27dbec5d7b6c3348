package experiment

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/given"
)

// Settings say how experiments are run.
type Settings struct {
	Env     *Env
	Seed    uint64 // base of all seeds
	Repeats int    // 0: as the form says
	Workers int    // runs at a time; 0: one per core
	Journal string // file that keeps finished runs; empty: none
	Fresh   bool   // run again what is recorded; the old records stay until the new ones are complete
	Version string // of the program, for the records
	// OnProgress is told after every finished run, from one goroutine at a time.
	OnProgress func(done, all int, what string)
}

// Repeats is the number of repeats that the settings ask of an experiment.
func (s Settings) repeats(spec *Spec) int {
	switch {
	case s.Repeats > 0:
		return s.Repeats
	case s.Env.Full:
		return spec.Full.Repeats
	}
	return spec.Quick.Repeats
}

// unit is one draw of one case: what is done in one piece by one worker.
type unit struct {
	c      Case
	repeat int
	seed   uint64
	runs   []Record // one per entrant, without results
}

// Run runs an experiment, or what an earlier, interrupted run has left of it, and returns
// the records in the order of the plan. A run that fails is a record with its failure; the
// error is for what stops the whole experiment. Missing data give no records and no error:
// the verdict tells.
func Run(ctx context.Context, spec *Spec, s Settings) ([]Record, error) {
	ctx = given.Context(ctx)
	if len(s.Env.Missing(spec.Needs)) > 0 {
		return nil, nil
	}
	cases, err := spec.Plan(ctx, s.Env)
	if err != nil {
		return nil, fmt.Errorf("experiment: %s: %w", spec.ID, err)
	}
	units, order, err := layOut(spec, cases, s)
	if err != nil {
		return nil, err
	}
	j, err := openJournal(s.Journal, s.Fresh)
	if err != nil {
		return nil, err
	}
	w := &work{ctx: ctx, spec: spec, s: s, journal: j, all: len(order), order: order}
	err = w.do(units)
	if err == nil {
		err = ctx.Err()
	}
	if err == nil {
		w.records = append(w.records, extra(cases, j, order, s.Seed)...)
		sortRecords(w.records, order)
		err = j.finish(w.records)
	}
	if err = errors.Join(err, j.close()); err != nil {
		return nil, err
	}
	return w.records, nil
}

// mostRuns bounds the runs of an experiment.
const mostRuns = 1000000

// SizeError is a number of repeats that makes more runs than an experiment can have.
type SizeError struct{ Repeats, Runs int }

// Error is one line.
func (e *SizeError) Error() string {
	return fmt.Sprintf("experiment: %d repeats are too many: more than %d runs", e.Repeats, e.Runs)
}

// extra are the records of further repeats that an earlier, longer run has left: a quick run
// does not throw away a full one. They are put behind the plan's own.
func extra(cases []Case, j *journal, order map[string]int, seed uint64) []Record {
	type planned struct{ data, method, params string }
	streams := map[planned]string{}
	for _, c := range cases {
		if c.Repeats > 0 {
			continue
		}
		for _, e := range c.Entrants {
			p, _ := json.Marshal(catalog.Parameters(e.Params))
			streams[planned{c.Data, e.Name, string(p)}] = cmp.Or(c.Stream, c.Data)
		}
	}
	var out []Record
	for key, r := range j.done {
		p, _ := json.Marshal(r.Parameters)
		stream, ok := streams[planned{r.Data, r.Method, string(p)}]
		if _, own := order[key]; ok && !own && r.Seed == Seed(seed, stream, r.Repeat) {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, func(a, b Record) int { return cmp.Or(a.Repeat-b.Repeat, cmp.Compare(a.key(), b.key())) })
	for _, r := range out {
		order[r.key()] = len(order)
	}
	return out
}

// layOut names every run.
func layOut(spec *Spec, cases []Case, s Settings) ([]unit, map[string]int, error) {
	var units []unit
	order := map[string]int{}
	for _, c := range cases {
		repeats := s.repeats(spec)
		if c.Repeats > 0 {
			repeats = min(repeats, c.Repeats)
		}
		if repeats > mostRuns/max(1, len(c.Entrants)) || len(order)+repeats*len(c.Entrants) > mostRuns {
			return nil, nil, &SizeError{Repeats: repeats, Runs: mostRuns}
		}
		stream := cmp.Or(c.Stream, c.Data)
		for repeat := range repeats {
			u := unit{c: c, repeat: repeat, seed: Seed(s.Seed, stream, repeat)}
			for _, e := range c.Entrants {
				r := Record{Experiment: spec.ID, Data: c.Data, Method: e.Name, Parameters: e.Params, Repeat: repeat, Seed: u.seed}
				if _, twice := order[r.key()]; twice {
					return nil, nil, fmt.Errorf("experiment: %s plans %s on %s twice", spec.ID, e.Name, c.Data)
				}
				order[r.key()] = len(order)
				u.runs = append(u.runs, r)
			}
			units = append(units, u)
		}
	}
	return units, order, nil
}

// work is a running experiment.
type work struct {
	ctx     context.Context
	spec    *Spec
	s       Settings
	journal *journal
	all     int
	order   map[string]int

	mu      sync.Mutex
	records []Record
}

func (w *work) do(units []unit) error {
	workers := w.s.Workers
	if workers < 1 {
		workers = runtime.GOMAXPROCS(0)
	}
	queue := make(chan unit)
	errs := make([]error, workers)
	ctx, cancel := context.WithCancel(w.ctx)
	defer cancel()
	var crew sync.WaitGroup
	for i := range workers {
		crew.Go(func() {
			for u := range queue {
				if errs[i] == nil {
					if errs[i] = w.unit(ctx, u); errs[i] != nil {
						cancel()
					}
				}
			}
		})
	}
feeding:
	for _, u := range units {
		select {
		case queue <- u:
		case <-ctx.Done():
			break feeding
		}
	}
	close(queue)
	crew.Wait()
	return errors.Join(errs...)
}

// unit draws the data once and lets every entrant that is not done yet meet them.
func (w *work) unit(ctx context.Context, u unit) error {
	var data any
	drawn := false
	for i, r := range u.runs {
		if kept, ok := w.journal.find(r.key()); ok {
			w.finish(kept)
			continue
		}
		if !drawn && u.c.Draw != nil {
			var err error
			if data, err = u.c.Draw(ctx, u.seed); err != nil {
				return fmt.Errorf("experiment: %s: data %s, repeat %d: %w", w.spec.ID, u.c.Data, u.repeat+1, err)
			}
		}
		drawn = true
		b := &Bench{Data: data, Seed: u.seed, Repeat: u.repeat, Env: w.s.Env, record: &r}
		if err := attempt(ctx, u.c.Entrants[i], b); err != nil {
			if ctx.Err() != nil {
				return nil // interrupted: nothing to keep
			}
			r.Failure = w.s.Env.nameless(err.Error())
		}
		r.Version = w.s.Version
		r.Seconds = round(r.Seconds, 4)
		if err := w.journal.add(r); err != nil {
			return err
		}
		kept, _ := w.journal.find(r.key())
		w.finish(kept)
	}
	return nil
}

// attempt turns a panic of a method into its failure.
func attempt(ctx context.Context, e Entrant, b *Bench) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
			if os.Getenv("INLIER_TRACE") != "" {
				err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
			}
		}
	}()
	return e.Run(ctx, b)
}

func (w *work) finish(r Record) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.records = append(w.records, r)
	if w.s.OnProgress != nil {
		w.s.OnProgress(len(w.records), w.all, r.Data+", "+r.Method)
	}
}
