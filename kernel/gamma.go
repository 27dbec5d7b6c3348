package kernel

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/refusal"
)

// gammaRows is the most rows that the median of distances is taken over.
const gammaRows = 1000

// Resolve fills in an open gamma from the rows of x and leaves everything else:
//
//	rbf         1 / median ||x-y||^2, so that the kernel of a typical pair is 1/e
//	laplace     1 / median ||x-y||_1, likewise
//	polynomial  1 / d
//
// The median is over the pairs of at most 1000 rows, drawn by the seed, that differ at all;
// rows so far off that their distance overflows are the farthest of all.
func (k Kernel) Resolve(x *mat.Dense, seed uint64) (Kernel, error) {
	if err := k.Check(); err != nil {
		return k, err
	}
	if !k.Open() {
		return k, nil
	}
	n, d := x.Dims()
	if n == 0 {
		return k, refusal.Setting("gamma", "%s: gamma=auto needs rows", k.kind())
	}
	if k.kind() == Polynomial {
		k.Gamma = 1 / float64(d)
		return k, nil
	}
	rows := random.New(seed, "kernel gamma").Perm(n)[:min(n, gammaRows)]
	distances, squares := make([]float64, 0, len(rows)*(len(rows)-1)/2), k.kind() == RBF
	for a, i := range rows {
		for _, j := range rows[:a] {
			s, row, other := 0.0, x.RawRowView(i), x.RawRowView(j)
			if squares {
				for l, v := range row {
					s += (v - other[l]) * (v - other[l])
				}
			} else {
				for l, v := range row {
					s += math.Abs(v - other[l])
				}
			}
			if !(s <= math.MaxFloat64) && !(finite(row) && finite(other)) {
				return k, refusal.Setting("gamma", "%s: gamma=auto needs finite numbers; row %d or %d has others", k.kind(), i+1, j+1)
			}
			if s > 0 {
				distances = append(distances, s)
			}
		}
	}
	k.Gamma = 1
	if len(distances) > 0 {
		k.Gamma = min(max(1/univariate.Median(distances), math.SmallestNonzeroFloat64), math.MaxFloat64)
	}
	return k, nil
}

func finite(row []float64) bool {
	for _, v := range row {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return false
		}
	}
	return true
}
