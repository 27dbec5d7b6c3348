package kernel

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

// Fourier is the random feature map of Rahimi and Recht (2007),
//
//	phi(x) = (cos w_1'x, sin w_1'x, ..., cos w_h'x, sin w_h'x) / sqrt(h),
//
// with frequencies w drawn from the kernel's Fourier transform: Gaussian with variance
// 2 gamma for RBF, Cauchy with scale gamma for Laplace. Inner products of its features
// have the kernel as their mean and an error that falls as 1/sqrt(h).
type Fourier struct {
	Frequencies *mat.Dense // d x h
}

// NewFourier draws a map from d columns to the given even number of features. The
// kernel must be RBF or Laplace, with no open parameter.
func NewFourier(k Kernel, d, features int, seed uint64) (*Fourier, error) {
	if err := k.ready(); err != nil {
		return nil, err
	}
	if k.kind() != RBF && k.kind() != Laplace {
		return nil, refusal.Setting("kernel", "random Fourier features exist for rbf and laplace, not for %s", k.kind())
	}
	if d < 1 || features < 2 || features%2 != 0 {
		return nil, refusal.Setting("features", "%d columns and %d random features: need at least 1 column and an even number of features", d, features)
	}
	r := random.New(seed, "fourier frequencies")
	h := features / 2
	w := mat.NewDense(d, h, nil)
	for q := range h { // frequency by frequency: more features keep the first ones
		for j := range d {
			if k.kind() == RBF {
				w.Set(j, q, math.Sqrt(2*k.Gamma)*r.NormFloat64())
			} else {
				w.Set(j, q, k.Gamma*math.Tan(math.Pi*(r.Float64()-0.5)))
			}
		}
	}
	return &Fourier{Frequencies: w}, nil
}

// Widths returns the number of columns and of features.
func (m *Fourier) Widths() (in, out int) {
	in, h := m.Frequencies.Dims()
	return in, 2 * h
}

// Apply writes the features of the rows of x.
func (m *Fourier) Apply(dst, x *mat.Dense) error {
	if err := checkApply(m, dst, x); err != nil {
		return err
	}
	n, d := x.Dims()
	_, h := m.Frequencies.Dims()
	scale := 1 / math.Sqrt(float64(h))
	linalg.Parallel((n+gramRows-1)/gramRows, func(block int) {
		first := block * gramRows
		last := min(first+gramRows, n)
		var angles mat.Dense
		linalg.Mul(&angles, x.Slice(first, last, 0, d), m.Frequencies)
		for i := first; i < last; i++ {
			row := dst.RawRowView(i)
			for q, angle := range angles.RawRowView(i - first) {
				sin, cos := math.Sincos(angle)
				if math.IsNaN(sin) && finite(x.RawRowView(i)) { // so far off that the angle overflows: like no other row
					sin, cos = 0, 0
				}
				row[2*q], row[2*q+1] = scale*cos, scale*sin
			}
		}
	})
	return nil
}
