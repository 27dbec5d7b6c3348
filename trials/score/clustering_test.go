package score

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/inlier-ml/inlier/score"
)

// scikit-learn 1.9.1, with the labels of tables_test.go:
//
//	normalized_mutual_info_score(classes, clusters, average_method="geometric")   # then "arithmetic"
//	adjusted_rand_score(classes, clusters)
//	C = confusion_matrix(classes, clusters); C[linear_sum_assignment(C, maximize=True)].sum()/10
func TestClusteringScores(t *testing.T) {
	v, err := score.NMISqrt(classes, clusters)
	near(t, "NMISqrt", v, err, 0.571666234866402, 1e-14)
	v, err = score.NMIMean(classes, clusters)
	near(t, "NMIMean", v, err, 0.568241032922968, 1e-14)
	v, err = score.ARI(classes, clusters)
	near(t, "ARI", v, err, 0.2857142857142857, 1e-14)
	v, err = score.MatchedAccuracy(classes, clusters)
	near(t, "MatchedAccuracy", v, err, 0.7, 1e-15)
}

var clusteringScores = map[string]func(a, b []int) (float64, error){
	"MatchedAccuracy": score.MatchedAccuracy, "NMISqrt": score.NMISqrt, "NMIMean": score.NMIMean, "ARI": score.ARI,
}

func TestClusteringSpecialCases(t *testing.T) {
	for name, f := range clusteringScores {
		v, err := f([]int{0, 0, 1, 2}, []int{7, 7, -3, 1000})
		near(t, name+" of renamed labels", v, err, 1, 1e-15)
		v, err = f([]int{4, 4, 4}, []int{1, 1, 1})
		near(t, name+" of one cluster", v, err, 1, 1e-15)
		v, err = f([]int{1}, []int{2})
		near(t, name+" of one sample", v, err, 1, 1e-15)
		v, err = f([]int{1, 2, 3}, []int{3, 1, 2})
		near(t, name+" of single samples", v, err, 1, 1e-15)
		_, err = f([]int{1, 2}, []int{1})
		says(t, err, name+": 2 true values but 1 results")
		_, err = f(nil, nil)
		says(t, err, name+": nothing to compare")
	}
	// One side says nothing.
	for name, want := range map[string]float64{"MatchedAccuracy": 0.5, "NMISqrt": 0, "NMIMean": 0, "ARI": 0} {
		v, err := clusteringScores[name]([]int{0, 0, 1, 1}, []int{5, 5, 5, 5})
		near(t, name+" of an empty statement", v, err, want, 1e-15)
	}
}

func TestClusteringLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		labels := rapid.SliceOfN(rapid.IntRange(0, 4), n, n)
		a, b := labels.Draw(t, "a"), labels.Draw(t, "b")
		for name, f := range clusteringScores {
			x, err := f(a, b)
			if err != nil {
				t.Fatal(err)
			}
			y, _ := f(b, a)
			if math.Abs(x-y) > 1e-12 {
				t.Fatalf("%s is not symmetric: %g and %g", name, x, y)
			}
			if x > 1+1e-12 || name != "ARI" && x < 0 {
				t.Fatalf("%s = %g", name, x)
			}
		}
		plain, _ := score.Accuracy(a, b)
		if best, _ := score.MatchedAccuracy(a, b); best < plain-1e-12 {
			t.Fatalf("matching lowers the accuracy from %g to %g", plain, best)
		}
		s, _ := score.NMISqrt(a, b)
		if m, _ := score.NMIMean(a, b); m > s+1e-12 {
			t.Fatalf("NMIMean %g exceeds NMISqrt %g", m, s)
		}
	})
}

// SciPy 1.17.1: linear_sum_assignment(cost), (cost[:3]), (cost[:,:2])
func TestAssignAgainstSciPy(t *testing.T) {
	cost := mat.NewDense(5, 5, []float64{
		7, 53, 183, 439, 863,
		497, 383, 563, 79, 973,
		287, 63, 343, 169, 583,
		627, 343, 773, 959, 943,
		767, 473, 103, 699, 303,
	})
	for _, c := range []struct {
		cost   *mat.Dense
		column []int
		total  float64
	}{
		{cost, []int{0, 3, 2, 1, 4}, 1075},
		{cost.Slice(0, 3, 0, 5).(*mat.Dense), []int{0, 3, 1}, 149},
		{cost.Slice(0, 5, 0, 2).(*mat.Dense), []int{0, -1, 1, -1, -1}, 70},
	} {
		column, total, err := score.Assign(c.cost)
		if err != nil || !slices.Equal(column, c.column) || total != c.total {
			t.Errorf("columns %v, total %g (%v), want %v, %g", column, total, err, c.column, c.total)
		}
	}
	_, _, err := score.Assign(nil)
	says(t, err, "no costs")
	_, _, err = score.Assign(mat.NewDense(1, 2, []float64{1, math.NaN()}))
	says(t, err, "row 1 and column 2 is NaN")
}

// The least total over all permutations, by trying them.
func TestAssignIsBest(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for range 300 {
		n, m := 1+r.IntN(6), 1+r.IntN(6)
		cost := mat.NewDense(n, m, nil)
		for i := range n {
			for j := range m {
				cost.Set(i, j, float64(r.IntN(12)-4)) // small numbers make ties
			}
		}
		column, total, err := score.Assign(cost)
		if err != nil {
			t.Fatal(err)
		}
		used := map[int]bool{}
		for _, j := range column {
			if j >= 0 && used[j] {
				t.Fatalf("column %d is used twice in %v", j, column)
			}
			used[j] = used[j] || j >= 0
		}
		if want := leastTotal(cost, 0, make([]bool, m), min(n, m)); total != want {
			t.Fatalf("%d x %d: total %g, want %g", n, m, total, want)
		}
	}
}

// leastTotal chooses `left` more pairs from row i on.
func leastTotal(cost *mat.Dense, i int, used []bool, left int) float64 {
	if left == 0 {
		return 0
	}
	n, m := cost.Dims()
	best := math.Inf(1)
	if n-i > left { // row i may stay without a column
		best = leastTotal(cost, i+1, used, left)
	}
	for j := range m {
		if !used[j] {
			used[j] = true
			best = min(best, cost.At(i, j)+leastTotal(cost, i+1, used, left-1))
			used[j] = false
		}
	}
	return best
}
