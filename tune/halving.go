package tune

import (
	"context"
	"math"
	"slices"
)

const (
	// keepOneOf is the factor by which candidates become fewer and rows more.
	keepOneOf = 3
	// leastRows is the smallest number of training rows that halving begins with.
	leastRows = 30
)

// rung is one round of a halving search.
type rung struct {
	candidates int
	rows       int // training rows; 0: all
}

// ladder plans the rounds: the last one uses all rows, each earlier one a third of the
// rows of the next and three times its candidates. Without halving there is one round.
func (w *work) ladder(candidates int) []rung {
	if !w.search.Halving {
		return []rung{{candidates, 0}}
	}
	least := leastRows
	if t := w.set.Target; t.Labels != nil {
		least = max(least, 5*len(t.Classes))
	}
	full := len(w.parts[0].Train)
	for _, p := range w.parts {
		full = min(full, len(p.Train))
	}
	steps := 0
	for left := candidates; left > keepOneOf && float64(full)/math.Pow(keepOneOf, float64(steps+1)) >= float64(least); left = (left + keepOneOf - 1) / keepOneOf {
		steps++
	}
	var rungs []rung
	left := candidates
	for k := steps; k >= 0; k-- {
		rows := 0
		if k > 0 {
			rows = int(float64(full) / math.Pow(keepOneOf, float64(k)))
		}
		rungs = append(rungs, rung{left, rows})
		left = (left + keepOneOf - 1) / keepOneOf
	}
	return rungs
}

// rungs runs the rounds. Every candidate keeps the result of its last round.
func (w *work) rungs(ctx context.Context, list []Candidate) ([]Trial, error) {
	plan := w.ladder(len(list))
	for _, r := range plan {
		w.all += r.candidates * len(w.parts)
		for p := range w.parts {
			w.total += float64(r.candidates) * w.trainCount(p, r.rows)
		}
	}
	trials := make([]Trial, len(list))
	alive := make([]int, len(list))
	for c := range list {
		trials[c].Candidate = list[c]
		alive[c] = c
	}
	for k, r := range plan {
		w.mu.Lock()
		w.rung = k
		w.mu.Unlock()
		round := make([]Candidate, len(alive))
		for i, c := range alive {
			round[i] = list[c]
		}
		out, err := w.round(ctx, round, r.rows)
		if err != nil {
			return nil, err
		}
		for i, c := range alive {
			w.judge(&trials[c], out[i])
			trials[c].Rung, trials[c].Rows = k, r.rows
		}
		if k+1 < len(plan) {
			slices.SortStableFunc(alive, func(a, b int) int { return w.search.Metric.order(trials[a].Score, trials[b].Score) })
			alive = alive[:plan[k+1].candidates]
			slices.Sort(alive)
		}
	}
	return trials, nil
}

// order sorts good scores first and failures last.
func (m Metric) order(a, b float64) int {
	switch {
	case m.Better(a, b):
		return -1
	case m.Better(b, a):
		return 1
	}
	return 0
}
