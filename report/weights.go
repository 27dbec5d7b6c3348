package report

// Weights draws the weight of every row, in order, beside their histogram. Rows
// with a weight below low stand out; 0 means none. Numbers call rows otherwise than 1, 2, 3.
func Weights(title string, weights []float64, low float64, numbers ...float64) *Chart {
	byRow := &panel{title: "Weight of each row",
		x: Axis{Label: "row", Whole: true}, y: Axis{Zero: true}}
	counts := &panel{title: "Rows by weight",
		x: Axis{Label: "weight"}, y: Axis{Zero: true}}
	b := &panels{kind: "weights", list: []*panel{byRow, counts}, columns: 2, aspect: 0.8}

	kept := points{colour: seriesTone(0).faded(180), shape: circle}
	dropped := points{colour: seriesTone(1), shape: diamond}
	for i, w := range weights {
		l := &kept
		if w < low {
			l = &dropped
		}
		number := float64(i + 1)
		if len(numbers) == len(weights) {
			number = numbers[i]
		}
		l.x, l.y = append(l.x, number), append(l.y, w)
	}
	byRow.layers = []layer{kept, dropped}
	edges := weightEdges(weights)
	counts.layers = []layer{newHistogram(weights, edges, seriesTone(0))}
	if low > 0 {
		byRow.layers = append(byRow.layers, guide{horizontal: true, at: low, label: "nearly dropped below " + short(low)})
		counts.layers = append(counts.layers, guide{vertical: true, at: low})
		b.legend = legend{
			{name: "kept (" + fixed(float64(len(kept.x)), 0) + ")", colour: kept.colour.faded(255), dot: true, shape: circle},
			{name: "nearly dropped (" + fixed(float64(len(dropped.x)), 0) + ")", colour: dropped.colour, dot: true, shape: diamond},
		}
	}
	return &Chart{Title: title, body: b}
}

// weightEdges are bins from 0 to 1. Weights are shares of a vote, so none of them is absurd, not even where
// nearly all are alike; only those without a bound have bins of their own.
func weightEdges(weights []float64) []float64 {
	const bins = 20
	for _, w := range weights {
		if w < 0 || w > 1+1e-9 {
			return binEdges([][]float64{weights})
		}
	}
	edges := make([]float64, bins+1)
	for i := range edges {
		edges[i] = float64(i) / bins
	}
	edges[bins] = 1 + 1e-9
	return edges
}
