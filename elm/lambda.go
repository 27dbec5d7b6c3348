package elm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

const (
	// charge is how often each degree of freedom is counted in generalised
	// cross-validation, which guards against fits that follow the noise: 1.2 to 1.4 in the
	// literature (Cummins, Filloon and Nychka 2001; Kim and Gu 2004).
	charge = 1.2
	// mostFreedom is the most degrees of freedom per row that a penalty may leave: nearer to
	// interpolation cross-validation from residuals is not to be trusted.
	mostFreedom = 0.6
	// lowestPenalty is the smallest penalty that is tried, relative to the largest
	// eigenvalue of H'WH. The output weights then stay small enough for the rounding
	// errors of the nodes to remain below 1e-4 of the targets.
	lowestPenalty = 1e-24
	// gramPenalty is the smallest one that rounding leaves visible in H'WH itself.
	gramPenalty = 1e-11
	// quickWork and quickNodes bound the problems whose singular values are computed
	// at once; larger ones are looked at through H'WH first, which is several times faster.
	quickWork  = 4e9
	quickNodes = 256
)

// spectrum is a regression seen along the singular vectors of sqrt(W)H: enough to know
// residuals and degrees of freedom for every penalty at once.
type spectrum struct {
	values  []float64 // squared singular values
	inside  []float64 // squared targets along each left singular vector, over outputs
	outside float64   // squared targets that no output weights reach
	rows    float64   // effective number of rows: those with weight
	lowest  float64   // penalty below which nothing is known, relative to values[0]
}

// spectrum of the problem with row weights w (nil: ones), accurate at the penalty that
// is given or, if it is zero, at the one to be chosen with at most so much freedom per row.
//
// Smooth nodes of few inputs make singular values that fall over twenty orders of
// magnitude, and a function with several bends needs the small ones: a penalty of 1e-20
// of the largest is no rarity. H'WH has lost them, hence the orthogonal factorisation.
func (r *regression) spectrum(ctx context.Context, w []float64, lambda, most float64) (*spectrum, error) {
	n, l := float64(r.h.n), float64(r.h.l)
	if n >= l && (n*l*l > quickWork || l > quickNodes) {
		s, err := r.gramSpectrum(ctx, w)
		if err != nil {
			return nil, err
		}
		at := lambda
		if at == 0 {
			at = s.choose(most)
		}
		if at > 100*gramPenalty*s.values[0] {
			return s, nil
		}
	}
	return r.exactSpectrum(ctx, w)
}

// effective is the sum of the row weights.
func (r *regression) effective(w []float64) float64 {
	sum := 0.0
	for i := range r.h.n {
		sum += weighting{w: w, k: 1}.at(i, 0)
	}
	return sum
}

// gramSpectrum works with H'WH.
func (r *regression) gramSpectrum(ctx context.Context, w []float64) (*spectrum, error) {
	s := &spectrum{rows: r.effective(w), lowest: gramPenalty}
	rhs, grams, err := r.normal(ctx, nil, weighting{w: w, k: r.k, perRow: true}, 0, 1)
	if err != nil {
		return nil, err
	}
	values, vectors, err := linalg.SymEigen(mat.NewSymDense(r.h.l, grams[0]))
	if err != nil {
		return nil, err
	}
	square := 0.0
	for i := range r.h.n {
		a := weighting{w: w, k: 1}.at(i, 0)
		for _, v := range r.t.RawRowView(i) {
			square += a * v * v
		}
	}
	var z mat.Dense
	linalg.Mul(&z, vectors.T(), rhs)
	s.outside = square
	for i, v := range values {
		if i > 0 && v <= 1e-14*values[0] {
			break
		}
		s.values, s.inside = append(s.values, v), append(s.inside, squaredRow(&z, i)/math.Max(v, math.SmallestNonzeroFloat64))
		s.outside -= s.inside[i]
	}
	s.outside = math.Max(s.outside, 1e-13*square)
	return s, nil
}

