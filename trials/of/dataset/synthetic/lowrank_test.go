package synthetic

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/dataset/synthetic"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// topDirections returns the m leading principal directions of the chosen rows,
// by gonum's own PCA.
func topDirections(t *testing.T, x *mat.Dense, keep func(i int) bool, m int) *mat.Dense {
	t.Helper()
	n, d := x.Dims()
	var data []float64
	rows := 0
	for i := range n {
		if keep(i) {
			data = append(data, x.RawRowView(i)...)
			rows++
		}
	}
	var pc stat.PC
	if !pc.PrincipalComponents(mat.NewDense(rows, d, data), nil) {
		t.Fatal("gonum could not decompose the rows")
	}
	var v mat.Dense
	pc.VectorsTo(&v)
	return mat.DenseCopyOf(v.Slice(0, d, 0, m))
}

// largestAngle is the largest principal angle between two subspaces, in degrees.
func largestAngle(t *testing.T, a, b mat.Matrix) float64 {
	t.Helper()
	var c mat.Dense
	c.Mul(a.T(), b)
	var svd mat.SVD
	if !svd.Factorize(&c, mat.SVDNone) {
		t.Fatal("singular value decomposition failed")
	}
	values := svd.Values(nil)
	return math.Acos(min(1, values[len(values)-1])) * 180 / math.Pi
}

func TestLowRankInliersLieNearTheTrueSubspace(t *testing.T) {
	for _, kind := range []string{"none", "scattered", "clustered", "own-subspace"} {
		for _, fraction := range []float64{0, 0.1, 0.45} {
			c := synthetic.DefaultLowRank()
			c.Outliers, c.Fraction = kind, fraction
			g, err := c.Generate(3)
			if err != nil {
				t.Fatal(err)
			}
			count := 0
			for _, o := range g.Truth.Outlier {
				if o {
					count++
				}
			}
			want := int(math.Round(fraction * 200))
			if kind == "none" {
				want = 0
			}
			if count != want {
				t.Errorf("%s %g: %d outliers, want %d", kind, fraction, count, want)
			}
			found := topDirections(t, g.Set.X, func(i int) bool { return !g.Truth.Outlier[i] }, 3)
			if angle := largestAngle(t, found, g.Truth.Basis); angle > 4 {
				t.Errorf("%s %g: PCA of the inliers is %.2f degrees off the true subspace", kind, fraction, angle)
			}
			if count > 0 {
				all := topDirections(t, g.Set.X, func(int) bool { return true }, 3)
				if angle := largestAngle(t, all, g.Truth.Basis); angle < 10 {
					t.Errorf("%s %g: PCA of everything is only %.2f degrees off: the outliers do no harm", kind, fraction, angle)
				}
			}
		}
	}
}

func TestLowRankKeepsInliersWhenOutliersChange(t *testing.T) {
	c := synthetic.DefaultLowRank()
	c.Fraction = 0.1
	few, err := c.Generate(5)
	if err != nil {
		t.Fatal(err)
	}
	c.Fraction, c.Outliers = 0.4, "own-subspace"
	many, err := c.Generate(5)
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.N {
		if few.Truth.Outlier[i] && !many.Truth.Outlier[i] {
			t.Fatalf("row %d stopped being an outlier when the fraction grew", i)
		}
		if many.Truth.Outlier[i] {
			continue
		}
		for j := range c.D {
			if few.Set.X.At(i, j) != many.Set.X.At(i, j) {
				t.Fatalf("inlier row %d changed with the outliers", i)
			}
		}
	}
}
