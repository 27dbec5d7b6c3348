package inlier

import (
	"fmt"
	"math"
	"sync"

	"github.com/inlier-ml/inlier/internal/progress"
	"github.com/inlier-ml/inlier/irls"
)

// Event tells how far a job has come. There is one kind for all jobs.
type Event struct {
	// Job is what runs: "fit", "judge", "compare", "tune" ...
	Job string `json:"job"`
	// Phase is the part of the job: "read", "fit", "judge", "search" ...
	Phase string `json:"phase"`
	// Label says what is worked on where there are several: a method, a round, a cell.
	Label string `json:"label,omitempty"`
	// Done of Total parts of the phase are finished; Total is 0 where there are no parts.
	Done  int `json:"done"`
	Total int `json:"total"`
	// Part is the share of the phase that is done, from 0 to 1. For a fit it is estimated
	// from how far the changes have fallen. It never falls within a phase.
	Part float64 `json:"part"`
	// Step is the latest step of the fit under way; nil between fits, and of one that moved
	// farther than numbers reach, which JSON cannot say.
	Step *irls.Step `json:"step,omitempty"`
	// Rows and Columns are the size of the data, as soon as it is known.
	Rows    int `json:"rows,omitempty"`
	Columns int `json:"columns,omitempty"`
	// Blocks tells that the data do not fit into memory and are read in blocks.
	Blocks bool `json:"blocks,omitempty"`
	// Beside is the memory in bytes that the job holds beside the numbers of the data: the text they were read from.
	Beside int64 `json:"beside,omitempty"`
}

// Text says what is worked on.
func (e Event) Text() string {
	text := e.Label
	if e.Total > 1 {
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("%d of %d", e.Done, e.Total)
	}
	if e.Step != nil {
		if e.Total <= 1 {
			text = ""
		} else if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("step %d, objective %.6g", e.Step.Number, e.Step.Objective)
	}
	return text
}

// Observer sees the events of a job. Calls never overlap; nil is allowed. The job waits
// for the observer, so it should be quick.
type Observer func(Event)

// reporter sends the events of one job.
type reporter struct {
	job     string
	observe Observer
	lock    sync.Mutex
}

func newReporter(job string, o Observer) *reporter { return &reporter{job: job, observe: o} }

func (r *reporter) send(e Event) {
	if r == nil || r.observe == nil {
		return
	}
	r.lock.Lock()
	defer r.lock.Unlock()
	e.Job = r.job
	if s := e.Step; s != nil && math.IsNaN(0*(s.Objective+s.Scale+s.Effective+s.Change+s.Damping)) {
		e.Step = nil
	}
	if e.Total > 0 && e.Part == 0 {
		e.Part = float64(e.Done) / float64(e.Total)
	}
	r.observe(e)
}

// phase announces a phase that has no parts.
func (r *reporter) phase(name string) { r.send(Event{Phase: name}) }

// steps observes a fit that is one of several parts of a phase; nil when nobody looks.
func (r *reporter) steps(e Event, maxSteps int, tol float64) func(irls.Step) {
	if r == nil || r.observe == nil {
		return nil
	}
	meter := progress.NewMeter(maxSteps, tol)
	return func(s irls.Step) {
		now := e
		now.Step, now.Part = &s, meter.Step(s)
		if e.Total > 0 {
			now.Part = (float64(e.Done) + now.Part) / float64(e.Total)
		}
		r.send(now)
	}
}