// exactSpectrum works with a triangular factor of sqrt(W)H, or of its transpose where
// there are fewer rows than nodes.
func (r *regression) exactSpectrum(ctx context.Context, w []float64) (*spectrum, error) {
	s := &spectrum{rows: r.effective(w), lowest: lowestPenalty}
	var triangle, targets *mat.Dense
	if r.h.n >= r.h.l {
		sum := linalg.NewTSQR(r.h.l, r.k)
		err := r.h.scan(ctx, func(first int, block *mat.Dense) error {
			rows, _ := block.Dims()
			return sum.Add(block, r.t.Slice(first, first+rows, 0, r.k).(*mat.Dense), weighting{w: w, k: 1}.column(0, first, first+rows))
		})
		if err != nil {
			return nil, err
		}
		triangle = sum.R()
		targets, s.outside = sum.Right()
	} else {
		across, err := r.across(w)
		if err != nil {
			return nil, err
		}
		triangle, targets = mat.DenseCopyOf(across.T()), mat.DenseCopyOf(r.t)
		for i := range r.h.n {
			root := math.Sqrt(weighting{w: w, k: 1}.at(i, 0))
			for c, v := range targets.RawRowView(i) {
				targets.Set(i, c, root*v)
			}
		}
	}
	err := s.peel(triangle, targets)
	return s, err
}

// level is the part of the largest eigenvalue down to which those of a matrix of
// products are taken for accurate.
const level = 1e-7

// peel finds the squared singular values of a and the targets along its left singular
// vectors. Products of rows show the large ones; the rows are then turned into what
// lies beside those, whose products show the next ones, and so on. Each turn is orthogonal, so
// the error is that of rounding a itself, as in a singular value decomposition, at the
// cost of a few symmetric eigenproblems that become smaller.
func (s *spectrum) peel(a, targets *mat.Dense) error {
	_, outputs := targets.Dims()
	for {
		values, vectors, err := linalg.SymEigen(linalg.RowProducts(a))
		if err != nil {
			return err
		}
		count := 0
		for count < len(values) && values[count] > level*values[0] {
			count++
		}
		if s.values == nil || values[0] > lowestPenalty*level*s.values[0] {
			count = max(count, 1)
		} else {
			count = 0
		}
		var along mat.Dense
		linalg.Mul(&along, vectors.T(), targets)
		if count == 0 { // nothing but rounding is left
			for i := range values {
				s.outside += squaredRow(&along, i)
			}
			return nil
		}
		for i, v := range values[:count] {
			s.values, s.inside = append(s.values, math.Max(v, 0)), append(s.inside, squaredRow(&along, i))
		}
		left := len(values) - count
		if left == 0 {
			return nil
		}
		_, width := a.Dims()
		rest := mat.NewDense(left, width, nil)
		linalg.Mul(rest, vectors.Slice(0, len(values), count, len(values)).T(), a)
		a = rest
		targets = mat.DenseCopyOf(along.Slice(count, len(values), 0, outputs))
	}
}

// across is the triangular factor R of (sqrt(W)H)' = QR, n x n.
func (r *regression) across(w []float64) (*mat.Dense, error) {
	nodes := mat.DenseCopyOf(r.h.kept.T())
	for i := range r.h.n {
		root := math.Sqrt(weighting{w: w, k: 1}.at(i, 0))
		for j := range r.h.l {
			nodes.Set(j, i, root*nodes.At(j, i))
		}
	}
	sum := linalg.NewTSQR(r.h.n, 1)
	err := sum.Add(nodes, mat.NewDense(r.h.l, 1, nil), nil)
	return sum.R(), err
}

// squaredRow is the squared length of a row.
func squaredRow(m *mat.Dense, i int) float64 {
	sum := 0.0
	for _, v := range m.RawRowView(i) {
		sum += v * v
	}
	return sum
}

// freedom is the trace of the hat matrix at a penalty.
func (s *spectrum) freedom(lambda float64) float64 {
	sum := 0.0
	for _, v := range s.values {
		if v > lowestPenalty*s.values[0] {
			sum += v / (v + lambda)
		}
	}
	return sum
}

// residual is the weighted sum of squared residuals at a penalty.
func (s *spectrum) residual(lambda float64) float64 {
	left := s.outside
	for i, v := range s.values {
		part := lambda / (v + lambda)
		left += s.inside[i] * part * part
	}
	return left
}

// choose returns the penalty with the smallest generalised cross-validation score
// (Golub, Heath and Wahba 1979) among powers of ten and their halves, of those that leave at
// most so many degrees of freedom per row.
func (s *spectrum) choose(most float64) float64 {
	best, lowest := 1e-3*s.values[0], math.Inf(1)
	for half := 2; ; half-- {
		relative := math.Pow(10, float64(half)/2)
		if relative < 0.99*s.lowest {
			return best
		}
		lambda := relative * s.values[0]
		used := s.freedom(lambda) / s.rows
		if used > most {
			return best
		}
		room := 1 - charge*used
		if score := s.residual(lambda) / (room * room); score < lowest {
			best, lowest = lambda, score
		}
	}
}
