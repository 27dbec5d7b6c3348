package tensor

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// bases is the state of the reweighting: a mean and one factor per mode. A nil factor is
// the identity: the mode is kept whole.
type bases struct {
	mean    []float64
	factors []*mat.Dense // n_k x r_k, orthonormal columns
}

// problem is the weighted Tucker decomposition as an irls.Problem.
type problem struct {
	*samples
	ranks  []int
	fixed  []float64 // mean when it is not estimated, else nil
	spread float64   // root mean squared distance of samples from their mean: unit of mean shifts
}

// reduced lists the modes that get a factor.
func (p *problem) reduced() []int {
	var out []int
	for k, r := range p.ranks {
		if r < p.shape[k] {
			out = append(out, k)
		}
	}
	return out
}

func (p *problem) Len() int { return p.n }

func (p *problem) Residuals(ctx context.Context, at bases, s []float64) error {
	return p.residuals(ctx, at.mean, at.factors, s)
}

func (p *problem) Penalty(bases) float64 { return 0 }

// Solve is one sweep: the weighted mean, then each mode's factor from the leading
// eigenvectors of its Gram matrix with the newest factors of the others. Every part lowers
// the weighted sum of squared residuals, which is what descent needs.
func (p *problem) Solve(ctx context.Context, from bases, w []float64) (bases, error) {
	next, _, err := p.sweep(ctx, from, w)
	return next, err
}

// sweep is Solve; it also returns the weighted sum of squares that the factors keep, or 0
// when no mode is reduced.
func (p *problem) sweep(ctx context.Context, from bases, w []float64) (next bases, kept float64, err error) {
	next, values, _, err := p.solve(ctx, from, w)
	for _, all := range values {
		if all == nil {
			continue
		}
		kept = 0 // the last reduced mode has seen the newest factors of the others
		for _, v := range all {
			kept += v
		}
	}
	return next, kept, err
}

// solve is sweep with the sums of squares along each column of a factor, nil for a mode that
// is kept whole, and the sum of the weights.
func (p *problem) solve(ctx context.Context, from bases, w []float64) (next bases, values [][]float64, total float64, err error) {
	next = bases{mean: from.mean, factors: make([]*mat.Dense, len(p.shape))}
	copy(next.factors, from.factors)
	values = make([][]float64, len(p.shape))
	fixed := p.fixed != nil
	if fixed {
		next.mean = p.fixed
	}
	modes := p.reduced()
	if len(modes) == 0 {
		if !fixed {
			total, next.mean, err = linalg.WeightedMean(ctx, p.src, w)
		}
		return next, values, total, err
	}
	for _, k := range modes {
		var grams []*mat.SymDense
		if total, next.mean, grams, err = p.modeGrams(ctx, w, next.mean, fixed, next.factors, []int{k}); err != nil {
			return next, nil, 0, err
		}
		fixed = true
		if values[k], next.factors[k], err = linalg.TopEigen(ctx, grams[0], p.ranks[k], from.factors[k]); err != nil {
			return next, nil, 0, err
		}
	}
	return next, values, total, nil
}

// spectrum is the one-shot solution with every eigenvector: each mode's Gram matrix of the
// whole unfolding, without the factors of the others (2DSVD of Ding and Ye; HOSVD).
type spectrum struct {
	mean    []float64
	values  [][]float64  // of each mode, largest first
	vectors []*mat.Dense // of each mode
	total   float64      // weighted sum of squares about the mean
}

// once decomposes every mode of the weighted samples by itself. centre is any point near
// the samples.
func (p *problem) once(ctx context.Context, w, centre []float64) (*spectrum, error) {
	modes := make([]int, len(p.shape))
	for k := range modes {
		modes[k] = k
	}
	fixed := p.fixed != nil
	if fixed {
		centre = p.fixed
	}
	_, mean, grams, err := p.modeGrams(ctx, w, centre, fixed, make([]*mat.Dense, len(modes)), modes)
	if err != nil {
		return nil, err
	}
	out := &spectrum{mean: mean, total: mat.Trace(grams[0])}
	for _, g := range grams {
		values, vectors, err := linalg.SymEigen(ctx, g)
		if err != nil {
			return nil, err
		}
		linalg.FixSigns(vectors)
		out.values, out.vectors = append(out.values, values), append(out.vectors, vectors)
	}
	return out, nil
}

