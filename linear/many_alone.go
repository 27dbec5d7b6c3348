package linear

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
)

// witnesses tells of rows that are not in the sample whether they are heard: one that lies far beyond all rows of the sample in a column
// makes its own residual (see heard), unless the fit to the sample confirms it. Where the loss rejects it there is nothing to be done.
type witnesses struct {
	g      *design // of the sample
	limits []float64
	beta   []float64
	spread *mat.SymDense // covariance of the coefficients; nil: nobody is confirmed
	sure   float64       // standard errors that an effect must have
	cutoff float64       // of residuals
	scale  float64       // of residuals
	weight func(squared float64) float64
}

// witnessed learns from the fit to the sample; nil where every row is heard.
func (b *many) witnessed(ctx context.Context) *witnesses {
	if b.status == irls.PerfectFit {
		return nil
	}
	g := b.g
	w := &witnesses{g: g, limits: make([]float64, g.p), beta: append([]float64(nil), b.beta...), cutoff: b.cutoff(), scale: b.scale, weight: relativeWeight(b.loss, b.largest)}
	w.sure = 3 * w.cutoff / b.ResidualCutoff
	for j, c := range g.usual() {
		w.limits[j] = ordinary * c.usual
	}
	for i := range g.n {
		if g.weight(i) == 0 {
			continue
		}
		for j, z := range g.row(i) {
			w.limits[j] = max(w.limits[j], math.Abs(z))
		}
	}
	for j := range w.limits {
		if w.limits[j] *= beyond; j < g.ones {
			w.limits[j] = math.Inf(1)
		}
	}
	if g.measure(ctx, b.beta, nil) == nil {
		if e := b.gather(ctx, g, b.start); e != nil {
			w.spread = b.covariance(e)
		}
	}
	return w
}

// hears tells whether a row of a design that is laid as the sample's has a vote.
func (w *witnesses) hears(row []float64, y float64) bool {
	var far []int
	for j, limit := range w.limits {
		if z := row[j]; z > limit || z < -limit {
			far = append(far, j)
		}
	}
	if far == nil {
		return true
	}
	r := math.Abs(y - dot(row, w.beta))
	farthest := 0.0
	for _, j := range far {
		farthest = max(farthest, math.Abs(row[j]))
	}
	if w.weight(r*r)*max(1, r/w.scale*farthest) < rejected { // its pull at the coefficient has faded
		return true
	}
	if w.spread == nil {
		return false
	}
	effect, variance := 0.0, 0.0
	for _, j := range far {
		effect += row[j] * w.beta[j]
		for _, k := range far {
			variance += row[j] * row[k] * w.spread.At(j, k)
		}
	}
	return effect*effect > w.sure*w.sure*variance && r <= w.cutoff*math.Sqrt(w.scale*w.scale+variance)
}

// hush takes the votes of rows of a block that are not heard, and tells how much they weighed.
func (at *room) hush(w *witnesses) (unheard float64) {
	if w == nil {
		return 0
	}
	own := false
	for i := range at.n {
		if w.hears(at.row(i), at.y[i]) {
			continue
		}
		if !own {
			own = true
			weights := make([]float64, at.n)
			for k := range weights {
				weights[k] = at.weight(k)
			}
			at.prior = weights
		}
		unheard += at.prior[i]
		at.prior[i] = 0
	}
	return unheard
}
