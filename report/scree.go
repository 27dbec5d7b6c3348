package report

// A Spectrum is the variance explained by each component, largest first.
type Spectrum struct {
	Name   string
	Values []float64
	Total  float64 // all variance there is; 0 = the sum of Values
}

// Scree draws the variance per component beside its cumulative share, several
// fits (classical, robust) in the same picture.
func Scree(title string, spectra ...Spectrum) *Chart {
	each := &panel{title: "Variance of each component",
		x: Axis{Label: "component", Whole: true}, y: Axis{Zero: true}}
	together := &panel{title: "Share explained by the first components (%)",
		x: Axis{Label: "components", Whole: true}, y: Axis{Zero: true}}
	b := &panels{kind: "scree plot", list: []*panel{each, together}, columns: 2, aspect: 0.85}
	for i, s := range spectra {
		total := s.Total
		if !(total > 0) {
			total = 0
			for _, v := range s.Values {
				if finite(v) {
					total += v
				}
			}
		}
		n := counting(len(s.Values))
		cumulative := make([]float64, len(s.Values))
		sum := 0.0
		for k, v := range s.Values {
			sum += v
			cumulative[k] = 100 * sum / total
		}
		c, shape := seriesTone(i), markerOf(i)
		dots := len(n) <= 60
		each.addCurve(n, s.Values, c, shape, dots)
		together.addCurve(n, cumulative, c, shape, dots)
		if s.Name != "" {
			b.legend = append(b.legend, swatch{name: s.Name, colour: c, line: true, dot: dots, shape: shape})
		}
	}
	return &Chart{Title: title, body: b}
}

// addCurve adds a line, with markers where they do not crowd.
func (p *panel) addCurve(x, y []float64, c tone, shape marker, dots bool) {
	p.layers = append(p.layers, polyline{x: x, y: y, colour: c})
	if dots {
		p.layers = append(p.layers, points{x: x, y: y, colour: c, shape: shape})
	}
}
