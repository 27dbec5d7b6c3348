package report

import "strconv"

// DecisionGraph draws the local density of every row against its distance to the
// next denser row. Cluster centers, given by row from 0, stand out at the upper
// right.
func DecisionGraph(title string, density, distance []float64, centers []int) *Chart {
	p := &panel{x: Axis{Label: "local density ρ", Zero: true}, y: Axis{Label: "distance to a denser row δ", Zero: true}}
	chosen := map[int]int{}
	for k, row := range centers {
		chosen[row] = k
	}
	rest := points{colour: seriesTone(6).faded(150)}
	centre := points{colour: seriesTone(1), shape: diamond, radius: dotRadius * 1.6}
	var names []namedPoint
	for i := range min(len(density), len(distance)) {
		if k, ok := chosen[i]; ok {
			centre.x, centre.y = append(centre.x, density[i]), append(centre.y, distance[i])
			names = append(names, namedPoint{density[i], distance[i], strconv.Itoa(k + 1)})
			continue
		}
		rest.x, rest.y = append(rest.x, density[i]), append(rest.y, distance[i])
	}
	p.layers = []layer{rest, centre, labels{list: names, radius: dotRadius * 1.6}}
	return &Chart{Title: title, body: &panels{kind: "decision graph", list: []*panel{p}, legend: legend{
		{name: "rows (" + fixed(float64(len(rest.x)), 0) + ")", colour: rest.colour.faded(255), dot: true},
		{name: "cluster centers (" + fixed(float64(len(centre.x)), 0) + ")", colour: centre.colour, dot: true, shape: diamond},
	}}}
}
