package classify_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// Labels are doubted by how often classes occur, however much their rows count: classes that count the same hide no wrong label of a rare one,
// and a model from its file says the same of its rows and of new ones.
func TestDoubtWithBalancedClasses(t *testing.T) {
	const n, d = 600, 3
	g := rand.New(rand.NewPCG(6, 6))
	x, labels, truth := mat.NewDense(n, d, nil), make([]int, n), make([]int, n)
	changed := 0
	for i := range n {
		if i%20 == 0 {
			truth[i] = 1
		}
		if labels[i] = truth[i]; i%17 == 3 {
			labels[i] = 1 - truth[i]
			changed++
		}
		for j := range d {
			x.Set(i, j, 1.8*float64(truth[i])+g.NormFloat64())
		}
	}
	balanced := classify.Options{ClassWeights: classify.Balanced}
	for _, m := range []besides{classify.Square{Options: balanced}, classify.Logistic{Options: balanced}, classify.Hinge{Options: balanced}, classify.RegMaxCEM{Options: balanced}} {
		model, err := m.Fit(t.Context(), linalg.FromDense(x), labels, 2)
		if err != nil {
			t.Fatal(err)
		}
		found, falsely := 0, 0
		for i, kind := range model.Training().Kind {
			if kind == verdict.DoubtfulLabel && labels[i] != truth[i] {
				found++
			} else if kind == verdict.DoubtfulLabel {
				falsely++
			}
			if kind == verdict.DoubtfulLabel && model.Training().Label[i] == labels[i] {
				t.Errorf("%T: the label of row %d is doubtful, and the one it should have", m, i)
			}
		}
		if found < 8*changed/10 || falsely > found/2 {
			t.Errorf("%T: %d of %d wrong labels are found, and %d others doubted", m, found, changed, falsely)
		}
		var file bytes.Buffer
		if _, err := model.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		again, err := classify.Read(&file)
		if err != nil {
			t.Fatal(err)
		}
		for i, label := range labels {
			if v := model.JudgeRow(x.RawRowView(i), -1); v.Kind == verdict.DoubtfulLabel {
				t.Fatalf("%T: row %d has no label to doubt", m, i)
			}
			for _, off := range []float64{0, 1e-3} {
				row := append([]float64(nil), x.RawRowView(i)...)
				row[0] += off
				if a, b := model.JudgeRow(row, label), again.JudgeRow(row, label); a != b {
					t.Fatalf("%T: row %d, %g off: %v, from the file %v", m, i, off, a, b)
				}
			}
		}
	}
}
