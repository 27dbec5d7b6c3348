package loss

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/loss"
)

// The properties of the KMPE paper (section II-B) for the empirical KMPE, eq. (5),
// written with Rho. Two of them need a repair: the bound C < 1 of Property 2 is <= 1 in
// floating point, and the remark after Property 6 needs p >= 2.

func empiricalKMPE(p, sigma float64, x, y []float64) float64 {
	l := loss.MustParse("kmpe:p=" + fmt.Sprint(p)).At(sigma)
	var sum float64
	for i := range x {
		d := x[i] - y[i]
		sum += l.Rho(d * d)
	}
	return sum / float64(len(x))
}

var kmpePowers = []float64{0.5, 1, 2, 3, 4, 10}

func TestProperty1Symmetric(t *testing.T) {
	x, y := gaussians(50, 2, 1), gaussians(50, 2, 2)
	for _, p := range kmpePowers {
		if a, b := empiricalKMPE(p, 1.3, x, y), empiricalKMPE(p, 1.3, y, x); a != b {
			t.Errorf("p=%g: %g and %g", p, a, b)
		}
	}
}

func TestProperty2Bounded(t *testing.T) {
	x := gaussians(50, 2, 3)
	for _, p := range kmpePowers {
		atZero := empiricalKMPE(p, 1, x, x)
		// Below p = 2 the tangent's intercept stands for 0: at most rho at r/beta = 1e-6.
		if most := math.Pow(1e-6, p); p < 2 && !(atZero > 0 && atZero <= most) || p >= 2 && atZero != 0 {
			t.Errorf("p=%g: X=Y gives %g", p, atZero)
		}
		for _, spread := range []float64{1e-4, 1, 1e4, 1e100} {
			y := gaussians(50, spread, 4)
			if c := empiricalKMPE(p, 1, x, y); !(c > atZero && c <= 1) {
				t.Errorf("p=%g: spread %g gives %g", p, spread, c)
			}
		}
	}
}

func TestProperty3SmallPower(t *testing.T) {
	x, y := gaussians(50, 1, 5), gaussians(50, 1, 6)
	const p = 0.01
	var mean float64
	for i := range x {
		d := x[i] - y[i]
		mean += math.Log(-math.Expm1(-d*d/2)) / float64(len(x))
	}
	want := 1 + p/2*mean
	// The next term of the series is (p/2)^2 log^2/2, about 1e-5*log^2.
	if got := empiricalKMPE(p, 1, x, y); math.Abs(got-want) > 5e-4 || math.Abs(got-1) < 1e-3 {
		t.Errorf("got %g, want nearly %g", got, want)
	}
}

func TestProperties4And7WideKernelIsLp(t *testing.T) {
	x, y := gaussians(50, 1, 7), gaussians(50, 1, 8)
	for _, p := range kmpePowers {
		sigma := 1e3
		var moment float64
		for i := range x {
			moment += math.Pow(math.Abs(x[i]-y[i]), p) / float64(len(x))
		}
		want := math.Pow(2*sigma*sigma, -p/2) * moment
		if got := empiricalKMPE(p, sigma, x, y); math.Abs(got-want) > 3e-5*want {
			t.Errorf("p=%g: got %g, want nearly %g", p, got, want)
		}
		// The other half of Property 7: small residuals at a fixed bandwidth.
		small := make([]float64, len(x))
		moment = 0
		for i := range x {
			small[i] = 1e-3 * x[i]
			moment += math.Pow(math.Abs(small[i]), p) / float64(len(x))
		}
		want = math.Pow(math.Sqrt2, -p) * moment
		if got := empiricalKMPE(p, 1, small, make([]float64, len(x))); math.Abs(got-want) > 3e-5*want {
			t.Errorf("p=%g, small residuals: got %g, want nearly %g", p, got, want)
		}
	}
}

// curvature is the second derivative of rho(e^2) in the residual e by differences: one
// entry of the diagonal Hessian (7).
func curvature(l loss.Scaled, e float64) float64 {
	const h = 1e-4
	f := func(e float64) float64 { return l.Rho(e * e) }
	return (f(e+h) - 2*f(e) + f(e-h)) / (h * h)
}

func TestProperty5ConvexWithinSigma(t *testing.T) {
	for _, p := range []float64{2, 2.5, 4, 10} {
		l := loss.MustParse("kmpe:p=" + fmt.Sprint(p)).At(1.4)
		for e := -1.4; e <= 1.4; e += 0.05 {
			if c := curvature(l, e); c < -1e-7 {
				t.Errorf("p=%g: curvature %g at e=%g", p, c, e)
			}
		}
	}
	// The remark after Property 6 leaves out p >= 2; below, it fails.
	if c := curvature(loss.MustParse("kmpe:p=1").At(1.4), 1); c >= 0 {
		t.Errorf("p=1 is convex at e=1 (curvature %g): the remark would hold for p < 2", c)
	}
}

func TestProperty6ConvexForLargePower(t *testing.T) {
	const sigma = 1.2
	for _, e := range []float64{1.25, 1.6, 2, 2.5} {
		g := math.Exp(-e * e / (2 * sigma * sigma))
		border := 2*(e*e-sigma*sigma)*(1-g)/(e*e*g) + 2 // eq. (9)
		for _, side := range []float64{0.9, 1.1} {
			l := loss.MustParse("kmpe:p=" + fmt.Sprint(border*side)).At(sigma)
			if c := curvature(l, e); (c > 0) != (side > 1) {
				t.Errorf("e=%g p=%g (border %g): curvature %g", e, border*side, border, c)
			}
		}
	}
}

// As sigma falls to 0, N*C_p(X, 0) counts the entries that are not 0, so its minimiser
// over a feasible set is the sparsest member.
func TestProperty8NarrowKernelCounts(t *testing.T) {
	candidates := [][]float64{{3, 3, 3, 0}, {0, 0, 9, 0}, {1, 2, 0, 0}, {0.5, 0.5, 0.5, 0.5}}
	for _, p := range []float64{2, 3, 4} {
		best, least := -1, math.Inf(1)
		for i, x := range candidates {
			count := 0.0
			for _, v := range x {
				if v != 0 {
					count++
				}
			}
			c := 4 * empiricalKMPE(p, 1e-3, x, make([]float64, 4))
			if math.Abs(c-count) > 1e-9 {
				t.Errorf("p=%g: %v counts %g", p, x, c)
			}
			if c < least {
				best, least = i, c
			}
		}
		if best != 1 {
			t.Errorf("p=%g: candidate %d is least, not the sparsest", p, best)
		}
	}
}

// Below p = 2 the count carries the tangent's intercept for each zero entry.
func TestProperty8BelowTwo(t *testing.T) {
	zeros := make([]float64, 4)
	if c := 4 * empiricalKMPE(1, 1e-3, []float64{0, 0, 9, 0}, zeros); math.Abs(c-1) > 3e-6 {
		t.Errorf("p=1 counts %g", c)
	}
}

func gaussians(n int, sd float64, seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]float64, n)
	for i := range out {
		out[i] = sd * r.NormFloat64()
	}
	return out
}
