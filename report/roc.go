package report

// A RateCurve is a curve of rates between 0 and 1 with the area under it.
type RateCurve struct {
	Name  string
	X, Y  []float64
	Area  float64 // shown in the legend; 0 or NaN = not
	Color int     // as in Series
}

// ROC draws true positive rate against false positive rate, with the diagonal of
// guessing.
func ROC(title string, curves ...RateCurve) *Chart {
	guess := guide{from: [2]float64{0, 0}, to: [2]float64{1, 1}}
	return rates(title, "ROC curve", "false positive rate", "true positive rate", "AUC", guess, Line, curves)
}

// PrecisionRecall draws precision against recall, with the precision of guessing,
// which is the share of positive rows.
func PrecisionRecall(title string, positives float64, curves ...RateCurve) *Chart {
	guess := guide{horizontal: true, at: positives, passive: true, early: true, label: "guessing"}
	return rates(title, "precision-recall curve", "recall", "precision", "AP", guess, Stairs, curves)
}

func rates(title, kind, x, y, area string, guess guide, mark Mark, curves []RateCurve) *Chart {
	unit := func(label string) Axis { return Axis{Label: label, Min: -0.01, Max: 1.01} }
	p := &panel{x: unit(x), y: unit(y), square: true, layers: []layer{guess}}
	b := &panels{kind: kind, list: []*panel{p}}
	for i, c := range curves {
		s := Series{Name: c.Name, X: c.X, Y: c.Y, Color: c.Color, Mark: mark}
		back, _ := s.layers(i)
		p.layers = append(p.layers, back...)
		if c.Area > 0 && finite(c.Area) {
			s.Name += " (" + area + " " + fixed(c.Area, 3) + ")"
		}
		b.legend = append(b.legend, s.swatch(i))
	}
	return &Chart{Title: title, body: b}
}
