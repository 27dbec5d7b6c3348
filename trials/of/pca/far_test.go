package pca

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/pca"
	"github.com/inlier-ml/inlier/verdict"
	"gonum.org/v1/gonum/mat"
)

// farTable is rows near a plane of three dimensions, as in the breakdown study.
func farTable(t *testing.T, n, d int, seed uint64) (*mat.Dense, *mat.Dense) {
	g := lowRank(t, n, d, 0, seed)
	return g.Set.X, g.Truth.Basis
}

// Rows, cells and sentinels however far off cost their rows and nothing else.
func TestFarValues(t *testing.T) {
	ctx := context.Background()
	const n, d = 100, 8
	clean, truth := farTable(t, n, d, 1)
	kinds := map[string]func(x *mat.Dense, size float64) (dirty int){
		"cluster of rows": func(x *mat.Dense, size float64) int {
			r := rand.New(rand.NewPCG(5, 5))
			for i := range n / 5 {
				for j := range d {
					x.Set(i, j, size*(1+0.01*r.NormFloat64())*float64(1+j%3))
				}
			}
			return n / 5
		},
		"rows in all directions": func(x *mat.Dense, size float64) int {
			r := rand.New(rand.NewPCG(6, 6))
			for i := range n / 10 {
				for j := range d {
					x.Set(i, j, size*(r.Float64()-0.5))
				}
			}
			return n / 10
		},
		"single cells": func(x *mat.Dense, size float64) int {
			for i := range n / 20 {
				x.Set(i, i%d, size)
			}
			return n / 20
		},
		"sentinel in a column": func(x *mat.Dense, size float64) int {
			for i := range n / 20 {
				x.Set(i, 4, -size)
			}
			return n / 20
		},
	}
	sizes := []float64{-1e2, 1e6, 1e9, -1e155, 1e300}
	if os.Getenv("INLIER_CONFORMANCE") == "all" {
		sizes = []float64{1e2, -1e4, 1e6, 1e8, -1e9, 1e11, 1e14, -1e50, 1e155, 1e300}
	}
	for what, spoil := range kinds {
		for _, size := range sizes {
			x := mat.DenseCopyOf(clean)
			dirty := spoil(x, size)
			for name, m := range all(pca.Options{Components: 3}) {
				model, err := m.Fit(ctx, linalg.FromDense(x))
				if err != nil {
					t.Errorf("%s, %s at %g: %v", name, what, size, err)
					continue
				}
				if name == "pca" || name == "pca-l1" { // claim no more than not to refuse
					continue
				}
				where := fmt.Sprintf("%s, %s at %g", name, what, size)
				if angle := largestAngle(truth, model.Basis()); !(angle < 5) {
					t.Errorf("%s: %.1f degrees", where, angle)
				}
				judged, err := model.Judge(ctx, x)
				if err != nil {
					t.Fatal(err)
				}
				for i := range dirty {
					if !model.Training().Outlier[i] || !judged.Outlier[i] {
						t.Errorf("%s: row %d is %v, later %v", where, i, model.Training().Kind[i], judged.Kind[i])
						break
					}
					if o := judged.OrthogonalDistance[i]; math.IsNaN(o) || math.IsInf(o, 0) || math.Abs(size) > 1e3 && o < math.Abs(size)/100 {
						t.Errorf("%s: row %d has distance %g", where, i, o)
					}
				}
				if extra := model.Training().Count() - dirty; extra > n/8 {
					t.Errorf("%s: %d clean rows are flagged", where, extra)
				}
			}
		}
	}
}

// A far cell must not hide other outliers.
func TestFarCellHidesNothing(t *testing.T) {
	g := lowRank(t, 200, 20, 0.1, 3)
	planted := 0
	for _, bad := range g.Truth.Outlier {
		if bad {
			planted++
		}
	}
	for _, size := range []float64{1e5, 1e9, 1e300} {
		x := mat.DenseCopyOf(g.Set.X)
		x.Set(199, 3, size)
		m := fit(t, pca.Robust{Options: pca.Options{Components: 3}, Loss: pca.DefaultLoss}, x)
		found := 0
		for i, bad := range g.Truth.Outlier {
			if bad && m.Training().Outlier[i] {
				found++
			}
		}
		if found < planted {
			t.Errorf("cell of %g: %d of %d planted outliers are found", size, found, planted)
		}
	}
}

// Correntropy PCA displays what there is; a far value must not keep it from that.
func TestCorrentropyWithFarValues(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, size := range []float64{1e9, 1e155, -1e300} {
		for _, scaling := range []pca.Scaling{pca.ScaleMean, pca.ScaleStandard, pca.ScaleRobust, pca.ScaleNone} {
			x := mat.NewDense(100, 4, nil)
			x.Apply(func(i, _ int, _ float64) float64 { return r.NormFloat64() + float64(i%3) }, x)
			for i := range 5 {
				x.Set(i, 2, size)
			}
			m, err := pca.Correntropy{Scaling: scaling}.Fit(context.Background(), linalg.FromDense(x))
			if err != nil {
				t.Errorf("%s, %g: %v", scaling, size, err)
				continue
			}
			if m.Sigma() > 1 {
				t.Errorf("%s, %g: kernel size %g", scaling, size, m.Sigma())
			}
			judged, err := m.Judge(context.Background(), x)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range judged.ScoreDistance {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%s, %g: distance of row %d is %v", scaling, size, i, v)
				}
			}
		}
	}
}

// A row without any value is not regular, whatever the model.
func TestEmptyRowIsNotRegular(t *testing.T) {
	x := lowRank(t, 60, 5, 0.1, 2).Set.X
	empty := mat.NewDense(2, 5, nil)
	copy(empty.RawRowView(0), x.RawRowView(40))
	empty.Set(0, 1, math.NaN())
	for j := range 5 {
		empty.Set(1, j, math.NaN())
	}
	for name, m := range all(pca.Options{Components: 2}) {
		judged, err := fit(t, m, x).Judge(context.Background(), empty)
		if err != nil {
			t.Fatal(err)
		}
		if judged.Kind[1] == verdict.Regular || judged.Weight[1] != 0 {
			t.Errorf("%s: a row of NaN is %v with weight %v", name, judged.Kind[1], judged.Weight[1])
		}
		if math.IsNaN(judged.OrthogonalDistance[0]) || judged.Kind[0] != verdict.Regular {
			t.Errorf("%s: a regular row with a gap is %v", name, judged.Kind[0])
		}
	}
}
