package report

import "iter"

// A Trace is how a fit went: the start, which is step 0, and one value per step.
type Trace struct {
	Name      string
	Objective []float64
	Effective []float64 // effective sample size of the weights; nil = not shown
	Stage     []int     // of each step; objectives of different stages do not compare, so the line is broken; nil = one stage
}

// Convergence draws the objective and the effective sample size per step.
func Convergence(title string, traces ...Trace) *Chart {
	objective := &panel{title: "Objective",
		x: Axis{Label: "step", Whole: true}, y: Axis{}}
	effective := &panel{title: "Effective sample size",
		x: Axis{Label: "step", Whole: true}, y: Axis{Zero: true}}
	b := &panels{kind: "convergence", list: []*panel{objective}, aspect: 0.5}
	seen := extent{log: true}
	positive := true
	for i, t := range traces {
		c, shape := seriesTone(i), markerOf(i)
		n := counting(max(len(t.Objective), len(t.Effective)))
		for k := range n {
			n[k]--
		}
		dots := len(n) <= 40
		for first, last := range t.stages() {
			objective.addCurve(n[first:last], t.Objective[first:last], c, shape, dots || last-first == 1)
		}
		if len(t.Effective) > 0 {
			effective.addCurve(n, t.Effective, c, shape, dots)
		}
		for _, v := range t.Objective {
			seen.add(v)
			positive = positive && v > 0
		}
		if t.Name != "" {
			b.legend = append(b.legend, swatch{name: t.Name, colour: c, line: true, dot: dots, shape: shape})
		}
	}
	if positive && seen.any && seen.max > 1000*seen.min {
		objective.y.Log = true
	}
	if len(effective.layers) > 0 {
		b.list, b.columns, b.aspect = append(b.list, effective), 2, 0.85
	}
	return &Chart{Title: title, body: b}
}

// stages are the first step of each stage and the step after its last.
func (t Trace) stages() iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		first := 0
		for k := range t.Objective {
			end := k+1 == len(t.Objective) || k+1 < len(t.Stage) && t.Stage[k+1] != t.Stage[k]
			if end && !yield(first, k+1) {
				return
			}
			if end {
				first = k + 1
			}
		}
	}
}
