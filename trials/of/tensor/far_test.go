package tensor

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/tensor"
	"gonum.org/v1/gonum/mat"
)

// Samples that are not numbers are refused, by name; they are not judged.
func TestMissingNumbersAreNotJudged(t *testing.T) {
	x := made(t, 30, []int{6, 5}, []int{2, 2}, 0, 5).Set.X
	m := mustFit(t, tensor.Corr{Options: tensor.Options{Shape: []int{6, 5}, Rank: []int{2, 2}}}, x)
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		y := mat.DenseCopyOf(x)
		y.Set(4, 3, v)
		if j, err := m.Judge(context.Background(), y); err == nil {
			t.Errorf("a sample with %v is %v", v, j.Kind[4])
		}
	}
}

// Samples of exact rank whose last column is the sum of the others, all rounded: what rounding
// explains makes no outlier, a sample that is off by more does.
func TestRoundedSamples(t *testing.T) {
	const n, rows, side = 200, 2, 3
	g := rand.New(rand.NewPCG(1, 9))
	x := mat.NewDense(n, rows*side, nil)
	for i := range n {
		for r := range rows {
			sum := 0.0
			for c := range side - 1 {
				v := 10 + 3*g.NormFloat64()
				sum += v
				x.Set(i, r*side+c, math.Round(v*100)/100)
			}
			x.Set(i, r*side+side-1, math.Round(sum*100)/100)
		}
	}
	x.Set(7, 2, x.At(7, 2)+0.5)
	m := mustFit(t, tensor.Robust{Options: tensor.Options{Shape: []int{rows, side}, Rank: []int{rows, side - 1}}}, x)
	if j := m.Training(); j.Count() > n/10 || !j.Outlier[7] {
		t.Errorf("%d of %d rounded samples are outliers; the faulty one: %v", j.Count(), n, j.Outlier[7])
	}
}

// Far samples that take turns are no more the middle of the others than those that do not.
func TestFarSamplesThatTakeTurns(t *testing.T) {
	const n = 100
	for turn := range 10 {
		g := rand.New(rand.NewPCG(2, 9))
		x := mat.NewDense(n, 6, nil)
		for i := range n {
			a, b := g.NormFloat64(), g.NormFloat64()
			for j := range 6 {
				x.Set(i, j, a*float64(j)+b+0.1*g.NormFloat64())
				if i%10 == turn {
					x.Set(i, j, 1e300)
				}
			}
		}
		m := mustFit(t, tensor.Robust{Options: tensor.Options{Shape: []int{2, 3}, Rank: []int{2, 2}}}, x)
		for i := turn; i < n; i += 10 {
			if !m.Training().Outlier[i] {
				t.Fatalf("turn %d: row %d is no outlier", turn, i)
			}
		}
		if m.Training().Count() > 25 {
			t.Errorf("turn %d: %d outliers", turn, m.Training().Count())
		}
	}
}
