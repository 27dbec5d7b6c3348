package nearest

import (
	"bytes"
	"context"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/nearest"
	"gonum.org/v1/gonum/mat"
)

// Data far from the origin have the same cut-offs as data near it.
func TestCutoffsDoNotDependOnTheOrigin(t *testing.T) {
	x, labels := classes(3, 90, 6, 3, 0.5)
	moved := mat.DenseCopyOf(x)
	moved.Apply(func(_, _ int, v float64) float64 { return v + 1e9 }, moved)
	a, err := nearest.Centers{}.Fit(context.Background(), linalg.FromDense(x), labels, 3)
	if err != nil {
		t.Fatal(err)
	}
	b, err := nearest.Centers{}.Fit(context.Background(), linalg.FromDense(moved), labels, 3)
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range a.Cutoffs() {
		if e := math.Abs(b.Cutoffs()[k] - v); e > 1e-5*v {
			t.Errorf("cut-off %v, far from the origin %v", v, b.Cutoffs()[k])
		}
	}
}

// A count of two is the same as two equal rows: centers, weights and cut-offs.
func TestCountsAreRepeatedRows(t *testing.T) {
	x, labels := classes(7, 90, 4, 3, 0.5)
	counts := make([]float64, 90)
	var rows []int
	for i := range counts {
		counts[i] = float64((i*7 + i/5) % 4)
		for range int(counts[i]) {
			rows = append(rows, i)
		}
	}
	repeated, again := mat.NewDense(len(rows), 4, nil), make([]int, len(rows))
	for k, i := range rows {
		repeated.SetRow(k, x.RawRowView(i))
		again[k] = labels[i]
	}
	for _, text := range []string{"", "gcorr:alpha=2,beta=auto"} {
		a, b := nearest.Centers{Weights: counts}, nearest.Centers{}
		if text != "" {
			a.Loss, b.Loss = robust(t, text), robust(t, text)
		}
		p, err := a.Fit(context.Background(), linalg.FromDense(x), labels, 3)
		if err != nil {
			t.Fatal(err)
		}
		q, err := b.Fit(context.Background(), linalg.FromDense(repeated), again, 3)
		if err != nil {
			t.Fatal(err)
		}
		if !mat.EqualApprox(p.Centers(), q.Centers(), 1e-6) {
			t.Errorf("%q: centers differ", text)
		}
		for k, v := range q.Cutoffs() {
			if math.Abs(p.Cutoffs()[k]-v) > 1e-6*v {
				t.Errorf("%q: cut-off %v with counts, %v with repeated rows", text, p.Cutoffs()[k], v)
			}
		}
	}
}

// A model that was read tells the same as the one that was written.
func TestReadModelTellsTheSame(t *testing.T) {
	x, labels := mat.NewDense(9, 1, []float64{1, 2, 4, 11, 12, 14, 21, 22, 24}), []int{0, 0, 0, 1, 1, 1, 2, 2, 2}
	for _, c := range []nearest.Centers{{}, {Loss: loss.MustParse("welsch")}, {Similar: true}} {
		m, err := c.Fit(t.Context(), linalg.FromDense(x), labels, 3)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if _, err := m.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		read, err := nearest.Read(&file)
		if err != nil {
			t.Fatal(err)
		}
		if read.Objective() != m.Objective() || read.Bandwidth() != m.Bandwidth() || m.Objective() == 0 {
			t.Errorf("objective %g and scale %g, not %g and %g", read.Objective(), read.Bandwidth(), m.Objective(), m.Bandwidth())
		}
	}
}
