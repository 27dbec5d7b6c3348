package nearest

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// Rows however far off cost themselves and nothing else where weights are learned; plain
// centers take them as they are. Distances stay finite.
func TestFarRowsInTraining(t *testing.T) {
	x, labels := classes(3, 300, 6, 3, 0.5)
	clean, err := Centers{}.Fit(context.Background(), linalg.FromDense(x), labels, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, size := range []float64{1e3, -1e9, 1e160, -1e300} {
		dirty := mat.DenseCopyOf(x)
		for i := 0; i < 300; i += 18 {
			dirty.Set(i, i%6, size)
		}
		for _, c := range []Centers{{}, {Loss: robust(t, "gcorr:alpha=2,beta=auto")}} {
			m, err := c.Fit(context.Background(), linalg.FromDense(dirty), labels, 3)
			if err != nil {
				t.Errorf("%g: %v", size, err)
				continue
			}
			distance, err := m.Distances(context.Background(), dirty)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range append(distance.RawMatrix().Data, append(m.Cutoffs(), m.Objective())...) {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%g: distance %v", size, v)
				}
			}
			if c.Loss == (Centers{}).Loss {
				continue
			}
			var off mat.Dense
			off.Sub(m.Centers(), clean.Centers())
			if e := mat.Norm(&off, 2); e > 0.3 {
				t.Errorf("%g: centers are %g off", size, e)
			}
			v := judge(distance, m.Cutoffs(), labels)
			wrong := 0
			for i, k := range v.Kind {
				if bad := i%18 == 0; bad && k == verdict.Regular {
					t.Errorf("%g: row %d is regular", size, i)
				} else if !bad && k != verdict.Regular {
					wrong++
				}
			}
			if wrong > 25 {
				t.Errorf("%g: %d clean rows are flagged", size, wrong)
			}
		}
	}
}

// Numbers that are none are refused in training and never regular afterwards.
func TestMissingNumbers(t *testing.T) {
	x, labels := classes(7, 90, 4, 3, 0.5)
	m, err := Centers{}.Fit(context.Background(), linalg.FromDense(x), labels, 3)
	if err != nil {
		t.Fatal(err)
	}
	x.Set(4, 2, math.NaN())
	if _, err := (Centers{}).Fit(context.Background(), linalg.FromDense(x), labels, 3); err == nil {
		t.Error("NaN in training: no error")
	}
	distance, err := m.Distances(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	if k := judge(distance, m.Cutoffs(), labels).Kind[4]; k == verdict.Regular {
		t.Error("a row of NaN is regular")
	}
	x.Set(5, 1, math.Inf(1))
	for _, shape := range [][]int{nil, {2, 2}} {
		m.shape = shape
		v, err := m.Judge(context.Background(), x, nil)
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Predict(context.Background(), x)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range []int{4, 5} {
			if one := m.JudgeRow(x.RawRowView(i), 1); one != v.Row(i) || one.Label != -1 || one.Kind != verdict.Missing || p.Labels[i] != -1 || m.PredictRow(x.RawRowView(i)) != -1 {
				t.Errorf("row %d, shape %v: %+v alone, %+v among others, predicted %d", i, shape, one, v.Row(i), p.Labels[i])
			}
		}
		if p.Labels[6] != labels[6] || v.Label[6] != labels[6] {
			t.Error("another row lost its label")
		}
	}
}

// A cut-off is in the units of the data, however small these are.
func TestCutoffsFollowTheUnit(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	x, labels := mat.NewDense(200, 2, nil), make([]int, 200)
	for i := range labels {
		labels[i] = i % 2
		x.SetRow(i, []float64{8*float64(i%2) + r.NormFloat64(), r.NormFloat64()})
	}
	x.SetRow(7, []float64{3, 90})
	far := func(unit float64) int {
		var y mat.Dense
		y.Scale(unit, x)
		m, err := Centers{}.Fit(context.Background(), linalg.FromDense(&y), labels, 2)
		if err != nil {
			t.Fatal(err)
		}
		distance, err := m.Distances(context.Background(), &y)
		if err != nil {
			t.Fatal(err)
		}
		count := 0
		for _, kind := range judge(distance, m.Cutoffs(), labels).Kind {
			if kind != verdict.Regular {
				count++
			}
		}
		return count
	}
	want := far(1)
	for _, unit := range []float64{0x1p-60, 0x1p-200, 0x1p200} {
		if got := far(unit); got != want || want == 0 {
			t.Errorf("unit %g: %d rows are far, in units of 1 there are %d", unit, got, want)
		}
	}
}
