// Package progress estimates how far a fit has come.
//
// Nobody knows beforehand how many steps a reweighting takes. [Meter] estimates the part
// that is done from how far the change of the state has fallen towards the tolerance,
// which for a linearly converging iteration is a straight line on a logarithmic scale;
// the limit on steps bounds it from below.
package progress

import (
	"math"

	"github.com/inlier-ml/inlier/irls"
)

// Meter estimates the part of a fit that is done. The estimate never falls.
type Meter struct {
	maxSteps int
	tol      float64
	widest   float64 // largest change seen
	done     float64
}

// NewMeter makes a meter for a fit that ends when the change is at most tol or after
// maxSteps steps. Zero values mean 100 steps and 1e-6.
func NewMeter(maxSteps int, tol float64) *Meter {
	if maxSteps <= 0 {
		maxSteps = 100
	}
	if tol <= 0 {
		tol = 1e-6
	}
	return &Meter{maxSteps: maxSteps, tol: tol}
}

// Step takes a step into account and returns the part that is done, in [0, 1].
func (m *Meter) Step(s irls.Step) float64 {
	part := float64(s.Number) / float64(m.maxSteps)
	m.widest = math.Max(m.widest, s.Change)
	if s.Number > 0 && m.widest > m.tol && s.Change > 0 {
		part = math.Max(part, math.Log(m.widest/s.Change)/math.Log(m.widest/m.tol))
	}
	if part > m.done { // also false for NaN
		m.done = math.Min(part, 1)
	}
	return m.done
}
