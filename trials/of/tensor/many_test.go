package tensor

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/tensor"
)

// blocks is a table that is not in memory, with room for a sample, and counts how often it is read.
type blocks struct {
	linalg.Source
	room, scans int
}

func (b *blocks) Room() int { return b.room }

func (b *blocks) Scan(ctx context.Context, visit func(first int, block *mat.Dense) error) error {
	b.scans++
	return b.Source.Scan(ctx, visit)
}

// pictures are products of two factors with noise; a tenth is off.
func pictures(n int, shape []int) *mat.Dense {
	r := rand.New(rand.NewPCG(5, 5))
	rows, cols := shape[0], shape[1]
	left, right := make([]float64, rows*2), make([]float64, cols*2)
	for _, v := range [][]float64{left, right} {
		for i := range v {
			v[i] = r.NormFloat64()
		}
	}
	out := mat.NewDense(n, rows*cols, nil)
	for i := range n {
		core := [4]float64{4 * r.NormFloat64(), 2 * r.NormFloat64(), 2 * r.NormFloat64(), r.NormFloat64()}
		row := out.RawRowView(i)
		for a := range rows {
			for b := range cols {
				v := 1 + 0.5*r.NormFloat64()
				for p := range 2 {
					for q := range 2 {
						v += core[2*p+q] * left[2*a+p] * right[2*b+q]
					}
				}
				if i%10 == 3 {
					v += 6 * math.Sin(float64(a*b))
				}
				row[a*cols+b] = v
			}
		}
	}
	return out
}

// Samples that are not in memory are read four times and end where all of them in memory do.
func TestManySamples(t *testing.T) {
	ctx, shape := context.Background(), []int{6, 5}
	x := pictures(9000, shape)
	x.Set(17, 3, 1e200)
	weights := make([]float64, 9000)
	for i := range weights {
		weights[i] = float64(1 + i%2)
	}
	wide := loss.FixedAt(20)
	for name, fit := range map[string]func(linalg.Source) (*tensor.Model, error){
		"2dsvd": func(s linalg.Source) (*tensor.Model, error) {
			return tensor.SVD2D{Options: tensor.Options{Shape: shape, Rank: []int{2, 2}}}.Fit(ctx, s)
		},
		"corr-2dsvd": func(s linalg.Source) (*tensor.Model, error) {
			return tensor.Corr{Options: tensor.Options{Shape: shape, Rank: []int{2, 2}}, Beta: wide}.Fit(ctx, s)
		},
		"corr-tensor": func(s linalg.Source) (*tensor.Model, error) {
			return tensor.Corr{Options: tensor.Options{Shape: shape, Rank: []int{5, 5}, LearnRank: []int{2}, Weights: weights}, Beta: wide}.Fit(ctx, s)
		},
		"three modes": func(s linalg.Source) (*tensor.Model, error) {
			return tensor.Corr{Options: tensor.Options{Shape: []int{3, 2, 5}, Rank: []int{2, 2, 2}}, Beta: wide}.Fit(ctx, s)
		},
		"one kept": func(s linalg.Source) (*tensor.Model, error) {
			return tensor.Robust{Options: tensor.Options{Shape: shape, Rank: []int{6, 2}}, Loss: loss.MustParse("welsch:sigma=10")}.Fit(ctx, s)
		},
	} {
		table := x
		if name == "2dsvd" {
			table = mat.DenseCopyOf(x)
			table.Set(17, 3, 1)
		}
		want, err := fit(linalg.FromDense(table))
		if err != nil {
			t.Fatal(name, err)
		}
		src := &blocks{Source: linalg.FromDense(table), room: 3 * 2500 * 30}
		m, err := fit(src)
		if err != nil {
			t.Fatal(name, err)
		}
		if src.scans > 4 || m.Training() != nil || len(m.Weights()) > 0 || m.Rows() != 9000 {
			t.Errorf("%s: read %d times, %d rows, %d weights", name, src.scans, m.Rows(), len(m.Weights()))
		}
		a, b := m.Steps()[len(m.Steps())-1].Objective, want.Steps()[len(want.Steps())-1].Objective
		rows, known := m.OutlyingRows()
		if !known || math.Abs(float64(len(rows)-want.Training().Count())) > 90 {
			t.Errorf("%s: %d outliers, in memory %d", name, len(rows), want.Training().Count())
		}
		t.Log(name, a/b-1, m.Explained(), want.Explained(), m.TrainingErrors(), want.TrainingErrors(), len(rows), want.Training().Count(), m.Status())
		if math.Abs(a/b-1) > 1e-6 {
			t.Errorf("%s: objective %.12g, in memory %.12g", name, a, b)
		}
	}
}
