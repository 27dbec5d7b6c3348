package cluster

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// On a line k-means makes the same steps as anywhere: from the same centers, weighted or not,
// with ties, empty clusters and rows far off.
func TestLineIsLloyd(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 3))
		n, k := 60+r.IntN(400), 2+r.IntN(9)
		x := mat.NewDense(n, 1, nil)
		for i := range n {
			v := 3*float64(r.IntN(5)) + r.NormFloat64()
			switch seed % 4 {
			case 1:
				v = math.Round(2 * v) // ties
			case 2:
				v += 1e6
			case 3:
				if r.IntN(20) == 0 {
					v *= -1e9
				}
			}
			x.Set(i, 0, v)
		}
		var weights []float64
		if seed%3 == 0 {
			for range n {
				weights = append(weights, float64(r.IntN(4)))
			}
		}
		table, err := newTable(context.Background(), linalg.FromDense(x), weights, false)
		if err != nil {
			t.Fatal(err)
		}
		start := make([]float64, k)
		for c := range start {
			start[c] = x.At(r.IntN(n), 0) - table.origin[0]
			if seed%4 == 1 { // all with rows: which of equally far rows fills a cluster is open
				start[c] = 3*float64(c) - 5
			} else if seed%5 == 0 && c > 1 {
				start[c] = 1e4 // without rows
			}
		}
		for _, steps := range []int{1, 2, 5, 300} {
			a, err := table.lloyd(context.Background(), start, steps, -1, nil)
			if err != nil {
				t.Fatal(err)
			}
			b, err := table.onLine(context.Background(), start, steps, -1, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(a.steps) != len(b.steps) || a.status != b.status {
				t.Fatalf("seed %d: %d steps, not %d; %s, not %s", seed, len(b.steps), len(a.steps), b.status, a.status)
			}
			for c := range start {
				if math.Abs(a.centers[c]-b.centers[c]) > 1e-9*(1+math.Abs(a.centers[c])) {
					t.Fatalf("seed %d, %d steps: centers\n%v\n%v", seed, steps, a.centers, b.centers)
				}
			}
			for s := range a.steps {
				if x, y := a.steps[s].Objective, b.steps[s].Objective; math.Abs(x-y) > 1e-9*(1+math.Abs(x)) {
					t.Fatalf("seed %d: objective of step %d is %v, not %v", seed, s, y, x)
				}
			}
		}
	}
}
