package report

import (
	"math"
	"sort"

	"gonum.org/v1/plot/vg"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// A Sample is a named list of values.
type Sample struct {
	Name   string
	Values []float64
	Color  int // as in Series
}

// Histogram draws how often values occur; several samples share the bins and the
// picture.
func Histogram(title string, x Axis, samples ...Sample) *Chart {
	p := &panel{x: x, y: Axis{Label: "count", Zero: true}}
	b := &panels{kind: "histogram", list: []*panel{p}, aspect: 0.5}
	var all [][]float64
	for _, s := range samples {
		all = append(all, s.Values)
	}
	edges := binEdges(all)
	for i, s := range samples {
		c := Series{Color: s.Color}.tone(i)
		h := newHistogram(s.Values, edges, c)
		h.outlined = len(samples) > 1
		p.layers = append(p.layers, h)
		if s.Name != "" {
			b.legend = append(b.legend, swatch{name: s.Name, colour: c, filled: true})
		}
	}
	return &Chart{Title: title, body: b}
}

// MarkX adds a labelled vertical line to the first panel: a cut-off, a choice. It
// returns the chart.
func (c *Chart) MarkX(at float64, label string) *Chart {
	return c.mark(guide{vertical: true, at: at, label: label})
}

// MarkY is MarkX for a horizontal line.
func (c *Chart) MarkY(at float64, label string) *Chart {
	return c.mark(guide{horizontal: true, at: at, label: label})
}

func (c *Chart) mark(g guide) *Chart {
	if b, ok := c.body.(*panels); ok && len(b.list) > 0 {
		b.list[0].layers = append(b.list[0].layers, g)
	}
	return c
}

// binEdges chooses common bins by the rule of Freedman and Diaconis (width = 2 IQR
// n^(-1/3)) between 8 and 60, with round edges. Absurdly far values are outside.
func binEdges(samples [][]float64) []float64 {
	e := rangeOf(samples...)
	if !e.any {
		return nil
	}
	var all []float64
	for _, s := range samples {
		for _, v := range s {
			if v >= e.min && v <= e.max {
				all = append(all, v)
			}
		}
	}
	sort.Float64s(all)
	low, high := e.min, e.max
	if high-low <= 1e-12*math.Max(math.Abs(low), math.Abs(high)) || high-low < 1e-300 {
		room := math.Max(math.Abs(low)*0.05, 0.5)
		return []float64{low - room, low + room}
	}
	width := 2 * (quantile(all, 0.75) - quantile(all, 0.25)) / math.Cbrt(float64(len(all)))
	width = math.Min(math.Max(width, (high-low)/60), (high-low)/8)
	step := nearStep(high-low, int((high-low)/width+0.5))
	if step <= 0 || (high-low)/step > 200 {
		step = (high - low) / 20
	}
	first := math.Floor(low/step) * step
	for first > low { // by rounding
		first -= step
	}
	var edges []float64
	for i := 0; ; i++ {
		e := first + float64(i)*step
		edges = append(edges, e)
		if e >= high || i > 400 {
			return edges
		}
	}
}

func binCounts(values, edges []float64) []float64 {
	if len(edges) < 2 {
		return nil
	}
	counts := make([]float64, len(edges)-1)
	for _, v := range values {
		if !finite(v) || v < edges[0] || v > edges[len(edges)-1] {
			continue
		}
		i := sort.SearchFloat64s(edges, v) // first edge >= v
		if i < len(edges) && edges[i] == v {
			i++
		}
		counts[min(max(i-1, 0), len(counts)-1)]++
	}
	return counts
}

// quantile is that of R.
var quantile = univariate.Interpolated

// histogram draws bins as bars that touch.
type histogram struct {
	edges, counts []float64
	colour        tone
	outlined      bool // several histograms: see through them
	beyond        int  // values outside the bins
}

// newHistogram counts the values between the edges.
func newHistogram(values, edges []float64, c tone) histogram {
	h := histogram{edges: edges, counts: binCounts(values, edges), colour: c}
	for _, v := range values {
		if !math.IsNaN(v) {
			h.beyond++
		}
	}
	for _, n := range h.counts {
		h.beyond -= int(n)
	}
	return h
}

func (h histogram) extend(x, y *extent) {
	x.addAll(h.edges)
	y.addAll(h.counts)
}

func (h histogram) draw(f *frame) {
	fill := h.colour.faded(210)
	if h.outlined {
		fill = h.colour.faded(90)
	}
	base := 0.0
	if f.y.log {
		base = f.y.min
	}
	f.leftOut += h.beyond
	var outline []vg.Point
	for i, n := range h.counts {
		a, okA := f.at(h.edges[i], base)
		b, okB := f.at(h.edges[i+1], math.Max(n, base))
		if !okA || !okB {
			continue
		}
		outline = append(outline, vg.Point{X: a.X, Y: b.Y}, b)
		if n > 0 {
			gap := min(0.5, (b.X-a.X)*0.08)
			f.fill(fill, box(vg.Point{X: a.X + gap, Y: a.Y}, vg.Point{X: b.X - gap, Y: b.Y}))
		}
	}
	if h.outlined {
		f.stroke(pen(h.colour, 1.4), outline)
	}
}
