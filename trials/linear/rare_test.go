package linear

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linear"
	"github.com/inlier-ml/inlier/loss"
)

// stream is a table that is not in memory.
type stream struct{ x *mat.Dense }

func (s stream) Dims() (rows, columns int) { return s.x.Dims() }

func (s stream) Scan(_ context.Context, visit func(first int, block *mat.Dense) error) error {
	n, d := s.x.Dims()
	for at := 0; at < n; at += 1000 {
		if err := visit(at, s.x.Slice(at, min(at+1000, n), 0, d).(*mat.Dense)); err != nil {
			return err
		}
	}
	return nil
}

// table is y = a + slope b + 2 c + noise of 1/2, y being the last column; draw makes b.
func table(n int, slope float64, draw func(r *rand.Rand, i int) float64) *mat.Dense {
	r := rand.New(rand.NewPCG(1, 2))
	x := mat.NewDense(n, 4, nil)
	for i := range n {
		a, b, c := r.NormFloat64(), draw(r, i), r.NormFloat64()
		x.SetRow(i, []float64{a, b, c, a + slope*b + 2*c + r.NormFloat64()/2})
	}
	return x
}

func fitTable(t *testing.T, o linear.Robust, x linalg.Source) *linear.Model {
	t.Helper()
	m, err := o.FitBeside(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// told counts the outliers among the rows whose b is far from 0.
func told(m *linear.Model, x *mat.Dense) (told, rows int) {
	for i, v := range m.Training().Outlier {
		if math.Abs(x.At(i, 1)) > 0.5 {
			if rows++; v {
				told++
			}
		}
	}
	return told, rows
}

// Rows of a rare category are as far out as it is rare. They are no mistakes, also where samples of the rows hold none.
func TestRareCategories(t *testing.T) {
	for _, rare := range []int{1, 2, 5, 20} {
		for _, n := range []int{5000, 20000} {
			x := table(n, 3, func(_ *rand.Rand, i int) float64 {
				if i%7 == 0 && i < 7*rare {
					return 1
				}
				return 0
			})
			m := fitTable(t, linear.Robust{}, linalg.FromDense(x))
			_, columns := m.Table()
			c := columns[1]
			if n, _ := told(m, x); n > 1 || len(m.Dropped()) > 0 || !(math.Abs(c.Value-3) < 3.5*c.Error) || c.Error > 0.8/math.Sqrt(float64(rare)) {
				t.Errorf("%d of %d rows: coefficient %.3g (%.2g), %d told, dropped %v", rare, len(m.Weights()), c.Value, c.Error, n, m.Dropped())
			}
		}
	}
}

// A table in blocks has the standard errors of the same in memory, also where a block holds a category once.
func TestErrorsOfRareCategoriesInBlocks(t *testing.T) {
	x := table(100000, 1, func(r *rand.Rand, _ int) float64 {
		if r.IntN(1000) == 0 {
			return 1
		}
		return 0
	})
	_, within := fitTable(t, linear.Robust{}, linalg.FromDense(x)).Table()
	_, blocks := fitTable(t, linear.Robust{}, stream{x}).Table()
	for j, c := range within {
		if math.Abs(blocks[j].Error/c.Error-1) > 0.01 || math.Abs(blocks[j].Value-c.Value) > 0.1*c.Error {
			t.Errorf("column %d: %.4g (%.3g) in memory, %.4g (%.3g) in blocks", j+1, c.Value, c.Error, blocks[j].Value, blocks[j].Error)
		}
	}
}

// Without an intercept columns far from 0 are far from 0 in every row.
func TestColumnsFarFromZeroWithoutIntercept(t *testing.T) {
	for _, zeros := range []float64{0.02, 0.3} {
		x := table(300, 0.5, func(r *rand.Rand, _ int) float64 {
			if r.Float64() < zeros {
				return 0
			}
			return 100 + r.NormFloat64()/2
		})
		m := fitTable(t, linear.Robust{NoIntercept: true}, linalg.FromDense(x))
		if n, rows := told(m, x); n > rows/20 || math.Abs(m.Coef()[1]-0.5) > 0.01 {
			t.Errorf("%.0f %% zeros: coefficient %.3g, %d of %d told", 100*zeros, m.Coef()[1], n, rows)
		}
	}
}

// A sensor that is quiet most of the time and then is not: its loud hours confirm each other.
func TestLoudHours(t *testing.T) {
	for _, share := range []float64{0.05, 0.4} {
		x := table(500, 0.5, func(r *rand.Rand, _ int) float64 {
			if r.Float64() < share {
				return 10 + r.NormFloat64()
			}
			return r.NormFloat64() / 100
		})
		m := fitTable(t, linear.Robust{}, linalg.FromDense(x))
		if n, rows := told(m, x); n > rows/20+1 || math.Abs(m.Coef()[1]-0.5) > 0.03 {
			t.Errorf("%.0f %% loud: coefficient %.3g, %d of %d told", 100*share, m.Coef()[1], n, rows)
		}
	}
}

// An integer weight is as many copies of the row, also of one that is far beyond the others.
func TestFarRowsOfWeight(t *testing.T) {
	x := table(60, 0, func(r *rand.Rand, _ int) float64 { return r.NormFloat64() })
	x.Set(7, 1, 1e6)
	for _, count := range []int{5, 30} {
		var repeated []float64
		w := make([]float64, 60)
		for i := range w {
			w[i] = 1
			repeated = append(repeated, x.RawRowView(i)...)
		}
		for w[7] = float64(count); len(repeated) < 4*(59+count); {
			repeated = append(repeated, x.RawRowView(7)...)
		}
		weighted := fitTable(t, linear.Robust{Weights: w}, linalg.FromDense(x))
		plain := fitTable(t, linear.Robust{}, linalg.FromDense(mat.NewDense(59+count, 4, repeated)))
		if a, b := weighted.Warnings(), plain.Warnings(); len(a) != len(b) || weighted.Training().Outlier[7] != plain.Training().Outlier[7] {
			t.Errorf("%d times: %v by weight, %v by repetition", count, a, b)
		}
	}
}

// A column that changes outside the sample alone is left out of a fit in blocks, which says so.
func TestColumnsThatASampleSeesConstant(t *testing.T) {
	for row := 20; row < 40; row++ { // of these some are in the sample
		x := table(80000, 5, func(_ *rand.Rand, i int) float64 {
			if i == row {
				return 1
			}
			return 0
		})
		m := fitTable(t, linear.Robust{}, stream{x})
		if len(m.Dropped()) == 0 {
			continue
		}
		if len(m.Warnings()) == 0 {
			t.Error("nothing is said")
		}
		return
	}
	t.Error("every row is in the sample")
}

// A loss with a corner, for which reweighting is slow, ends in blocks where it does in memory.
func TestCornersInBlocks(t *testing.T) {
	x := table(80000, 1, func(r *rand.Rand, _ int) float64 { return r.ExpFloat64() })
	o := linear.Robust{Loss: loss.MustParse("l1")}
	_, within := fitTable(t, o, linalg.FromDense(x)).Table()
	_, blocks := fitTable(t, o, roomless{stream{x}}).Table()
	for j, c := range within {
		if off := math.Abs(blocks[j].Value-c.Value) / c.Error; off > 0.3 {
			t.Errorf("column %d is off by %.2g standard errors", j+1, off)
		}
	}
}

// roomless is a table of which little may be in memory.
type roomless struct{ stream }

func (roomless) Room() int { return 40000 }

// Ten rows and five columns are enough to tell one absurd cell in a column that does not matter.
func TestFarCellInTenRows(t *testing.T) {
	found := 0
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 9))
		x := mat.NewDense(10, 6, nil)
		for i := range 10 {
			for j := range 5 {
				x.Set(i, j, r.NormFloat64())
			}
			x.Set(i, 5, x.At(i, 0)+r.NormFloat64()/2)
		}
		x.Set(2, 4, 1e5)
		if fitTable(t, linear.Robust{Seed: seed}, linalg.FromDense(x)).Training().Outlier[2] {
			found++
		}
	}
	if found < 28 {
		t.Errorf("told in %d of 30 tables", found)
	}
}

// The only row of the category that all others are compared with decides the intercept, which is as uncertain as that row.
func TestErrorsBesideASingleReference(t *testing.T) {
	x := mat.NewDense(300, 4, nil)
	r := rand.New(rand.NewPCG(1, 5))
	for i := range 300 {
		row := []float64{0, 0, r.NormFloat64(), r.NormFloat64() / 2}
		if i > 0 {
			row[i%2] = 1 // one of two categories
		}
		x.SetRow(i, row)
	}
	intercept, columns := fitTable(t, linear.Robust{}, linalg.FromDense(x)).Table()
	for _, c := range []linear.Coefficient{intercept, columns[0], columns[1]} {
		if c.Error < 0.3 || c.Error > 0.8 {
			t.Errorf("%.3g has a standard error of %.3g; the noise is 0.5", c.Value, c.Error)
		}
	}
}
