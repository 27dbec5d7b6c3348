package outlying

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

// dealt deals the rows of x by distance.
func dealt(t *testing.T, x *mat.Dense, distance, w []float64, parts int) ([]int, int) {
	t.Helper()
	alike, err := outlying.Fingerprints(t.Context(), linalg.FromDense(x))
	if err != nil {
		t.Fatal(err)
	}
	return outlying.Deal(distance, alike, w, parts)
}

// Every part holds near and far rows, integer weights act like repeated rows, the order of
// the rows says nothing, and a row without weight or with too much of it is in no part.
func TestDeal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n, parts = 43, 5
	x, distance, w := mat.NewDense(n, 2, nil), make([]float64, n), make([]float64, n)
	for i := range n {
		x.SetRow(i, []float64{r.NormFloat64(), r.NormFloat64()})
		distance[i], w[i] = r.Float64(), float64(r.IntN(3))
	}
	distance[4] = distance[5] // of different rows
	part, count := dealt(t, x, distance, nil, parts)
	if count != parts {
		t.Fatalf("%d parts", count)
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return int(1e9*distance[a]) - int(1e9*distance[b]) })
	for first := 0; first+parts <= n; first += parts {
		seen := map[int]bool{}
		for _, i := range order[first : first+parts] {
			seen[part[i]] = true
		}
		if len(seen) < parts-1 { // two of one distance may stand the other way round
			t.Errorf("rows %v at neighbouring distances are in parts %v", order[first:first+parts], seen)
		}
	}

	weighted, _ := dealt(t, x, distance, w, parts)
	var rows []int
	for i, a := range w {
		if (weighted[i] < 0) != (a == 0) {
			t.Errorf("row %d of weight %v is in part %d", i, a, weighted[i])
		}
		for range int(a) {
			rows = append(rows, i)
		}
	}
	r.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
	y, far := mat.NewDense(len(rows), 2, nil), make([]float64, len(rows))
	for k, i := range rows {
		y.SetRow(k, x.RawRowView(i))
		far[k] = distance[i]
	}
	repeated, _ := dealt(t, y, far, nil, parts)
	for k, i := range rows {
		if repeated[k] != weighted[i] {
			t.Errorf("row %d: part %d, repeated and in another order %d", i, weighted[i], repeated[k])
		}
	}

	w[3] = 100
	if heavy, _ := dealt(t, x, distance, w, parts); heavy[3] != -1 {
		t.Errorf("a row of more weight than all others is in part %d", heavy[3])
	}
	if _, count := dealt(t, mat.NewDense(6, 2, nil), make([]float64, 6), nil, parts); count > 1 {
		t.Errorf("%d parts of one row repeated", count)
	}
}
