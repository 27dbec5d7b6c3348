package check

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// In a table of more than wide columns each is predicted by the few that tell about it: wrong cells are off and
// what they should be is known, also where others are missing, and workers change nothing.
func TestWidePredictions(t *testing.T) {
	const n, d = 150, wide + 20
	r := rand.New(rand.NewPCG(1, 1))
	truth := mat.NewDense(n, d, nil)
	var causes, effects mat.Dense
	causes.ReuseAs(n, 3)
	effects.ReuseAs(3, d)
	for _, m := range []*mat.Dense{&causes, &effects} {
		m.Apply(func(int, int, float64) float64 { return r.NormFloat64() / math.Pow(3, 0.25) }, m)
	}
	truth.Mul(&causes, &effects)
	truth.Apply(func(_, _ int, v float64) float64 { return v + 0.3*r.NormFloat64() }, truth)
	z := mat.DenseCopyOf(truth)
	wrong := map[[2]int]bool{}
	for k := range 40 {
		i, j := (7*k)%n, (31*k+3)%d
		wrong[[2]int{i, j}] = true
		z.Set(i, j, []float64{12, -12, 1e6}[k%3])
		z.Set(i, (j+50)%d, math.NaN())
	}
	var before *mat.Dense
	for _, threads := range []int{1, 3} {
		linalg.SetThreads(threads)
		defer linalg.SetThreads(0)
		c := learnConditional(z, make([]bool, d), make([]bool, d))
		y, residual := mat.NewDense(n, d, nil), mat.NewDense(n, d, nil)
		c.rows(z, y, residual, nil)
		off := 0
		for i := range n {
			for j := range d {
				size, miss := math.Abs(residual.At(i, j)), math.Abs(y.At(i, j)-truth.At(i, j))
				switch bad := wrong[[2]int{i, j}]; {
				case bad && !(size > 8), (bad || math.IsNaN(z.At(i, j))) && miss > 1.6:
					t.Fatalf("cell %d, %d of %g is %g off and was filled by %g for %g", i, j, z.At(i, j), size, y.At(i, j), truth.At(i, j))
				case !bad && size > cut:
					off++
				}
			}
		}
		if off > n*d/1000 {
			t.Errorf("%d of %d right cells are off", off, n*d)
		}
		if before != nil && !mat.Equal(y, before) {
			t.Fatal("three workers clean otherwise than one")
		}
		before = y
	}
}

// The most alike are found among all, by size, and those left out are not among them.
func TestMostAlike(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	const n, d = 30, 150
	unit := mat.NewDense(d, n, nil)
	for j := range d {
		row := unit.RawRowView(j)
		for i := range row {
			row[i] = r.NormFloat64()
		}
		size := mat.Norm(unit.RowView(j), 2)
		for i := range row {
			row[i] /= size
		}
	}
	out := make([]bool, d)
	out[5] = true
	for j, list := range mostAlike(unit, 4, 0.2, out) {
		for k := range d {
			correlation := math.Abs(mat.Dot(unit.RowView(j), unit.RowView(k)))
			listed := false
			for i, l := range list {
				listed = listed || l.to == k
				if i > 0 && l.by*l.by > list[i-1].by*list[i-1].by {
					t.Fatalf("row %d: %v does not fall", j, list)
				}
			}
			wanted := j != 5 && k != 5 && k != j && correlation >= 0.2 && (len(list) < 4 || correlation >= math.Abs(list[3].by)-1e-12)
			if listed != wanted {
				t.Fatalf("row %d: %d with correlation %.3f listed: %v, in %v", j, k, correlation, listed, list)
			}
		}
	}
}

// The few that predict a feature may have been found by some of the rows; what they add is solved from all.
func TestFewAreSolvedFromAllRows(t *testing.T) {
	x := related(200, 3, 4)
	unit := mat.NewDense(3, 200, nil)
	for j := range 3 {
		row := unit.RawRowView(j)
		mat.Col(row, j, x)
		mean := 0.0
		for _, v := range row {
			mean += v / 200
		}
		for i := range row {
			row[i] -= mean
		}
		size := math.Sqrt(linalg.Dot(row, row))
		for i := range row {
			row[i] /= size
		}
	}
	right := func(k int) float64 { return linalg.Dot(unit.RawRowView(0), unit.RawRowView(k)) }
	from, left := solveFew(unit, 0, []link{{1, right(1)}, {2, right(2)}})
	again, leftAgain := solveFew(unit, 0, []link{{1, 0.99}, {2, 0.3}})
	if from[0] != again[0] || from[1] != again[1] || left != leftAgain {
		t.Errorf("%v leaves %g; by correlations of some rows %v leaves %g", from, left, again, leftAgain)
	}
}