// at keeps the leading eigenvectors of each mode; a mode at full rank is kept whole.
func (s *spectrum) at(ranks []int) bases {
	out := bases{mean: s.mean, factors: make([]*mat.Dense, len(ranks))}
	for k, r := range ranks {
		if n := len(s.values[k]); r < n {
			out.factors[k] = mat.DenseCopyOf(s.vectors[k].Slice(0, n, 0, r))
		}
	}
	return out
}

// ranks are the smallest that together keep the share of the sum of squares: what a
// truncation loses is at most the sum of what its modes lose.
func (s *spectrum) ranks(share float64) []int {
	out := make([]int, len(s.values))
	for k := range s.values {
		out[k] = s.rank(k, 1-(1-share)/float64(len(s.values)))
	}
	return out
}

// rank is the smallest that keeps the share of the sum of squares in one mode.
func (s *spectrum) rank(mode int, share float64) int {
	allowed := (1-share)*s.total*(1+1e-12) + 1e-13*s.total
	lost, r := 0.0, len(s.values[mode])
	for ; r > 1; r-- {
		if lost += math.Max(s.values[mode][r-1], 0); lost > allowed {
			break
		}
	}
	return r
}

// Between moves each factor along the chord after the rotation that brings the two closest
// together (orthogonal Procrustes), and the mean along the line.
func (p *problem) Between(a, b bases, t float64) (bases, error) {
	out := bases{mean: make([]float64, p.d), factors: make([]*mat.Dense, len(a.factors))}
	for j := range out.mean {
		out.mean[j] = (1-t)*a.mean[j] + t*b.mean[j]
	}
	for k := range a.factors {
		if a.factors[k] != nil {
			out.factors[k] = chord(a.factors[k], b.factors[k], t)
		}
	}
	return out, nil
}

func chord(a, b *mat.Dense, t float64) *mat.Dense {
	n, r := a.Dims()
	var cross mat.Dense
	linalg.Mul(&cross, b.T(), a)
	out := mat.NewDense(n, r, nil)
	var svd mat.SVD
	if svd.Factorize(&cross, mat.SVDThin) {
		var u, v, rotation mat.Dense
		svd.UTo(&u)
		svd.VTo(&v)
		linalg.Mul(&rotation, &u, v.T())
		linalg.Mul(out, b, &rotation)
	} else {
		out.Copy(b)
	}
	out.Apply(func(i, j int, x float64) float64 { return (1-t)*a.At(i, j) + t*x }, out)
	linalg.Orthonormalize(out)
	linalg.FixSigns(out)
	return out
}

// Distance is the largest sine-like distance of the factors' spans plus the shift of the
// mean in units of the samples' spread.
func (p *problem) Distance(a, b bases) float64 {
	worst := 0.0
	for k := range a.factors {
		if a.factors[k] != nil {
			worst = math.Max(worst, sine(a.factors[k], b.factors[k]))
		}
	}
	shift := 0.0
	for j, v := range a.mean {
		e := v - b.mean[j]
		shift += e * e
	}
	if p.spread > 0 {
		worst += math.Sqrt(shift) / p.spread
	}
	return worst
}

// sine is ||(I - AA')B|| / sqrt(r): 0 for equal spans, 1 for orthogonal ones.
func sine(a, b *mat.Dense) float64 {
	var cross, rest mat.Dense
	linalg.Mul(&cross, a.T(), b)
	linalg.Mul(&rest, a, &cross)
	rest.Sub(b, &rest)
	_, r := a.Dims()
	return mat.Norm(&rest, 2) / math.Sqrt(float64(r))
}
