package pca

import (
	"math"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// cellLoss is the loss of cells in standard deviations of regular ones, at several widths.
type cellLoss struct {
	spec  loss.Spec
	width float64 // as asked for; 0 for losses without
	at    loss.Scaled
	fast  float64 // 1/(2 sigma^2) of Welsch's loss, which is worked out for many cells at once; else 0
}

// typicalCell is the median of the squared deviations of regular cells.
const typicalCell = 0.454936423119572

// cellWidth is how many times the width with 95 % efficiency an open bandwidth is: scores of rows and
// loadings of columns both pay for it, and bad cells are mostly far off.
const cellWidth = 1.25

// newCellLoss settles what a loss leaves open: cells have the spread 1.
func newCellLoss(spec loss.Spec) cellLoss {
	one := []float64{typicalCell}
	spec = spec.Resolve(one, nil)
	c := cellLoss{spec: spec, width: spec.Bandwidth(one, nil, loss.KappaScalar)}
	if spec.Rule().Kind != loss.Fixed {
		c.width *= cellWidth
	}
	return c.wider(1)
}

// wider is the loss at a bandwidth that many times the one asked for.
func (c cellLoss) wider(times float64) cellLoss {
	c.at = c.spec.At(c.width * times)
	if c.fast = 0; c.spec.Name() == "welsch" {
		c.fast = 0.5 / (c.at.Scale() * c.at.Scale())
	}
	return c
}

// weigh writes the weights of deviations e into w.
func (c cellLoss) weigh(w, e []float64) {
	if c.fast > 0 {
		for k, v := range e {
			w[k] = -c.fast * v * v
		}
		linalg.Exp(w, w)
		return
	}
	for k, v := range e {
		w[k] = c.at.Weight(v * v)
	}
}

// lose writes the losses of deviations e into rho.
func (c cellLoss) lose(rho, e []float64) {
	if c.fast > 0 {
		c.weigh(rho, e)
		for k, w := range rho {
			if rho[k] = 1 - w; rho[k] < 1e-6 { // too small for the difference
				rho[k] = -math.Expm1(-c.fast * e[k] * e[k])
			}
		}
		return
	}
	for k, v := range e {
		rho[k] = c.at.Rho(v * v)
	}
}

// most is the loss of a cell that is off without end; +Inf where that has no bound.
func (c cellLoss) most() float64 {
	if far, further := c.at.Rho(1e100), c.at.Rho(1e120); further <= far*(1+1e-9) {
		return far
	}
	return math.Inf(1)
}
