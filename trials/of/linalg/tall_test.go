package linalg_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// TestProductsOfTallTables holds products of columns of many rows, which are cut along the rows, against sums with
// compensation, in views of wider tables too, and for any number of threads.
func TestProductsOfTallTables(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 1))
	for _, size := range []struct{ rows, left, right int }{{16383, 5, 7}, {16384, 5, 7}, {20011, 1, 1}, {70001, 64, 64}, {70001, 3, 65}, {1100007, 2, 3}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			wide := mat.NewDense(size.rows, size.left+size.right+3, nil)
			for i := range size.rows {
				row := wide.RawRowView(i)
				for j := range row {
					row[j] = draw.NormFloat64() + float64(j%3)
				}
			}
			a := wide.Slice(0, size.rows, 1, 1+size.left).(*mat.Dense)
			b := wide.Slice(0, size.rows, 2+size.left, 2+size.left+size.right).(*mat.Dense)
			var before []float64
			for _, threads := range []int{1, 2, 5} {
				linalg.SetThreads(threads)
				var product, gram mat.Dense
				linalg.Mul(&product, a.T(), b)
				linalg.Mul(&gram, a.T(), a)
				inner := linalg.RowProducts(a.T())
				linalg.SetThreads(0)
				now := append(append(append([]float64(nil), product.RawMatrix().Data...), gram.RawMatrix().Data...), mat.DenseCopyOf(inner).RawMatrix().Data...)
				if before == nil {
					before = now
				}
				for k, v := range now {
					if v != before[k] {
						t.Fatalf("number %d is %v on one thread and %v on %d", k, before[k], v, threads)
					}
				}
				for _, at := range [][2]int{{0, 0}, {size.left - 1, size.right - 1}, {size.left / 2, size.right / 3}} {
					want, size := dotOf(a, b, at[0], at[1])
					if got := product.At(at[0], at[1]); math.Abs(got-want) > 1e-14*size {
						t.Errorf("column %d by column %d is %v, not %v", at[0], at[1], got, want)
					}
				}
				last := size.left - 1
				want, size := dotOf(a, a, 0, last)
				for name, got := range map[string]float64{"above": gram.At(0, last), "below": gram.At(last, 0), "symmetric": inner.At(0, last)} {
					if math.Abs(got-want) > 1e-14*size {
						t.Errorf("%s the diagonal the Gram has %v, not %v", name, got, want)
					}
				}
			}
		})
	}
}

// dotOf is the product of two columns by Kahan's sum, and the sum of the sizes of its terms.
func dotOf(a, b *mat.Dense, j, k int) (sum, size float64) {
	lost := 0.0
	n, _ := a.Dims()
	for i := range n {
		term := a.At(i, j) * b.At(i, k)
		size += math.Abs(term)
		y := term - lost
		next := sum + y
		lost = next - sum - y
		sum = next
	}
	return sum, size
}
