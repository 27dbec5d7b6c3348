package tensor

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/verdict"
)

// shareFlagged is the share of outliers in percent.
func shareFlagged(j *verdict.Rows) float64 { return 100 * float64(j.Count()) / float64(len(j.Kind)) }

// Two cut-offs that 97.5 % of regular samples stay below flag 4.9 % together, of new samples
// as of training samples, also where the factors have more directions than the samples: the
// factors then follow the noise of the training samples, which lie up to 80 % closer than new ones.
func TestNewSamplesAreFlaggedLikeTraining(t *testing.T) {
	const fresh, nominal = 1000, 100 * (1 - cutoffLevel*cutoffLevel)
	shape := []int{20, 20}
	for _, c := range []struct {
		n, repeats int
		rank       []int
		within     float64
	}{{30, 4, nil, 5}, {30, 4, []int{3, 3}, 5}, {100, 4, nil, 2}, {100, 4, []int{3, 3}, 2}, {1000, 1, []int{10, 10}, 2}} {
		for name, build := range map[string]func(o Options) method{
			"tensor-robust": func(o Options) method { return Robust{Options: o, Loss: DefaultLoss} },
			"2dsvd":         func(o Options) method { return SVD2D{Options: o, Once: c.n < 100} },
			"l1-2dpca": func(o Options) method {
				o.Rank = []int{3}
				return L1PCA2D{o}
			},
		} {
			if name != "tensor-robust" && c.n == 1000 {
				continue
			}
			var judged, training float64
			for seed := range c.repeats {
				all := made(t, c.n+fresh, shape, []int{3, 3}, 0, uint64(seed+1)).Set.X
				m := mustFit(t, build(Options{Shape: shape, Rank: c.rank}), mat.DenseCopyOf(all.Slice(0, c.n, 0, 400)))
				j, err := m.Judge(context.Background(), all.Slice(c.n, c.n+fresh, 0, 400).(*mat.Dense))
				if err != nil {
					t.Fatal(err)
				}
				judged += shareFlagged(j) / float64(c.repeats)
				training += shareFlagged(m.Training()) / float64(c.repeats)
			}
			t.Logf("%s of rank %v from %d samples: %.1f %% of new ones are flagged, %.1f %% of its own", name, c.rank, c.n, judged, training)
			if math.Abs(judged-nominal) > c.within {
				t.Errorf("%s of rank %v from %d samples: %.1f %% of new ones are flagged, nominal are %.1f", name, c.rank, c.n, judged, nominal)
			}
			if math.Abs(judged-training) > c.within+2 {
				t.Errorf("%s of rank %v from %d samples: %.1f %% of new ones are flagged, %.1f %% of its own", name, c.rank, c.n, judged, training)
			}
		}
	}
}
