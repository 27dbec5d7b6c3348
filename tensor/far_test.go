package tensor

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/verdict"
)

// spoil plants values of a size into every step-th of the samples: whole samples, samples
// that are all alike, or single entries.
func spoil(x *mat.Dense, kind string, size float64, step int) (*mat.Dense, []bool) {
	out := mat.DenseCopyOf(x)
	n, d := x.Dims()
	bad := make([]bool, n)
	draw := rand.New(rand.NewPCG(3, 3))
	pattern := make([]float64, d)
	for j := range pattern {
		pattern[j] = size * (0.5 + 0.5*draw.Float64())
	}
	for i := 0; i < n; i += step {
		bad[i] = true
		row := out.RawRowView(i)
		switch kind {
		case "samples":
			for j := range row {
				row[j] = size * (2*draw.Float64() - 1)
			}
		case "cluster":
			copy(row, pattern)
			row[0] += draw.NormFloat64()
		case "cells":
			row[draw.IntN(d)] = size
		case "sentinel":
			row[7] = size
		}
	}
	return out, bad
}

// Numbers however far off cost their samples and nothing else.
func TestFarValues(t *testing.T) {
	shape := []int{8, 7}
	clean := made(t, 80, shape, []int{2, 2}, 0, 5).Set.X
	o := Options{Shape: shape, Rank: []int{2, 2}}
	methods := map[string]method{
		"corr-tensor": Corr{Options: o}, "corr-tensor by mean norm": Corr{Options: o, Beta: loss.FixedAt(0.8), Unit: UnitMeanNorm}, "corr-tensor by centred norm": Corr{Options: o, Beta: loss.FixedAt(2), Unit: UnitCenteredNorm},
		"tensor-robust": Robust{Options: o, Loss: DefaultLoss}, "tukey": Robust{Options: o, Loss: loss.MustParse("tukey")},
		"huber": Robust{Options: o, Loss: loss.MustParse("huber")}, "r1-2dsvd": R1SVD2D{o},
	}
	without := map[string]*Model{}
	for _, kind := range []string{"samples", "cluster", "cells", "sentinel"} {
		sizes := []float64{1e2, -1e9, 1e15, -1e160, 1e300}
		if kind == "sentinel" {
			sizes = []float64{-999, -1e9, 1e300}
		}
		for k, size := range sizes {
			step := 5
			if k%2 == 1 || kind == "sentinel" {
				step = 20
			}
			x, bad := spoil(clean, kind, size, step)
			var rows []int
			for i, b := range bad {
				if !b {
					rows = append(rows, i)
				}
			}
			rest := mat.NewDense(len(rows), 56, nil)
			for k, i := range rows {
				rest.SetRow(k, clean.RawRowView(i))
			}
			for name, m := range methods {
				about := fmt.Sprintf("%s, %s of %g in every %dth sample", name, kind, size, step)
				got, err := m.Fit(context.Background(), linalg.FromDense(x))
				if err != nil {
					t.Errorf("%s: %v", about, err)
					continue
				}
				key := fmt.Sprint(name, step)
				if without[key] == nil {
					without[key] = mustFit(t, m, rest)
				}
				want := without[key]
				for mode := range shape {
					if e := apart(got.Factor(mode), want.Factor(mode)); e > 0.05 {
						t.Errorf("%s: factor %d is %g off", about, mode, e)
					}
				}
				if e := largestDifference(got.Mean(), want.Mean()); e > 0.3 {
					t.Errorf("%s: the mean is %g off", about, e)
				}
				judged, err := got.Judge(context.Background(), x)
				if err != nil {
					t.Errorf("%s: %v", about, err)
					continue
				}
				for _, j := range []*verdict.Rows{judged, got.Training()} {
					wrong := 0
					for i, b := range bad {
						if b != j.Outlier[i] {
							wrong++
							if b {
								t.Errorf("%s: sample %d is not flagged", about, i)
							}
						}
						if v := j.OrthogonalDistance[i] + j.ScoreDistance[i]; b && j.Weight[i] > 0.2 || math.IsNaN(v) || math.IsInf(v, 0) || math.IsNaN(j.Weight[i]) {
							t.Errorf("%s: sample %d has weight %g and distances %g and %g", about, i, j.Weight[i], j.OrthogonalDistance[i], j.ScoreDistance[i])
						}
					}
					if wrong > 12 {
						t.Errorf("%s: %d verdicts are wrong", about, wrong)
					}
				}
				checkNumbers(t, about, got)
			}
		}
	}
}

// Methods that forget nothing take such samples as they are, but refuse nothing.
func TestFarValuesInClassicalMethods(t *testing.T) {
	shape := []int{8, 7}
	clean := made(t, 40, shape, []int{2, 2}, 0, 5).Set.X
	for _, start := range []Start{StartAuto, StartClassic} {
		for _, m := range every(Options{Shape: shape, Rank: []int{2, 2}, Start: start, MaxSteps: 20}) {
			for _, kind := range []string{"samples", "cells"} {
				for _, size := range []float64{1e9, -1e300} {
					x, _ := spoil(clean, kind, size, 10)
					got, err := m.Fit(context.Background(), linalg.FromDense(x))
					if err != nil {
						t.Errorf("%T, %s of %g: %v", m, kind, size, err)
						continue
					}
					checkNumbers(t, fmt.Sprintf("%s of %g", kind, size), got)
					if _, err := fromParts(got.parts()); err != nil {
						t.Errorf("%T, %s of %g: %v", m, kind, size, err)
					}
					e := got.TrainingErrors()
					if v := e.Norm + got.Explained().Classical + got.Explained().Robust; math.IsNaN(v) || math.IsInf(v, 0) || math.IsInf(e.Squared, 0) {
						t.Errorf("%T, %s of %g: errors %v, explained %v", m, kind, size, e, got.Explained())
					}
				}
			}
		}
	}
}
