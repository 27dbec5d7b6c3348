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
	single  *singly   // what is known of single rows; nil: nothing
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

// effective is the sum of the row weights, of which the rows' own count one on average: a row that counts
// several times is still met by one degree of freedom, and its copies tell nothing of
// errors on new rows.
func (r *regression) effective(w []float64) float64 {
	sum := 0.0
	for i := range r.h.n {
		sum += weighting{w: w, k: 1}.at(i, 0)
	}
	if r.copies > 0 {
		sum /= r.copies
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
	values, vectors, err := linalg.SymEigen(ctx, mat.NewSymDense(r.h.l, grams[0]))
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

// exactSpectrum looks at rows singly, or works with a triangular factor of sqrt(W)H where there are
// many of them.
func (r *regression) exactSpectrum(ctx context.Context, w []float64) (*spectrum, error) {
	s := &spectrum{rows: r.effective(w), lowest: lowestPenalty}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if r.singly() {
		return s, s.peelRows(ctx, r, w)
	}
	sum := linalg.NewTSQR(r.h.l, r.k)
	err := r.h.scan(ctx, func(first int, block *mat.Dense) error {
		rows, _ := block.Dims()
		return sum.Add(block, r.t.Slice(first, first+rows, 0, r.k).(*mat.Dense), weighting{w: w, k: 1}.column(0, first, first+rows))
	})
	if err != nil {
		return nil, err
	}
	var targets *mat.Dense
	targets, s.outside = sum.Right()
	_, err = s.peel(ctx, sum.R(), targets, nil)
	return s, err
}

// level is the part of the largest eigenvalue down to which those of a matrix of
// products are taken for accurate.
const level = 1e-7

// peel finds the squared singular values of a and the targets along its left singular
// vectors. Products of rows show the large ones; the rows are then turned into what
// lies beside those, whose products show the next ones, and so on. Each turn is orthogonal, so
// the error is that of rounding a itself, as in a singular value decomposition, at the
// cost of a few symmetric eigenproblems that become smaller. Where the rows of a belong to
// orthonormal columns, basis, the left singular vectors themselves are returned.
func (s *spectrum) peel(ctx context.Context, a, targets, basis *mat.Dense) (left *mat.Dense, err error) {
	_, outputs := targets.Dims()
	if basis != nil {
		left = mat.DenseCopyOf(basis)
	}
	for {
		values, vectors, err := linalg.SymEigen(ctx, linalg.RowProducts(a))
		if err != nil {
			return nil, err
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
			return left, nil
		}
		if basis != nil { // those that were found stay, the others are turned
			n, all := left.Dims()
			behind := left.Slice(0, n, len(s.values), all).(*mat.Dense)
			turned := mat.NewDense(n, len(values), nil)
			linalg.Mul(turned, behind, vectors)
			behind.Copy(turned)
		}
		for i, v := range values[:count] {
			s.values, s.inside = append(s.values, math.Max(v, 0)), append(s.inside, squaredRow(&along, i))
		}
		others := len(values) - count
		if others == 0 {
			return left, nil
		}
		_, width := a.Dims()
		rest := mat.NewDense(others, width, nil)
		linalg.Mul(rest, vectors.Slice(0, len(values), count, len(values)).T(), a)
		a = rest
		targets = mat.DenseCopyOf(along.Slice(count, len(values), 0, outputs))
	}
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

// choose returns the penalty that predicts rows which were left out best, among powers of ten and
// their halves, of those that leave at most so many degrees of freedom per row.
func (s *spectrum) choose(most float64) float64 {
	var tried []float64
	for half := 2; ; half-- {
		relative := math.Pow(10, float64(half)/2)
		lambda := relative * s.values[0]
		if relative < 0.99*s.lowest || s.freedom(lambda) > most*s.rows {
			break
		}
		tried = append(tried, lambda)
	}
	scores := s.scores(tried)
	best, lowest := -1, math.Inf(1)
	for i, score := range scores {
		if score < lowest {
			best, lowest = i, score
		}
	}
	switch {
	case best < 0:
		return 1e-3 * s.values[0]
	case best == 0 || best == len(tried)-1:
		return tried[best]
	}
	return tried[best] * math.Pow(10, -vertex(scores[best-1], scores[best], scores[best+1])/2)
}

// vertex is where between -1/2 and 1/2 the parabola through the logarithms of three scores has its minimum,
// so that what is chosen follows the rows without jumps.
func vertex(before, at, behind float64) float64 {
	rise, fall := math.Log(behind/at), math.Log(before/at)
	if !(rise+fall > 0) || math.IsInf(rise+fall, 1) {
		return 0
	}
	return (fall - rise) / (fall + rise) / 2
}

// scores are sums of squared errors of left-out rows at penalties: of every row, or, where rows are
// not known singly, as if each had the same share in its own fit (generalised cross-validation;
// Golub, Heath and Wahba 1979).
func (s *spectrum) scores(penalties []float64) []float64 {
	if s.single != nil {
		return s.single.scores(s.values, penalties)
	}
	out := make([]float64, len(penalties))
	for i, lambda := range penalties {
		room := 1 - charge*s.freedom(lambda)/s.rows
		out[i] = s.residual(lambda) / (room * room)
	}
	return out
}
