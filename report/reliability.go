package report

// A Calibration compares predicted probabilities with what happened, in bins.
type Calibration struct {
	Name      string
	Predicted []float64 // mean predicted probability of each bin
	Observed  []float64 // share of positive rows in each bin
	Count     []float64 // rows in each bin; nil = not shown
	Color     int       // as in Series
}

// Reliability draws observed against predicted probability, with the diagonal of
// perfect calibration, and how many rows each bin holds.
func Reliability(title string, models ...Calibration) *Chart {
	curve := &panel{title: "Predicted and observed", square: true,
		x:      Axis{Label: "predicted probability", Min: -0.01, Max: 1.01},
		y:      Axis{Label: "observed share", Min: -0.01, Max: 1.01},
		layers: []layer{guide{from: [2]float64{0, 0}, to: [2]float64{1, 1}}}}
	counts := &panel{title: "How often it is predicted", square: true,
		x: Axis{Label: "predicted probability", Min: -0.01, Max: 1.01}, y: Axis{Label: "rows", Zero: true}}
	b := &panels{kind: "reliability curve", list: []*panel{curve}, columns: 2}
	for i, m := range models {
		s := Series{Name: m.Name, X: m.Predicted, Y: m.Observed, Mark: LineDots, Color: m.Color}
		back, front := s.layers(i)
		curve.layers = append(append(curve.layers, back...), front...)
		if len(m.Count) > 0 {
			s.Y = m.Count
			back, front = s.layers(i)
			counts.layers = append(append(counts.layers, back...), front...)
		}
		if m.Name != "" {
			b.legend = append(b.legend, s.swatch(i))
		}
	}
	if len(counts.layers) > 0 {
		b.list = append(b.list, counts)
	}
	return &Chart{Title: title, body: b}
}
