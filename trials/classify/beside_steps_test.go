package classify_test

import (
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/irls"
)

// A fit in blocks keeps to max-steps and tol: each step is a reading of the whole table.
func TestFitBesideKeepsToSteps(t *testing.T) {
	const n, d = 9000, 3
	g := rand.New(rand.NewPCG(8, 8))
	table, counts := mat.NewDense(n, d+1, nil), make([]int, 2)
	for i := range n {
		row := table.RawRowView(i)
		for j := range d {
			row[j] = g.NormFloat64()
		}
		if row[0]*row[1]+row[0]+g.NormFloat64() > 0 {
			row[d] = 1
		}
		counts[int(row[d])]++
	}
	read := func(o classify.Options) (int, irls.Status) {
		src := &blocks{x: table, room: 500 * d}
		o.Calibration = classify.NoCalibration
		m, err := classify.Logistic{Options: o}.FitBeside(t.Context(), src, counts)
		if err != nil {
			t.Fatal(err)
		}
		return src.scans, m.Status()
	}
	usual, how := read(classify.Options{})
	once, limit := read(classify.Options{MaxSteps: 1})
	rough, enough := read(classify.Options{Tol: 0.1})
	if how != irls.Converged || limit != irls.StepLimit || once >= usual {
		t.Errorf("%d readings, %v; with max-steps=1 %d, %v", usual, how, once, limit)
	}
	if enough != irls.Converged || rough >= usual {
		t.Errorf("%d readings; with tol=0.1 %d, %v", usual, rough, enough)
	}
}
