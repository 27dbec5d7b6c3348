package linalg

import (
	"context"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

// narrow is a table in single precision; it hides that the same numbers are in memory in double precision.
type narrow struct {
	rows   *linalg.Matrix
	single *linalg.Single
}

func (n narrow) Dims() (int, int) { return n.rows.Dims() }
func (n narrow) Scan(ctx context.Context, visit func(int, *mat.Dense) error) error {
	return n.rows.Scan(ctx, visit)
}
func (n narrow) Single() *linalg.Single { return n.single }

// inSingle rounds m and holds it in single precision.
func inSingle(t *testing.T, m *mat.Dense) narrow {
	t.Helper()
	raw := m.RawMatrix()
	x := make([]float32, len(raw.Data))
	for i, v := range raw.Data {
		x[i] = float32(v)
		raw.Data[i] = float64(x[i])
	}
	return narrow{linalg.FromDense(m), linalg.NewSingle(raw.Rows, raw.Cols, x)}
}

// Passes over a table in single precision see what one in double precision holds, changed or not, and moments are near those in double precision
// whatever the columns' units and offsets; the number of threads changes nothing.
func TestSingleIsReadAsInDouble(t *testing.T) {
	ctx := context.Background()
	const n, d = 5000, 70
	m := random(3, n, d)
	for i := range n {
		for j := range d {
			m.Set(i, j, (m.At(i, j)+float64(j%3)*1000)*math.Pow(10, float64(j%17-8)))
		}
	}
	src := inSingle(t, m)
	threads := linalg.Threads()
	defer linalg.SetThreads(threads)
	for _, w := range [][]float64{nil, weights(5, n), scaled(1e-20, weights(5, n)), scaled(1e30, weights(5, n))} {
		wantTotal, wantMean, want, err := linalg.WeightedMoments(ctx, src.rows, w)
		if err != nil {
			t.Fatal(err)
		}
		var first *mat.SymDense
		for _, k := range []int{1, 2, 5} {
			linalg.SetThreads(k)
			total, mean, scatter, err := linalg.WeightedMoments(ctx, src, w)
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(total/wantTotal-1) > 1e-13 {
				t.Errorf("weight %g, not %g", total, wantTotal)
			}
			for i := range d {
				unit := math.Sqrt(want.At(i, i) / wantTotal)
				if !(math.Abs(mean[i]-wantMean[i]) < 1e-11*(unit+math.Abs(wantMean[i]))) {
					t.Errorf("mean %g of column %d, not %g", mean[i], i, wantMean[i])
				}
				for j := i; j < d; j++ {
					if off := math.Abs(scatter.At(i, j)-want.At(i, j)) / math.Sqrt(want.At(i, i)*want.At(j, j)); !(off < 1e-6) {
						t.Fatalf("scatter %g of %d and %d, not %g: off by %.0e", scatter.At(i, j), i, j, want.At(i, j), off)
					}
				}
			}
			if first == nil {
				first = scatter
			}
			near(t, "with other threads", scatter, first, 0)
		}
	}
	basis := random(4, d, 3)
	linalg.Orthonormalize(basis)
	change := func(src linalg.Source) linalg.Source {
		return linalg.Changed(src, func(block *mat.Dense) bool { return block.At(0, 0) > 0 }, func(row []float64) { row[5] = math.Abs(row[5]) })
	}
	for name, pair := range map[string][2]linalg.Source{"as it is": {src, src.rows}, "changed": {change(src), change(src.rows)}, "widened": {linalg.Widened(src), src.rows}} {
		got, want := make([]float64, n), make([]float64, n)
		for k, s := range [][]float64{got, want} {
			if err := linalg.Residuals(ctx, pair[k], make([]float64, d), basis, s, nil); err != nil {
				t.Fatal(err)
			}
		}
		near(t, name, mat.NewVecDense(n, got), mat.NewVecDense(n, want), 0)
		a, err := linalg.Gather(ctx, pair[0], []int{7, 4999, 7, 0})
		if err != nil {
			t.Fatal(err)
		}
		b, _ := linalg.Gather(ctx, pair[1], []int{7, 4999, 7, 0})
		near(t, name+", some rows", a, b, 0)
	}
	_, _, fine, err := linalg.WeightedMoments(ctx, linalg.Widened(src), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, _, want, _ := linalg.WeightedMoments(ctx, src.rows, nil)
	for i := range d {
		if math.Abs(fine.At(i, i)/want.At(i, i)-1) > 1e-12 {
			t.Errorf("widened, column %d has %g, not %g", i, fine.At(i, i), want.At(i, i))
		}
	}
	if _, _, _, err := linalg.WeightedMoments(ctx, src, make([]float64, n)); err == nil {
		t.Error("no weight is no error")
	}
}

func scaled(by float64, x []float64) []float64 {
	for i := range x {
		x[i] *= by
	}
	return x
}

// Products that would overflow or vanish are formed in double precision.
func TestSingleMultipliesInDoubleWhatItMust(t *testing.T) {
	ctx := context.Background()
	for k, x := range [][]float64{{1, 2, 1e16, 4}, {1, -1e30, 3, 4}, {1, 1e-20, 2, 2e-20}, {1, 5, 2, 5}, {1, 1e6, 2, 3e6}} {
		src := inSingle(t, mat.NewDense(2, 2, x))
		if linalg.Narrow(src) != (k > 2) || !linalg.IsSingle(src) || linalg.Narrow(linalg.Widened(src)) {
			t.Errorf("%v: products in single precision: %v", x, linalg.Narrow(src))
		}
		_, _, got, err := linalg.WeightedMoments(ctx, src, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, _, want, _ := linalg.WeightedMoments(ctx, src.rows, nil)
		for i := range 2 {
			if off := math.Abs(got.At(i, i) - want.At(i, i)); !(off <= 1e-6*want.At(i, i)) {
				t.Errorf("%v: scatter %g, not %g", x, got.At(i, i), want.At(i, i))
			}
		}
	}
}
