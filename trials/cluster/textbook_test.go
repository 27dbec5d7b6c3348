package cluster

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/cluster"
	"github.com/inlier-ml/inlier/linalg"
)

// textbook is Lloyd's algorithm without any short cut. ok is false when a group runs empty.
func textbook(x *mat.Dense, centers [][]float64, steps int) (labels []int, inertia float64, ok bool) {
	n, d := x.Dims()
	labels = make([]int, n)
	for step := 0; ; step++ {
		inertia = 0
		for i := range n {
			least := math.Inf(1)
			for c, center := range centers {
				if s := linalg.SquaredDistance(x.RawRowView(i), center); s < least {
					labels[i], least = c, s
				}
			}
			inertia += least
		}
		if step == steps {
			return labels, inertia, true
		}
		next, count := make([][]float64, len(centers)), make([]float64, len(centers))
		for c := range next {
			next[c] = make([]float64, d)
		}
		for i, c := range labels {
			count[c]++
			for j, v := range x.RawRowView(i) {
				next[c][j] += v
			}
		}
		for c := range next {
			if count[c] == 0 {
				return nil, 0, false
			}
			for j := range next[c] {
				next[c][j] /= count[c]
			}
		}
		centers = next
	}
}

// Bounds, products and the recheck of close candidates change nothing: ties on a grid, far
// offsets and columns of unlike units end as in the textbook.
func TestLloydIsTheTextbook(t *testing.T) {
	compared := 0
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 9))
		n, d, k, steps := 8+r.IntN(300), 1+r.IntN(6), 1+r.IntN(6), 1+r.IntN(8)
		offset := []float64{0, 0, 1000, 1e6}[r.IntN(4)]
		grid, unit := r.IntN(3) == 0, 1.0
		x := mat.NewDense(n, d, nil)
		for j := range d {
			if !grid && seed%2 == 0 {
				unit = math.Pow(10, float64(r.IntN(19)-9))
			}
			for i := range n {
				v := r.NormFloat64()
				if grid {
					v = float64(r.IntN(4))
				}
				x.Set(i, j, (offset+v)*unit)
			}
		}
		var start [][]float64
		for range k {
			start = append(start, append([]float64(nil), x.RawRowView(r.IntN(n))...))
		}
		labels, inertia, ok := textbook(x, start, steps)
		if !ok {
			continue
		}
		compared++
		m, err := cluster.KMeans{Centers: start, MaxSteps: steps, Tol: -1}.Fit(context.Background(), linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range m.Labels() {
			if c != labels[i] {
				t.Errorf("seed %d: row %d is in cluster %d, by the textbook in %d", seed, i, c, labels[i])
				break
			}
		}
		if math.Abs(m.Inertia()-inertia) > 1e-9*inertia {
			t.Errorf("seed %d: inertia %g, by the textbook %g", seed, m.Inertia(), inertia)
		}
	}
	if compared < 100 {
		t.Fatalf("only %d tables could be compared", compared)
	}
}
