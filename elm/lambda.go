package elm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// spectrum is a regression seen along the eigenvectors of H'WH: enough to know residuals
// and degrees of freedom for every penalty at once.
type spectrum struct {
	values []float64 // eigenvalues
	inside []float64 // squared right-hand side along each eigenvector, over outputs
	square float64   // sum of w t^2
	rows   float64   // effective number of rows: those with weight
	k      float64
}

// spectrum of the problem with row weights w (nil: ones).
func (r *regression) spectrum(ctx context.Context, w []float64) (*spectrum, error) {
	s := &spectrum{k: float64(r.k)}
	for i := range r.h.n {
		a := weighting{w: w, k: 1}.at(i, 0)
		s.rows += a
		for _, v := range r.t.RawRowView(i) {
			s.square += a * v * v
		}
	}
	if r.h.n < r.h.l {
		return s, r.dualSpectrum(s, w)
	}
	rhs, grams, err := r.normal(ctx, nil, weighting{w: w, k: r.k, perRow: true}, 0, 1)
	if err != nil {
		return nil, err
	}
	values, vectors, err := linalg.SymEigen(mat.NewSymDense(r.h.l, grams[0]))
	if err != nil {
		return nil, err
	}
	var z mat.Dense
	z.Mul(vectors.T(), rhs)
	s.values = values
	for i := range values {
		n := mat.Norm(z.RowView(i), 2)
		s.inside = append(s.inside, n*n)
	}
	return s, nil
}

// dualSpectrum works with the n x n matrix of inner products between rows.
func (r *regression) dualSpectrum(s *spectrum, w []float64) error {
	rows, t := mat.DenseCopyOf(r.h.kept), mat.DenseCopyOf(r.t)
	for i := range r.h.n {
		root := math.Sqrt(weighting{w: w, k: 1}.at(i, 0))
		for _, row := range [][]float64{rows.RawRowView(i), t.RawRowView(i)} {
			for j := range row {
				row[j] *= root
			}
		}
	}
	var inner mat.SymDense
	inner.SymOuterK(1, rows)
	values, vectors, err := linalg.SymEigen(&inner)
	if err != nil {
		return err
	}
	var z mat.Dense
	z.Mul(vectors.T(), t)
	s.values = values
	for i, v := range values {
		n := mat.Norm(z.RowView(i), 2)
		s.inside = append(s.inside, n*n*math.Max(v, 0))
	}
	return nil
}

// freedom is the trace of the hat matrix at a penalty.
func (s *spectrum) freedom(lambda float64) float64 {
	sum := 0.0
	for _, v := range s.values {
		if v > 1e-14*s.values[0] {
			sum += v / (v + lambda)
		}
	}
	return sum
}

// residual is the weighted sum of squared residuals at a penalty.
func (s *spectrum) residual(lambda float64) float64 {
	left := s.square
	for i, v := range s.values {
		if v > 1e-14*s.values[0] {
			left -= s.inside[i] * (v + 2*lambda) / ((v + lambda) * (v + lambda))
		}
	}
	return math.Max(left, 1e-13*s.square)
}

// choose returns the penalty with the smallest generalised cross-validation score
// (Golub, Heath and Wahba 1979), each degree of freedom counted 1.4 times, which guards
// against fits that follow the noise (Cummins, Filloon and Nychka 2001).
func (s *spectrum) choose() float64 {
	const charge = 1.4
	best, lowest := 0.0, math.Inf(1)
	for half := -24; half <= 2; half++ {
		lambda := s.values[0] * math.Pow(10, float64(half)/2)
		room := 1 - charge*s.freedom(lambda)/s.rows
		if room <= 0 {
			continue
		}
		if score := s.residual(lambda) / (room * room); score < lowest {
			best, lowest = lambda, score
		}
	}
	if math.IsInf(lowest, 1) {
		return 1e-3 * s.values[0]
	}
	return best
}
