package nearest

import (
	"context"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/nearest"
)

// A class whose numbers are huge does not hide what is wrong in the others: what counts as
// rounding is a class's own.
func TestAHugeClassHidesNothing(t *testing.T) {
	for _, huge := range []float64{1e3, 1e15, 1e100} {
		draw := rand.New(rand.NewPCG(4, 1))
		x, labels := mat.NewDense(90, 3, nil), make([]int, 90)
		for i := range 90 {
			labels[i] = i % 3
			for j := range 3 {
				v := float64(5*labels[i]) + draw.NormFloat64()
				if labels[i] == 2 {
					v = huge * (1 + 0.1*draw.NormFloat64())
				}
				x.Set(i, j, v)
			}
		}
		x.SetRow(0, []float64{-30, 25, -28})
		x.SetRow(1, []float64{40, -31, 22})
		m, err := nearest.Centers{}.Fit(context.Background(), linalg.FromDense(x), labels, 3)
		if err != nil {
			t.Fatal(err)
		}
		v := m.Training()
		if !v.Outlier[0] || !v.Outlier[1] || v.Count() > 12 {
			t.Errorf("size %g: %v %v, %d flagged", huge, v.Kind[0], v.Kind[1], v.Count())
		}
	}
}

// A class of two rows does not take their own limits from large classes that are unlike.
func TestASmallClassLeavesLimitsOfLargeOnes(t *testing.T) {
	const each = 150
	draw := rand.New(rand.NewPCG(4, 7))
	x, labels := mat.NewDense(6*each+2, 3, nil), make([]int, 6*each+2)
	for i := range labels {
		labels[i] = min(i/each, 6)
		spread := 0.5
		if labels[i] > 2 {
			spread = 2
		}
		for j := range 3 {
			x.Set(i, j, float64(40*labels[i]*(j+1))+spread*draw.NormFloat64())
		}
	}
	m, err := nearest.Centers{}.Fit(context.Background(), linalg.FromDense(x), labels, 7)
	if err != nil {
		t.Fatal(err)
	}
	flagged := make([]int, 7)
	for i, out := range m.Training().Outlier {
		if out {
			flagged[labels[i]]++
		}
	}
	for k, count := range flagged {
		if count > each/12 {
			t.Errorf("class %d: %d of %d rows flagged", k, count, each)
		}
	}
}
