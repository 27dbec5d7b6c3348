package jobs

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/tensor"
	"github.com/inlier-ml/inlier/verdict"
)

// fitsOfTables fit a plane to rows of four numbers, all with one weight.
var fitsOfTables = map[string]func(x *mat.Dense, w []float64) (*verdict.Rows, error){
	"pca-robust": func(x *mat.Dense, w []float64) (*verdict.Rows, error) {
		m, err := pca.Robust{Options: pca.Options{Weights: w, Components: 1}}.Fit(context.Background(), linalg.FromDense(x))
		if err != nil {
			return nil, err
		}
		return m.Training(), nil
	},
	"pca": func(x *mat.Dense, w []float64) (*verdict.Rows, error) {
		m, err := pca.Classic{Options: pca.Options{Weights: w, Components: 1}}.Fit(context.Background(), linalg.FromDense(x))
		if err != nil {
			return nil, err
		}
		return m.Training(), nil
	},
	"tensor-robust": func(x *mat.Dense, w []float64) (*verdict.Rows, error) {
		m, err := tensor.Robust{Options: tensor.Options{Weights: w, Shape: []int{2, 2}}}.Fit(context.Background(), linalg.FromDense(x))
		if err != nil {
			return nil, err
		}
		return m.Training(), nil
	},
}

// tableOfSize is a line with four wrong rows, in some unit.
func tableOfSize(unit float64) *mat.Dense {
	draw := rand.New(rand.NewPCG(8, 1))
	x := mat.NewDense(60, 4, nil)
	for i := range 60 {
		a := draw.NormFloat64()
		for j := range 4 {
			v := a*float64(j+1) + 0.3*draw.NormFloat64()
			if i < 4 {
				v = 20 - 5*float64(j) + draw.NormFloat64()
			}
			x.Set(i, j, unit*v)
		}
	}
	return x
}

// Weights whose sum is beyond all counting, or next to nothing, are proportions: rows are flagged as with a
// weight for which the number of rows is large.
func TestHugeWeightsFlagTheSameRows(t *testing.T) {
	x := tableOfSize(1)
	for name, fit := range fitsOfTables {
		flagged := func(weight float64) []bool {
			v, err := fit(x, slices.Repeat([]float64{weight}, 60))
			if err != nil {
				t.Errorf("%s, weight %g: %v", name, weight, err)
				return nil
			}
			return v.Outlier
		}
		many, few := flagged(1e6), flagged(1)
		if !slices.Equal(many[:4], []bool{true, true, true, true}) {
			t.Errorf("%s: wrong rows are not flagged", name)
		}
		for _, weight := range []float64{1e298, 1e306} {
			if !slices.Equal(flagged(weight), many) {
				t.Errorf("%s: with weight %g other rows are flagged", name, weight)
			}
		}
		if !slices.Equal(flagged(1e-306), few) {
			t.Errorf("%s: with tiny weights other rows are flagged", name)
		}
	}
}

// Rows that differ by less than can be squared are not called equal.
func TestTinyTablesAreNotCalledEqual(t *testing.T) {
	for name, fit := range fitsOfTables {
		for _, unit := range []float64{1e-160, 1e-300} {
			_, err := fit(tableOfSize(unit), nil)
			var data *refusal.DataError
			if !errors.As(err, &data) || strings.Contains(err.Error(), "equal") || !strings.Contains(err.Error(), "multiply") {
				t.Errorf("%s, unit %g: %v", name, unit, err)
			}
		}
		if _, err := fit(tableOfSize(0), nil); err == nil || !strings.Contains(err.Error(), "equal") {
			t.Errorf("%s, zeros: %v", name, err)
		}
		a, err := fit(tableOfSize(1), nil)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := fit(tableOfSize(0x1p-330), nil); err != nil || !slices.Equal(a.Outlier, b.Outlier) {
			t.Errorf("%s: another unit flags other rows: %v", name, err)
		}
	}
}
