package pca

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/internal/renewal"
	"github.com/inlier-ml/inlier/linalg"
)

// past is what a model keeps of its rows for updates, beside mean, components and eigenvalues, which are the weighted scatter within
// the subspace: the weighted scatter outside of it. With many columns that is taken to be alike in all directions.
type past struct {
	total     float64       // sum of the weights, 1 being a full vote
	effective float64       // rows that they are worth
	spread    float64       // mean variance along a direction outside the subspace
	rest      *mat.SymDense // scatter outside the subspace, d x d; nil: spread in all directions
}

// restMost is the number of columns up to which the scatter outside the subspace is kept: half a megabyte.
const restMost = 256

// with remembers the scatter that a subspace comes from, where it may be kept.
func (at subspace) with(scatter *mat.SymDense, total float64) subspace {
	if scatter.SymmetricDim() <= restMost {
		at.scatter, at.total = scatter, total
	}
	return at
}

// remember keeps what is left of the rows of a fit; nil of methods whose mean is not that of the weighted rows, or whose components
// are not its principal axes.
func (o Options) remember(ctx context.Context, t *table, found learned, m *Model, s []float64) (*past, error) {
	if found.full.fixed != nil || m.axes != nil || m.cells != nil {
		return nil, nil
	}
	p, w := &past{}, make([]float64, len(s))
	left := 0.0
	for i, v := range s {
		if found.res.Weights[i] == 0 {
			continue
		}
		w[i] = weightAt(o.Weights, i)
		if !m.unweighted {
			w[i] *= math.Exp(m.loss.LogWeight(v) - m.largest)
		}
		if w[i] > 0 { // also where the distance is beyond squares
			p.total += w[i]
			left += w[i] * v
		}
	}
	d, k := m.dims()
	if p.effective = effective(w, o.Weights); !(p.total > 0 && p.total <= math.MaxFloat64) {
		return nil, nil
	}
	if d > k {
		p.spread = left / p.total / float64(d-k)
	}
	if d > restMost || d == k {
		return p, nil
	}
	scatter, total := found.at.scatter, found.at.total
	if inside, _ := found.at.basis.Dims(); scatter == nil || inside != d {
		var err error
		if total, _, scatter, err = linalg.WeightedMoments(ctx, t.seen, w); err != nil {
			return nil, err
		}
	}
	p.rest = outside(scatter, m.basis, p.total/total)
	return p, nil
}

// outside is a scatter outside a subspace, times a factor: (I - BB')S(I - BB').
func outside(scatter *mat.SymDense, basis *mat.Dense, factor float64) *mat.SymDense {
	var along, inside, across, rest mat.Dense
	linalg.Mul(&along, scatter, basis)
	linalg.Mul(&inside, &along, basis.T())
	rest.Sub(scatter, &inside)
	linalg.Mul(&across, basis.T(), &rest)
	inside.Reset()
	linalg.Mul(&inside, basis, &across)
	rest.Sub(&rest, &inside)
	rest.Scale(factor, &rest)
	return symmetric(&rest)
}

// of is the past of all rows, of which a reading tells, where it was that of a sample.
func (p *past) of(seen *look) *past {
	if p == nil || !(seen.Sum > 0) {
		return nil
	}
	out := &past{total: seen.Sum, effective: seen.effective(), spread: p.spread}
	if p.rest != nil {
		out.rest = new(mat.SymDense)
		out.rest.ScaleSym(out.total/p.total, p.rest)
	}
	return out
}

// divisor turns scatter into variances.
func (p *past) divisor() float64 { return p.total * (1 - 1/math.Max(p.effective, 2)) }

func (p *past) store(arrays map[string]archive.Array, extra map[string]any) {
	if p == nil {
		return
	}
	extra["past_total"], extra["past_effective"], extra["past_spread"] = p.total, p.effective, p.spread
	if p.rest != nil {
		arrays["past_scatter"] = archive.Matrix(mat.DenseCopyOf(p.rest))
	}
}

// restorePast reads it; nil: files of old have none.
func restorePast(r *archive.Reader, d int) *past {
	if !r.Knows("past_total") {
		return nil
	}
	p := &past{total: r.Number("past_total"), effective: r.Number("past_effective"), spread: r.Number("past_spread")}
	if r.Err() == nil && !(p.total > 0 && p.effective >= 0 && p.spread >= 0) {
		r.Fail("weights of %g, worth %g rows, with a spread of %g", p.total, p.effective, p.spread)
	}
	if r.Has("past_scatter") {
		rest := r.Matrix("past_scatter")
		if r.Err() != nil {
			return nil
		}
		if rows, columns := rest.Dims(); rows != d || columns != d {
			r.Fail("a scatter of %d x %d does not go with %d columns", rows, columns, d)
			return nil
		}
		p.rest = symmetric(rest)
		for _, v := range p.rest.RawSymmetric().Data {
			if v-v != 0 {
				r.Fail("the scatter holds a number that is not finite")
			}
		}
	}
	return p
}

var errForgotten = renewal.Forgotten("it comes from an older program, or from a centre that rows do not give")
