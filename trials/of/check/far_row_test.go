package check

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// A row that is far out in all its cells, as sums amid a table are, hides no mistakes of other rows: it set all
// covariances, beside which every miss was small.
func TestSumsAmidTheRowsHideNothing(t *testing.T) {
	for _, far := range []float64{1e4, 1e9, 1e300, -1e300} {
		r := rand.New(rand.NewPCG(3, 1))
		const n, d = 400, 6
		var loads [2][d]float64
		for k := range loads {
			for j := range d {
				loads[k][j] = r.NormFloat64()
			}
		}
		var names []string
		rows := make([][]string, n)
		var wrong []int
		for i := range rows {
			a, b := r.NormFloat64(), r.NormFloat64()
			for j := range d {
				v := 50 + 10*(loads[0][j]*a+loads[1][j]*b+0.5*r.NormFloat64())
				if i%50 == 20 && j == i/50%d {
					v += 75
					wrong = append(wrong, i)
				}
				if i == 233 {
					v = far
				}
				rows[i] = append(rows[i], fmt.Sprintf("%.2f", v))
			}
		}
		for j := range d {
			names = append(names, fmt.Sprintf("m%d", j))
		}
		got, _ := wrongRows(t, tolerant.FromStrings(names, rows, tolerant.Options{}))
		found := 0
		for _, i := range wrong {
			if slices.Contains(got, i) {
				found++
			}
		}
		if found < len(wrong)-1 || !slices.Contains(got, 233) || len(got) > len(wrong)+2 {
			t.Errorf("with a row of %g wrong are %v, not %v and 233", far, got, wrong)
		}
	}
}
