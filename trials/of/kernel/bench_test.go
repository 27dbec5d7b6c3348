package kernel

import (
	"testing"

	"github.com/inlier-ml/inlier/kernel"
)

// BenchmarkGram compares 4000 rows with 1000 landmarks in 100 dimensions.
func BenchmarkGram(b *testing.B) {
	x, y := gaussians(1, 4000, 100, 0), gaussians(2, 1000, 100, 0)
	for _, k := range []kernel.Kernel{{Kind: kernel.Linear}, {Kind: kernel.RBF, Gamma: 0.01}, {Kind: kernel.Laplace, Gamma: 0.01}, {Kind: kernel.Polynomial, Gamma: 0.01, Offset: 1}} {
		b.Run(string(k.Kind), func(b *testing.B) {
			for b.Loop() {
				if _, err := k.Gram(x, y); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
