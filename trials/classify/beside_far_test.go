package classify_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// labelled draws rows of three classes and hands back the table with the classes as its last column, the rows alone, the classes and their counts.
func labelled(n, d int, seed uint64, change func(i int, row []float64)) (table, x *mat.Dense, labels, counts []int) {
	draw := rand.New(rand.NewPCG(seed, 1))
	centre := make([]float64, 3*d)
	for i := range centre {
		centre[i] = draw.NormFloat64()
	}
	table, x, labels, counts = mat.NewDense(n, d+1, nil), mat.NewDense(n, d, nil), make([]int, n), make([]int, 3)
	for i := range n {
		l := draw.IntN(3)
		row := table.RawRowView(i)
		for j := range d {
			row[j] = centre[l*d+j] + draw.NormFloat64()
		}
		change(i, row[:d])
		row[d], labels[i] = float64(l), l
		counts[l]++
		copy(x.RawRowView(i), row)
	}
	return table, x, labels, counts
}

// Rows of ticks, of which more than half have none at all, have one and the same score: nobody is far from every class, neither in memory
// nor in blocks, where the coefficients move after the sample has been looked at.
func TestTicksAreNotFar(t *testing.T) {
	const n, d = 9000, 12
	for seed := range uint64(1) {
		table, x, labels, counts := labelled(n, d, 8+seed, func(_ int, row []float64) {
			for j, v := range row {
				if row[j] = 0; v > 2.5 {
					row[j] = 1
				}
			}
		})
		for _, with := range []besides{classify.Square{}, classify.Hinge{}} {
			m, err := with.Fit(t.Context(), linalg.FromDense(x), labels, 3)
			if err != nil {
				t.Fatal(err)
			}
			if far := m.Training().CountKind(verdict.FarFromAll); far > n/100 {
				t.Errorf("%T, seed %d: %d of %d rows in memory are far from every class", with, seed, far, n)
			}
			b, err := with.FitBeside(t.Context(), &blocks{x: table, room: 2000 * (d + 1)}, counts)
			if err != nil {
				t.Fatal(err)
			}
			judged, err := b.Judge(t.Context(), x, labels)
			if err != nil {
				t.Fatal(err)
			}
			if far := judged.CountKind(verdict.FarFromAll); far > n/100 {
				t.Errorf("%T, seed %d: %d of %d rows in blocks are far from every class", with, seed, far, n)
			}
			if rows, known := b.OutlyingRows(); !known || len(rows) != judged.Count() {
				t.Errorf("%T, seed %d: %d outliers by the fit, %d by the model", with, seed, len(rows), judged.Count())
			}
		}
	}
}

// Rows that are far from every class have no say in blocks as in memory: neither in the objective nor beside the penalty nor in the number of rows
// that the fit tells, and it tells of them.
func TestBesideWithoutFarRows(t *testing.T) {
	const n, d = 6000, 4
	table, x, labels, counts := labelled(n, d, 3, func(i int, row []float64) {
		if i%5 == 0 {
			row[i%d] = 1e5
		}
	})
	o := classify.Options{Lambda: 0.05, Calibration: classify.NoCalibration}
	open := classify.Options{Calibration: classify.NoCalibration}
	for _, with := range []besides{classify.Square{Options: o}, classify.Logistic{Options: o}, classify.Hinge{Options: o}, classify.Square{Options: open}} {
		m, err := with.Fit(t.Context(), linalg.FromDense(x), labels, 3)
		if err != nil {
			t.Fatal(err)
		}
		b, err := with.FitBeside(t.Context(), &blocks{x: table, room: 2000 * (d + 1)}, counts)
		if err != nil {
			t.Fatal(err)
		}
		if off := b.Objective()/m.Objective() - 1; math.Abs(off) > 0.01 {
			t.Errorf("%T: objective %g in blocks, %g in memory", with, b.Objective(), m.Objective())
		}
		if b.Effective() != m.Effective() {
			t.Errorf("%T: %g rows count in blocks, %g in memory", with, b.Effective(), m.Effective())
		}
		if said := strings.Join(b.Warnings(), " "); !strings.Contains(said, "1200 of 6000 rows were left out") {
			t.Errorf("%T: nothing is said of the rows that were left out: %q", with, said)
		}
	}
}

// Without clipping a value that the sample does not know leaves the other columns theirs: it ended in an objective of 1e168, called converged.
func TestBesideUnclipped(t *testing.T) {
	const n, d = 6000, 4
	for _, value := range []float64{1e6, 1e300} {
		table, x, labels, counts := labelled(n, d, 8, func(i int, row []float64) {
			if i == 3001 {
				row[1] = value
			}
		})
		o := classify.Options{Clip: math.Inf(1), Calibration: classify.NoCalibration}
		for _, with := range []besides{classify.Square{Options: o}, classify.Logistic{Options: o}} {
			m, err := with.Fit(t.Context(), linalg.FromDense(x), labels, 3)
			if err != nil {
				t.Fatal(err)
			}
			b, err := with.FitBeside(t.Context(), &blocks{x: table, room: 2000 * (d + 1)}, counts)
			if err != nil {
				t.Fatal(err)
			}
			if off := b.Objective()/m.Objective() - 1; !(math.Abs(off) < 1e-3) || b.Status() != m.Status() {
				t.Errorf("%T with %g: objective %g (%v) in blocks, %g (%v) in memory", with, value, b.Objective(), b.Status(), m.Objective(), m.Status())
			}
			if said := strings.Join(b.Warnings(), " "); !strings.Contains(said, "may spoil the fit") {
				t.Errorf("%T with %g: nothing is said of the value: %q", with, value, said)
			}
		}
	}
}
