package papers

import (
	"cmp"
	"context"
	"maps"
	"strconv"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/tune"
)

// budget is what a search may spend: settings drawn at random, each judged by so many folds.
type budget struct{ draws, folds int }

// params are those of a record of a searched method.
func (b budget) params() map[string]string {
	return map[string]string{"settings": strconv.Itoa(b.draws), "folds": strconv.Itoa(b.folds)}
}

// tunable is a method without tuning, and what its tuning varies.
type tunable struct {
	name   string // in records and tables; empty: the method
	method string
	fixed  map[string]string // without tuning
	shared map[string]string // that tuning leaves alone
	axes   []tune.Axis
}

// title is the name in records and tables.
func (t tunable) title() string { return cmp.Or(t.name, t.method) }

// trying are the shared parameters while settings are tried: a rough end of the iteration
// ranks them as well as the last digits do.
func (t tunable) trying() map[string]string {
	out := maps.Clone(t.shared)
	if _, ends := out["tol"]; ends {
		out["tol"] = "1e-4"
	}
	return out
}

// test scores a fitted model.
type test func(context.Context, catalog.Model, *dataset.Set) (float64, error)

// supervised are the entrants of a method that predicts: as it is, and tuned.
func (t tunable) supervised(metric string, task catalog.Task, name string, score test) []experiment.Entrant {
	note := func(ctx context.Context, b *experiment.Bench, m catalog.Model) error {
		s, err := score(ctx, m, b.Data.(*divided).test)
		b.Score(name, s)
		return err
	}
	return []experiment.Entrant{
		{Name: t.method, Params: t.fixed, Run: func(ctx context.Context, b *experiment.Bench) error {
			m, err := b.Fit(ctx, t.method, t.fixed, trainOf(b))
			if err != nil {
				return err
			}
			return note(ctx, b, m)
		}},
		t.searched(tunedName(t.method), budget{tuningDraws, tuningFolds}, metric, task, note),
	}
}

// searched is the entrant whose parameters are found by cross-validation on the training
// rows, and noted.
func (t tunable) searched(name string, spend budget, metric string, task catalog.Task, note fitScore) experiment.Entrant {
	return experiment.Entrant{Name: name, Params: spend.params(), Run: func(ctx context.Context, b *experiment.Bench) error {
		method, err := catalog.Lookup(t.method)
		if err != nil {
			return err
		}
		by, err := tune.MetricFor(metric, task)
		if err != nil {
			return err
		}
		var found *tune.Result
		err = b.Time(func() (err error) {
			found, err = tune.Search{Method: method, Fixed: experiment.Unclipped(method, t.trying()), Axes: t.axes, Random: spend.draws, Folds: spend.folds, Metric: by, Seed: b.Seed}.Run(ctx, trainOf(b))
			return err
		})
		if err != nil {
			return err
		}
		chosen := found.Chosen()
		for _, a := range t.axes {
			if v, err := strconv.ParseFloat(chosen.Params[a.Name], 64); err == nil {
				b.Score("chosen "+a.Name, v)
			}
		}
		given := chosen.Given()
		maps.Copy(given, t.shared)
		m, err := b.Fit(ctx, t.method, given, trainOf(b))
		if err != nil {
			return err
		}
		return note(ctx, b, m)
	}}
}
