package classify

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// Labels that are right and merely hard to tell are not doubted because their rows lost their vote for it.
func TestHardLabelsAreNotDoubted(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 83))
		const n, d, classes = 600, 6, 6
		centres := mat.NewDense(classes, d, nil)
		centres.Apply(func(_, _ int, _ float64) float64 { return r.NormFloat64() / 2 }, centres)
		x, labels := mat.NewDense(n, d, nil), make([]int, n)
		for i := range n {
			row := x.RawRowView(i)
			for j := range row {
				row[j] = r.NormFloat64()
			}
			best := math.Inf(-1)
			for c := range classes { // by chance, more or less probable by where the row is
				score := -math.Log(-math.Log(r.Float64()))
				for j, v := range row {
					score += v * centres.At(c, j)
				}
				if score > best {
					best, labels[i] = score, c
				}
			}
		}
		m, err := classify.RegMaxCEM{Options: classify.Options{Kernel: kernel.Kernel{Kind: kernel.RBF}}}.Fit(context.Background(), linalg.FromDense(x), labels, classes)
		if err != nil {
			t.Fatal(err)
		}
		doubted := 0
		for _, k := range m.Training().Kind {
			if k == verdict.DoubtfulLabel {
				doubted++
			}
		}
		if doubted > n/40 {
			t.Errorf("seed %d: %d of %d right labels are doubted", seed, doubted, n)
		}
	}
}
