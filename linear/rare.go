package linear

import (
	"context"
	"slices"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// unseen is the mean of chi, 1 for rows that are not heard at all, from which on a category was not in the sample.
const unseen = 0.75

// seeRare sets the coefficients of rare categories that samples of the rows do not hold. A candidate from there has 0 for
// them, and their few rows, all far from it, would never be heard: of rows that are not where most of a column is, the
// median slope, if it brings them nearer.
func (g *design) seeRare(ctx context.Context, c candidate) (candidate, error) {
	var rare []int // columns of the design
	for k, j := range g.kept {
		if g.columns[j].MostlyOne && g.base(j) == 0 {
			rare = append(rare, g.ones+k)
		}
	}
	if len(rare) == 0 {
		return c, nil
	}
	if err := g.measure(ctx, c.beta, nil); err != nil {
		return c, err
	}
	scale := mScale(g.r, g.prior, g.total-float64(g.p), c.scale)
	if scale == 0 {
		return c, nil
	}
	r, beta := slices.Clone(g.r), slices.Clone(c.beta)
	changed := false
	for _, at := range rare {
		var rows []int
		var slopes, weights []float64
		before, total := 0.0, 0.0
		for i := range r {
			if z, w := g.row(i)[at], g.weight(i); z != 0 && w > 0 {
				rows, slopes, weights = append(rows, i), append(slopes, r[i]/z), append(weights, w)
				before += w * chi(r[i]/scale)
				total += w
			}
		}
		if before < unseen*total {
			continue
		}
		slope, after := univariate.WeightedMedian(slopes, weights), 0.0
		for k, i := range rows {
			after += weights[k] * chi((r[i]-slope*g.row(i)[at])/scale)
		}
		if !(after < before) {
			continue
		}
		beta[at] += slope
		for _, i := range rows {
			r[i] -= slope * g.row(i)[at]
		}
		changed = true
	}
	if changed {
		c.beta, c.scale, c.settled = beta, scale, false
	}
	return c, nil
}
