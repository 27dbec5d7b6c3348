package synthetic

import (
	"math"
	"testing"

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
			c := DefaultLowRank()
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

func TestLowRankMoments(t *testing.T) {
	c := DefaultLowRank()
	c.N, c.Fraction, c.Offset = 20000, 0.25, 7
	for _, kind := range []string{"scattered", "clustered", "own-subspace"} {
		c.Outliers = kind
		g, err := c.Generate(8)
		if err != nil {
			t.Fatal(err)
		}
		var in, out struct{ n, along, off, mean float64 }
		m := 3
		scores := make([]float64, m)
		for i := range c.N {
			row := append([]float64(nil), g.Set.X.RawRowView(i)...)
			addScaled(row, -1, g.Truth.Center)
			mat.NewVecDense(m, scores).MulVec(g.Truth.Basis.T(), mat.NewVecDense(c.D, row))
			side := &in
			if g.Truth.Outlier[i] {
				side = &out
			}
			side.n++
			side.along += scores[0] * scores[0]
			side.off += dot(row, row) - dot(scores, scores)
			side.mean += scores[0]
		}
		near := func(what string, got, want, tolerance float64) {
			if math.Abs(got-want) > tolerance*want {
				t.Errorf("%s: %s is %g, want about %g", kind, what, got, want)
			}
		}
		near("inlier variance along the first direction", in.along/in.n, 25, 0.05)
		near("inlier variance off the subspace", in.off/in.n, 17*0.09, 0.03)
		if math.Abs(in.mean/in.n) > 0.15 {
			t.Errorf("%s: inliers are centered %g away from the true center", kind, in.mean/in.n)
		}
		switch kind {
		case "scattered":
			near("outlier variance along", out.along/out.n, 225, 0.06)
			near("outlier variance off", out.off/out.n, 17*225, 0.03)
		case "clustered":
			near("outlier variance along", out.along/out.n, 0.25, 0.06)
			near("outlier second moment off", out.off/out.n, 1600+17*0.25, 0.01)
		case "own-subspace":
			near("outlier variance along", out.along/out.n, 0.09, 0.06)
			near("outlier variance off", out.off/out.n, 3*144+17*0.09, 0.05)
		}
		if norm := math.Sqrt(dot(g.Truth.Center, g.Truth.Center)); math.Abs(norm-7) > 1e-12 {
			t.Errorf("center has length %g, want 7", norm)
		}
	}
}

func TestLowRankKeepsInliersWhenOutliersChange(t *testing.T) {
	c := DefaultLowRank()
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

func TestLowRankSpreadsDeviations(t *testing.T) {
	c := DefaultLowRank()
	c.M = 5
	got := c.deviations()
	for j, want := range []float64{5, 4.5, 4, 3.5, 3} {
		if math.Abs(got[j]-want) > 1e-12 {
			t.Errorf("deviation %d is %g, want %g", j, got[j], want)
		}
	}
}
