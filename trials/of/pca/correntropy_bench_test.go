package pca

import (
	"fmt"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/pca"
)

// The cost of a fit grows linearly in rows: the double sum of the centring does not show.
func BenchmarkCorrentropy(b *testing.B) {
	for _, n := range []int{1000, 2000, 4000, 8000} {
		x := correlated(n, 30, 1)
		b.Run(fmt.Sprintf("rows=%d", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := (pca.Correntropy{Components: 5, Sigma: 1}).Fit(b.Context(), linalg.FromDense(x)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
