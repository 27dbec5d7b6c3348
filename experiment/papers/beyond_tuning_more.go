package papers

import (
	"context"
	"slices"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/experiment"
	"github.com/inlier-ml/inlier/score"
)

// tunedDigits is how many components the digits' subspaces have: the fewest of Table IX.
const tunedDigits = 50

func planTunedSinc(_ context.Context, _ *experiment.Env, f tuningFamily) ([]experiment.Case, error) {
	var out []experiment.Case
	for _, c := range sincCases {
		var entrants []experiment.Entrant
		for _, t := range c.machines() {
			entrants = append(entrants, t.supervised("mae", catalog.Regress, f.score, rmseOf)...)
		}
		out = append(out, experiment.Case{Data: f.data(c.data, f.dirt[0]), Stream: "tuning sinc " + c.data, Entrants: entrants, Draw: func(_ context.Context, seed uint64) (any, error) {
			made, err := synthetic.Generate("sinc", map[string]string{"noise": c.noise}, seed)
			if err != nil {
				return nil, err
			}
			return &divided{made.Set, made.Test}, nil
		}})
	}
	return out, nil
}

func planTunedMachines(ctx context.Context, e *experiment.Env, f tuningFamily) ([]experiment.Case, error) {
	var out []experiment.Case
	for _, c := range classCases {
		if !slices.Contains(f.sets, c.data) {
			continue
		}
		set, err := e.Read(ctx, classFile(c.data), file.Options{Target: "target", Task: dataset.TaskClass})
		if err != nil {
			return nil, err
		}
		set = unitRange(set, false)
		var entrants []experiment.Entrant
		for _, t := range c.machines() {
			entrants = append(entrants, t.supervised("accuracy", catalog.Classify, f.score, accuracyOf)...)
		}
		for k, noise := range []float64{0, 0.2} {
			out = append(out, experiment.Case{Data: f.data(c.data, f.dirt[k]), Stream: "tuning machines " + c.data, Entrants: entrants, Draw: func(_ context.Context, seed uint64) (any, error) {
				return halve(set, noise, seed)
			}})
		}
	}
	return out, nil
}

func planTunedDigits(ctx context.Context, e *experiment.Env, f tuningFamily) ([]experiment.Case, error) {
	digits, err := firstDigits(ctx, e)
	if err != nil {
		return nil, err
	}
	var entrants []experiment.Entrant
	for _, t := range tunedReducers() {
		entrants = append(entrants, t.subspaces(tunedDigits, func(ctx context.Context, b *experiment.Bench, s subspace) error {
			clean := b.Data.(*divided).test
			labels, err := clusterRows(ctx, s.scores(clean.X), 3, kmeansOnce, b.Seed)
			if err != nil {
				return err
			}
			a, err := score.MatchedAccuracy(clean.Target.Labels, labels)
			b.Score(f.score, 100*a)
			return err
		})...)
	}
	return []experiment.Case{{Data: f.data(f.sets[0], f.dirt[0]), Stream: "tuning digits", Entrants: entrants, Draw: func(_ context.Context, seed uint64) (any, error) {
		task, err := drawDigits(digits, seed)
		if err != nil {
			return nil, err
		}
		return &divided{task.learn, task.clean}, nil
	}}}, nil
}
