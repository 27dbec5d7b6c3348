package pca

import (
	"context"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/pca"
	"gonum.org/v1/gonum/mat"
)

// largestAngle is the largest principal angle in degrees between two column spaces, by
// the sine: the norm of what b has outside the space of a.
func largestAngle(a, b *mat.Dense) float64 {
	var cross, rest mat.Dense
	cross.Mul(a.T(), b)
	rest.Mul(a, &cross)
	rest.Sub(b, &rest)
	var svd mat.SVD
	if !svd.Factorize(&rest, mat.SVDNone) {
		return math.NaN()
	}
	return math.Asin(math.Min(1, svd.Values(nil)[0])) * 180 / math.Pi
}

// The breakdown study: the default start stays within 3 degrees of the true subspace up
// to 45 % outliers of three kinds, and costs at most 15 % of accuracy on clean data.
func TestBreakdown(t *testing.T) {
	ctx := context.Background()
	seeds := uint64(5)
	fractions := []float64{0, 0.2, 0.4, 0.45}
	if os.Getenv("INLIER_CONFORMANCE") == "all" {
		seeds, fractions = 10, []float64{0, 0.1, 0.2, 0.3, 0.4, 0.45}
	}
	for _, kind := range []string{"scattered", "clustered", "own-subspace"} {
		for _, fraction := range fractions {
			robust, classic, worst := 0.0, 0.0, 0.0
			for seed := uint64(1); seed <= seeds; seed++ {
				c := synthetic.DefaultLowRank()
				c.Fraction, c.Outliers = fraction, kind
				g, err := c.Generate(seed)
				if err != nil {
					t.Fatal(err)
				}
				x := linalg.FromDense(g.Set.X)
				r, err := pca.HQ{Options: pca.Options{Components: 3, Seed: seed}}.Fit(ctx, x)
				if err != nil {
					t.Fatal(err)
				}
				p, err := pca.Classic{pca.Options{Components: 3}}.Fit(ctx, x)
				if err != nil {
					t.Fatal(err)
				}
				a := largestAngle(g.Truth.Basis, r.Basis())
				robust += a / float64(seeds)
				worst = math.Max(worst, a)
				classic += largestAngle(g.Truth.Basis, p.Basis()) / float64(seeds)
			}
			line := fmt.Sprintf("%s %2.0f %%: hq-pca %.2f (worst %.2f), pca %.2f degrees", kind, 100*fraction, robust, worst, classic)
			t.Log(line)
			if robust > 3 {
				t.Errorf("%s: more than 3 degrees", line)
			}
			if fraction == 0 && robust > 1.15*classic {
				t.Errorf("%s: more than 1.15 times PCA on clean data", line)
			}
		}
	}
}
