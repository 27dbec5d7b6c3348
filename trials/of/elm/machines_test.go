package elm

import (
	"context"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// halves are training and test rows.
type halves struct{ x, y, newX, newY *mat.Dense }

// divided draws the sinc, or 70 % of the rows of a table for training; dirt is the share of
// training targets that are moved by two to five times the middle 80 % of the targets.
func divided(t *testing.T, name, noise string, dirt float64, seed uint64) halves {
	t.Helper()
	var h halves
	if name == "sinc" {
		made, err := synthetic.Generate(name, map[string]string{"noise": noise}, seed)
		if err != nil {
			t.Fatal(err)
		}
		train, test := made.Set, made.Test
		h = halves{train.X, mat.NewDense(train.Rows(), 1, train.Target.Values), test.X, mat.NewDense(test.Rows(), 1, test.Target.Values)}
	} else {
		x, y := regressionFile(t, name)
		n, _ := x.Dims()
		order := rand.New(rand.NewPCG(seed, 991)).Perm(n)
		train, test := order[:n*7/10], order[n*7/10:]
		h = halves{pick(x, train), pick(y, train), pick(x, test), pick(y, test)}
	}
	draw := rand.New(rand.NewPCG(seed, 992))
	sorted := mat.Col(nil, 0, h.y)
	slices.Sort(sorted)
	spread := stat.Quantile(0.9, stat.Empirical, sorted, nil) - stat.Quantile(0.1, stat.Empirical, sorted, nil)
	for i := range sorted {
		if draw.Float64() < dirt {
			h.y.Set(i, 0, h.y.At(i, 0)+spread*(2+3*draw.Float64())*float64(1-2*draw.IntN(2)))
		}
	}
	return h
}

// What default machines achieve on random draws, targets as they are / 15 % of the training targets far off.
//
//	INLIER_MACHINES=12 INLIER_DATA=... go test -run DefaultMachines -v ./elm
func TestDefaultMachines(t *testing.T) {
	draws, err := strconv.Atoi(os.Getenv("INLIER_MACHINES"))
	if err != nil {
		t.Skip("INLIER_MACHINES is not set: no table of default machines")
	}
	ctx := context.Background()
	for _, c := range [][2]string{{"sinc", "uniform"}, {"sinc", "sine"}, {"servo"}, {"concrete"}, {"winequality_red"}, {"boston_housing"}, {"airfoil"}, {"concrete_slump_3targets"}, {"yacht"}} {
		var medians [3][2]float64
		for k, dirt := range []float64{0, 0.15} {
			var errors [3][]float64
			for seed := uint64(401); seed < 401+uint64(draws); seed++ {
				h := divided(t, c[0], c[1], dirt, seed)
				o := elm.Options{Seed: seed, Tol: 1e-8, Scaling: elm.ScaleStandard, Clip: -20}
				for m, fit := range []func(context.Context, linalg.Source, *mat.Dense) (*elm.Model, error){elm.Plain{o}.Fit, elm.Ridge{o}.Fit, elm.RCC{Options: o}.Fit} {
					machine, err := fit(ctx, linalg.FromDense(h.x), h.y)
					p, err := must(t, machine, err).Predict(ctx, h.newX)
					if err != nil {
						t.Fatal(err)
					}
					p.Sub(p, h.newY)
					errors[m] = append(errors[m], math.Sqrt(meanSquareOf(p)))
				}
			}
			for m := range medians {
				medians[m][k] = univariate.Median(errors[m])
			}
		}
		t.Logf("%-24s %-8s elm %.3g / %.3g, relm %.3g / %.3g, elm-rcc %.3g / %.3g", c[0], c[1],
			medians[0][0], medians[0][1], medians[1][0], medians[1][1], medians[2][0], medians[2][1])
	}
}

func meanSquareOf(t *mat.Dense) float64 {
	n, k := t.Dims()
	v := mat.Norm(t, 2)
	return v * v / float64(n*k)
}
