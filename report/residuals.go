package report

import (
	"math"
	"sort"
	"strconv"
)

// Residuals are what a regression left over, one value per row. All but Fitted and
// Standardized may be nil; the pictures that need them are then left out.
type Residuals struct {
	Fitted       []float64
	Standardized []float64 // residual by robust scale
	Observed     []float64 // the target
	Distance     []float64 // robust distance of the row in the columns: leverage
	Weights      []float64
	Cut          float64  // outliers are beyond plus or minus this; 0 = 2.5
	DistanceCut  float64  // leverage points are beyond; 0 = no line
	Names        []string // of the rows; nil = their numbers from 1
}

// ResidualPlots draws the usual diagnostics of a robust regression: residuals
// against leverage, against normal quantiles and against fitted values, target
// against fit, root of the absolute residual, and weights.
func ResidualPlots(title string, r Residuals) *Chart {
	if r.Cut <= 0 {
		r.Cut = 2.5
	}
	fences := func() []layer {
		return []layer{
			guide{horizontal: true, at: 0, colour: rule, solid: true},
			guide{horizontal: true, at: r.Cut}, guide{horizontal: true, at: -r.Cut},
		}
	}
	b := &panels{kind: "residual plots", columns: 2, aspect: 0.8}
	add := func(title, x, y string, below []layer, px, py []float64) {
		p := &panel{title: title, x: Axis{Label: x}, y: Axis{Label: y}, layers: below}
		p.layers = append(p.layers, r.marked(px, py)...)
		b.list = append(b.list, p)
	}
	const residual = "standardised residual"
	if len(r.Distance) > 0 {
		below := fences()
		if r.DistanceCut > 0 {
			below = append(below, guide{vertical: true, at: r.DistanceCut})
		}
		add("Residuals and leverage", "robust distance", residual, below, r.Distance, r.Standardized)
	}
	q, line := r.quantiles()
	add("Normal quantiles", "normal quantile", residual, []layer{line}, q, r.Standardized)
	add("Residuals and fitted values", "fitted value", residual, fences(), r.Fitted, r.Standardized)
	if len(r.Observed) > 0 {
		add("Target and fit", "fitted value", "target", []layer{diagonal(r.Fitted)}, r.Fitted, r.Observed)
	}
	root := make([]float64, len(r.Standardized))
	for i, v := range r.Standardized {
		root[i] = math.Sqrt(math.Abs(v))
	}
	add("Spread along the fit", "fitted value", "root of |residual|",
		[]layer{guide{horizontal: true, at: math.Sqrt(r.Cut)}}, r.Fitted, root)
	if len(r.Weights) > 0 {
		add("Weights", "row", "weight", nil, counting(len(r.Weights)), r.Weights)
		p := b.list[len(b.list)-1]
		p.x.Whole, p.y.Zero = true, true
	}
	b.legend = legend{
		{name: "rows", colour: seriesTone(0), dot: true},
		{name: "outliers (|residual| > " + short(r.Cut) + ")", colour: seriesTone(1), dot: true, shape: diamond},
	}
	return &Chart{Title: title, body: b}
}

// marked are the rows as points, outliers apart and the largest named.
func (r Residuals) marked(x, y []float64) []layer {
	usual := points{colour: seriesTone(0).faded(170)}
	out := points{colour: seriesTone(1), shape: diamond}
	var far []int
	for i := range min(len(x), len(y), len(r.Standardized)) {
		l := &usual
		if math.Abs(r.Standardized[i]) > r.Cut {
			l = &out
			far = append(far, i)
		}
		l.x, l.y = append(l.x, x[i]), append(l.y, y[i])
	}
	sort.SliceStable(far, func(a, b int) bool {
		return math.Abs(r.Standardized[far[a]]) > math.Abs(r.Standardized[far[b]])
	})
	var names []namedPoint
	for _, i := range far[:min(len(far), 8)] {
		name := strconv.Itoa(i + 1)
		if i < len(r.Names) && r.Names[i] != "" {
			name = r.Names[i]
		}
		names = append(names, namedPoint{x[i], y[i], name})
	}
	return []layer{usual, out, labels{list: names}}
}

// quantiles are the normal quantiles that belong to the residuals, and the line
// through the quartiles.
func (r Residuals) quantiles() ([]float64, guide) {
	q := make([]float64, len(r.Standardized))
	var order []int
	for i, v := range r.Standardized {
		q[i] = math.NaN()
		if finite(v) {
			order = append(order, i)
		}
	}
	sort.SliceStable(order, func(a, b int) bool { return r.Standardized[order[a]] < r.Standardized[order[b]] })
	sorted := make([]float64, len(order))
	for k, i := range order {
		q[i] = normalQuantile((float64(k) + 0.5) / float64(len(order)))
		sorted[k] = r.Standardized[i]
	}
	if len(sorted) < 2 {
		return q, guide{passive: true, horizontal: true, at: math.NaN()}
	}
	low, high := quantile(sorted, 0.25), quantile(sorted, 0.75)
	slope := (high - low) / (2 * normalQuantile(0.75))
	middle := (low + high) / 2
	end := normalQuantile(1 - 0.5/float64(len(sorted)))
	return q, guide{from: [2]float64{-end, middle - slope*end}, to: [2]float64{end, middle + slope*end}}
}

// normalQuantile is the inverse of the standard normal distribution function.
func normalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }

// diagonal is the line y = x over the range of the values.
func diagonal(values []float64) guide {
	e := rangeOf(values)
	if !e.any {
		return guide{passive: true, horizontal: true, at: math.NaN()}
	}
	return guide{from: [2]float64{e.min, e.min}, to: [2]float64{e.max, e.max}}
}
