// Package progress shows how far a fit has come: a bar with the objective and the time
// left, on a terminal.
//
// Nobody knows beforehand how many steps a reweighting takes. [Meter] estimates the part
// that is done from how far the change of the state has fallen towards the tolerance,
// which for a linearly converging iteration is a straight line on a logarithmic scale;
// the limit on steps bounds it from below. [Bar] draws what the meter says.
package progress

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/schollz/progressbar/v3"

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

// fine is the number of ticks of the bar.
const fine = 1000

// Bar draws a meter. A nil *Bar draws nothing, so callers need not ask.
type Bar struct {
	meter *Meter
	bar   *progressbar.ProgressBar
}

// New starts a bar on w, which should be a terminal.
func New(w io.Writer, title string, meter *Meter, colour bool) *Bar {
	return &Bar{meter: meter, bar: progressbar.NewOptions(fine,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(title),
		progressbar.OptionSetWidth(24),
		progressbar.OptionThrottle(80*time.Millisecond),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetElapsedTime(true),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionEnableColorCodes(colour),
	)}
}

// Step draws the bar after a step of the fit.
func (b *Bar) Step(s irls.Step) {
	if b == nil {
		return
	}
	b.bar.Describe(fmt.Sprintf("step %d, objective %.6g", s.Number, s.Objective))
	_ = b.bar.Set(int(fine * b.meter.Step(s)))
}

// Count draws the bar for work that consists of a known number of parts.
func (b *Bar) Count(done, all int, what string) {
	if b == nil || all < 1 {
		return
	}
	b.bar.Describe(what)
	_ = b.bar.Set(fine * done / all)
}

// Show draws the bar with so large a part done, from 0 to 1.
func (b *Bar) Show(part float64, what string) {
	if b == nil {
		return
	}
	b.bar.Describe(what)
	_ = b.bar.Set(int(fine * math.Min(1, math.Max(0, part))))
}

// Close takes the bar off the terminal.
func (b *Bar) Close() {
	if b == nil {
		return
	}
	_ = b.bar.Finish()
}
