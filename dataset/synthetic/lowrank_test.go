package synthetic

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

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
