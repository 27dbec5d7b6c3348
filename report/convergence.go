package report

// A Trace is how a fit went, one value per step.
type Trace struct {
	Name      string
	Objective []float64
	Effective []float64 // effective sample size of the weights; nil = not shown
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
		dots := len(n) <= 40
		objective.addCurve(n, t.Objective, c, shape, dots)
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
