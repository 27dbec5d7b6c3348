package fastblas

import (
	"github.com/inlier-ml/inlier/linalg/fastblas"
	"math"
	"math/big"
	"testing"
)

// exactExp is the nearest float64 to e^x, from a Taylor series of 200 bits at x/2^20.
func exactExp(x float64) float64 {
	const halvings = 20
	new200 := func() *big.Float { return new(big.Float).SetPrec(200) }
	y := new200().SetMantExp(new200().SetFloat64(x), -halvings)
	sum, term := new200().SetInt64(1), new200().SetInt64(1)
	for i := int64(1); i < 30; i++ {
		term.Quo(term.Mul(term, y), new200().SetInt64(i))
		sum.Add(sum, term)
	}
	for range halvings {
		sum.Mul(sum, sum)
	}
	f, _ := sum.Float64()
	return f
}

// ulps returns the distance of two numbers of equal sign in representable numbers.
func ulps(a, b float64) uint64 {
	x, y := math.Float64bits(a), math.Float64bits(b)
	return max(x, y) - min(x, y)
}

func TestExp(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rnd := newRand(8)
		var src []float64
		for range 400 {
			src = append(src, rnd.NormFloat64(), 1500*(rnd.Float64()-0.5), 1e-3*rnd.NormFloat64(), -708-40*rnd.Float64(), 705+6*rnd.Float64())
		}
		for k := -1075; k <= 1024; k += 5 { // both sides of every point where the reduction changes
			for _, h := range []float64{0, 0.5} {
				x := (float64(k) + h) * math.Ln2
				src = append(src, x, math.Nextafter(x, -1e9), math.Nextafter(x, 1e9))
			}
		}
		dst := make([]float64, len(src))
		fastblas.Exp(dst, src)
		for i, x := range src {
			if want := exactExp(x); ulps(dst[i], want) > 2 {
				t.Fatalf("exp(%v) is %v, want %v: %d ulp", x, dst[i], want, ulps(dst[i], want))
			}
		}
	})
}

func TestExpAgainstMathExp(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		rnd := newRand(9)
		src := make([]float64, 100001)
		for i := range src {
			src[i] = 1450*rnd.Float64() - 745
		}
		dst := make([]float64, len(src))
		fastblas.Exp(dst, src)
		for i, x := range src {
			if x > 709 {
				continue // see expGo
			}
			if want := math.Exp(x); ulps(dst[i], want) > 2 {
				t.Fatalf("exp(%v) is %v, want %v: %d ulp", x, dst[i], want, ulps(dst[i], want))
			}
		}
	})
}

func TestExpExtremes(t *testing.T) {
	inf := math.Inf(1)
	cases := []struct{ x, want float64 }{
		{0, 1}, {math.Copysign(0, -1), 1}, {1, math.E}, {inf, inf}, {-inf, 0}, {math.NaN(), math.NaN()},
		{709.782712893384, 1.7976931348622732e+308}, {709.78, 1.7928227943945155e+308}, {709.7827128933841, inf}, {710, inf}, {1e308, inf}, {-1e308, 0},
		{-745.1332191019411, 5e-324}, {-745.1332191019412, 0}, {-746, 0}, {5e-324, 1}, {-5e-324, 1},
		{1e-17, 1}, {-708.3964185322641, 2.2250738585072626e-308},
	}
	eachKernel(t, func(t *testing.T) {
		for _, c := range cases {
			for place := range 11 { // in whole vectors and in the rest
				src := make([]float64, 11)
				src[place] = c.x
				fastblas.Exp(src, src)
				got := src[place]
				if math.IsNaN(c.want) {
					if !math.IsNaN(got) {
						t.Errorf("exp(NaN) is %v", got)
					}
				} else if ulps(got, c.want) > 2 || math.IsInf(c.want, 1) != math.IsInf(got, 1) {
					t.Errorf("exp(%v) is %v, want %v", c.x, got, c.want)
				}
				if other := src[(place+1)%11]; other != 1 {
					t.Errorf("exp(0) beside %v is %v", c.x, other)
				}
			}
		}
	})
}

func TestExpLengths(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		for n := range 40 {
			src := numbers(newRand(uint64(n)), n)
			dst := make([]float64, n+1)
			dst[n] = 42
			fastblas.Exp(dst, src)
			for i, x := range src {
				if ulps(dst[i], math.Exp(x)) > 2 {
					t.Fatalf("n=%d: exp(%v) is %v", n, x, dst[i])
				}
			}
			if dst[n] != 42 {
				t.Fatalf("n=%d: wrote past the end", n)
			}
		}
	})
}
