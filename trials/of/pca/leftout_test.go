package pca

import (
	"testing"

	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/verdict"
	"gonum.org/v1/gonum/mat"
)

// flaggedShares fits clean rows and returns the shares of training rows and of new rows
// beyond each of the two cut-offs, averaged over seeds.
func flaggedShares(t *testing.T, make func(pca.Options) method, c synthetic.LowRank, n, seeds int) (train, fresh [2]float64) {
	t.Helper()
	const more = 400
	c.N, c.Outliers, c.Fraction = n+more, "none", 0
	for seed := range uint64(seeds) {
		g, err := c.Generate(seed + 1)
		if err != nil {
			t.Fatal(err)
		}
		rows := mat.DenseCopyOf(g.Set.X.Slice(0, n, 0, c.D))
		m := fit(t, make(pca.Options{Components: 3, Seed: seed}), rows)
		judged, err := m.Judge(t.Context(), mat.DenseCopyOf(g.Set.X.Slice(n, n+more, 0, c.D)))
		if err != nil {
			t.Fatal(err)
		}
		for k, j := range []*verdict.Rows{m.Training(), judged} {
			out := &train
			if k == 1 {
				out = &fresh
			}
			for i := range j.Kind {
				if j.OrthogonalCutoff > 0 && j.OrthogonalDistance[i] > j.OrthogonalCutoff {
					out[0] += 1 / float64(len(j.Kind)*seeds)
				}
				if j.ScoreDistance[i] > j.ScoreCutoff {
					out[1] += 1 / float64(len(j.Kind)*seeds)
				}
			}
		}
	}
	return train, fresh
}

// Each cut-off is a prediction limit of 2.5 %: new clean rows are flagged about as often
// as training rows, also with more columns than rows.
func TestNewCleanRowsAreFlaggedAsOftenAsTrainingRows(t *testing.T) {
	methods := map[string]func(pca.Options) method{
		"pca-robust": func(o pca.Options) method { return pca.Robust{Options: o, Loss: pca.DefaultLoss} },
		"pca":        func(o pca.Options) method { return pca.Classic{o} },
		"pca-gm":     func(o pca.Options) method { return pca.GeneralizedMean{Options: o} },
	}
	for _, c := range []struct {
		n, d, seeds int
		within      float64
	}{{30, 20, 12, 0.05}, {30, 60, 12, 0.05}, {100, 20, 8, 0.02}, {100, 300, 6, 0.02}, {200, 20, 6, 0.02}, {1000, 20, 3, 0.02}} {
		low := synthetic.DefaultLowRank()
		low.D = c.d
		for name, make := range methods {
			if c.n == 1000 && name == "pca-gm" { // slow, and like pca-robust
				continue
			}
			train, fresh := flaggedShares(t, make, low, c.n, c.seeds)
			t.Logf("%s, %d x %d: orthogonal %.1f %% of training rows, %.1f %% of new ones; score %.1f %%, %.1f %%", name, c.n, c.d, 100*train[0], 100*fresh[0], 100*train[1], 100*fresh[1])
			for k, what := range []string{"orthogonal", "score"} {
				if abs(fresh[k]-0.025) > c.within || abs(train[k]-0.025) > c.within {
					t.Errorf("%s, %d x %d: %s cut-off: %.1f %% of training rows, %.1f %% of new ones, want 2.5 %%", name, c.n, c.d, what, 100*train[k], 100*fresh[k])
				}
			}
		}
	}
}
