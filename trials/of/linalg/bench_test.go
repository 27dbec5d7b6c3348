package linalg

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

// decaying returns a d x d covariance-like matrix whose spectrum falls as in pictures
// of digits: quickly at first, then slowly.
func decaying(d int) *mat.SymDense {
	x := random(1, 2*d, d)
	for j := range d {
		f := 1 / (1 + 0.15*float64(j))
		for i := range 2 * d {
			x.Set(i, j, f*x.At(i, j))
		}
	}
	mixed := mat.NewDense(2*d, d, nil)
	mixed.Mul(x, random(2, d, d))
	var s mat.SymDense
	s.SymOuterK(1, mixed.T())
	return &s
}

func benchmarkSizes(b *testing.B, short, long []int) []int {
	if testing.Short() {
		return short
	}
	return append(short, long...)
}

func BenchmarkSymEigen(b *testing.B) {
	for _, d := range benchmarkSizes(b, []int{128, 512}, []int{784, 1024, 2048}) {
		b.Run(fmt.Sprint(d), func(b *testing.B) {
			a := decaying(d)
			for b.Loop() {
				if _, _, err := linalg.SymEigen(b.Context(), a); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSymEigenGonum(b *testing.B) {
	for _, d := range benchmarkSizes(b, []int{128}, []int{512}) {
		b.Run(fmt.Sprint(d), func(b *testing.B) {
			a := decaying(d)
			for b.Loop() {
				var e mat.EigenSym
				e.Factorize(a, true)
			}
		})
	}
}

func BenchmarkTopEigen(b *testing.B) {
	for _, d := range benchmarkSizes(b, []int{200}, []int{784, 1500}) {
		a := decaying(d)
		_, start, err := linalg.TopEigen(b.Context(), a, 50, nil)
		if err != nil {
			b.Fatal(err)
		}
		g := rand.New(rand.NewPCG(1, 2))
		changed := mat.NewSymDense(d, nil)
		for i := range d {
			for j := i; j < d; j++ {
				changed.SetSym(i, j, a.At(i, j)+1e-4*math.Sqrt(a.At(i, i)*a.At(j, j))*g.NormFloat64()/math.Sqrt(float64(d)))
			}
		}
		b.Run(fmt.Sprintf("cold/%d/50", d), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := linalg.TopEigen(b.Context(), a, 50, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("warm/%d/50", d), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := linalg.TopEigen(b.Context(), changed, 50, start); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWeightedMoments(b *testing.B) {
	for _, n := range benchmarkSizes(b, []int{2000}, []int{60000}) {
		b.Run(fmt.Sprintf("%dx784", n), func(b *testing.B) {
			x, w := random(1, n, 784), weights(2, n)
			for b.Loop() {
				if _, _, _, err := linalg.WeightedMoments(context.Background(), linalg.FromDense(x), w); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)*784*784*float64(b.N)/b.Elapsed().Seconds()/1e9, "GF/s")
		})
	}
}

func BenchmarkRows(b *testing.B) {
	for _, n := range benchmarkSizes(b, []int{2000}, []int{60000}) {
		x, w := random(1, n, 784), weights(2, n)
		v := random(3, 784, 50)
		linalg.Orthonormalize(v)
		src := linalg.FromDense(x)
		_, mean, err := linalg.WeightedMean(context.Background(), src, w)
		if err != nil {
			b.Fatal(err)
		}
		s := make([]float64, n)
		b.Run(fmt.Sprintf("mean/%dx784", n), func(b *testing.B) {
			for b.Loop() {
				linalg.WeightedMean(context.Background(), src, w)
			}
		})
		b.Run(fmt.Sprintf("residuals/%dx784x50", n), func(b *testing.B) {
			for b.Loop() {
				if err := linalg.Residuals(context.Background(), src, mean, v, s, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("scatter/%dx784x50", n), func(b *testing.B) {
			for b.Loop() {
				if _, err := linalg.ScatterTimes(context.Background(), src, w, mean, v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRidge(b *testing.B) {
	for _, n := range benchmarkSizes(b, []int{2000}, []int{100000}) {
		const p = 500
		b.Run(fmt.Sprintf("%dx%d", n, p), func(b *testing.B) {
			x, y, w := random(1, n, p), random(2, n, 1), weights(3, n)
			for b.Loop() {
				if _, err := linalg.Ridge(context.Background(), x, y, w, 1); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(2*float64(n)*p*p*float64(b.N)/b.Elapsed().Seconds()/1e9, "GF/s")
		})
	}
}
