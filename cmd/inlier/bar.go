package main

import (
	"io"
	"math"
	"time"

	"github.com/schollz/progressbar/v3"
)

// fine is the number of ticks of a bar.
const fine = 1000

// bar shows how far a job has come, with the time left. A nil bar draws nothing.
type bar struct{ drawn *progressbar.ProgressBar }

// newBar starts a bar on w, which should be a terminal.
func newBar(w io.Writer, title string, color bool) *bar {
	return &bar{drawn: progressbar.NewOptions(fine,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(title),
		progressbar.OptionSetWidth(24),
		progressbar.OptionThrottle(80*time.Millisecond),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetElapsedTime(true),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionEnableColorCodes(color),
	)}
}

// show draws the bar with so large a part done, from 0 to 1.
func (b *bar) show(part float64, what string) {
	b.drawn.Describe(what)
	_ = b.drawn.Set(int(fine * math.Min(1, math.Max(0, part))))
}

// close takes the bar off the terminal.
func (b *bar) close() {
	if b != nil {
		_ = b.drawn.Finish()
	}
}
