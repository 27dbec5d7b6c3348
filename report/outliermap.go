package report

import (
	"math"
	"sort"
	"strconv"
)

// Distances are the two distances of every row to a fitted subspace.
type Distances struct {
	Score      []float64 // within the subspace, from its centre, in units of spread
	Orthogonal []float64 // from the row to the subspace
	ScoreCut   float64   // rows beyond are far out within the subspace; 0 or NaN = no cut-off
	// OrthogonalCut separates rows that fit the subspace from those that do not.
	OrthogonalCut float64
	Names         []string // of the rows; nil = their numbers from 1
	Label         int      // how many of the most extreme outliers to name; 0 = 12, negative = none
	Log           bool     // logarithmic axes, for outliers that are very far out
	// Verdict is what somebody else has found out about the rows: 0 usual, 1 far but not wrong, 2 wrong. Then kinds are these, no
	// cut-off is drawn, and wrong rows have their names.
	Verdict []int
}

// The four kinds of row in an outlier map.
const (
	regular    = iota // near the centre, fits the subspace
	goodLever         // far from the centre, fits
	orthogonal        // near the centre, does not fit
	badLever          // far from the centre, does not fit
)

var kindNames = [4]string{"regular", "good leverage", "orthogonal outlier", "bad leverage"}

// verdictNames are those of the kinds that a verdict of somebody else has.
var verdictNames = [4]string{"usual", "far, not wrong", "", "wrong"}

// kinds sorts the rows into the four kinds; rows without distances are of none.
func (d Distances) kinds() [4][]int {
	var list [4][]int
	for i := range min(len(d.Score), len(d.Orthogonal)) {
		if math.IsNaN(d.Score[i]) || math.IsNaN(d.Orthogonal[i]) {
			continue
		}
		kind := regular
		if d.Verdict != nil {
			kind = [...]int{regular, goodLever, badLever}[d.Verdict[i]]
		} else if d.ScoreCut > 0 && d.Score[i] > d.ScoreCut {
			kind |= goodLever
		}
		if d.Verdict == nil && d.OrthogonalCut > 0 && d.Orthogonal[i] > d.OrthogonalCut {
			kind |= orthogonal
		}
		list[kind] = append(list[kind], i)
	}
	return list
}

// OutlierMap draws score distance against orthogonal distance with both
// cut-offs. The four kinds of row have their own colour and shape, and the most
// extreme rows their names.
func OutlierMap(title string, d Distances) *Chart {
	x := Axis{Label: "score distance (within the subspace)", Zero: true, Log: d.Log}
	y := Axis{Label: "orthogonal distance (to the subspace)", Zero: true, Log: d.Log}
	p := &panel{x: x, y: y}
	b := &panels{kind: "outlier map", list: []*panel{p}}
	cut := func(v float64) bool { return v > 0 && finite(v) && d.Verdict == nil }
	if cut(d.ScoreCut) {
		p.layers = append(p.layers, guide{vertical: true, cutoff: true, at: d.ScoreCut, label: "cut-off " + short(d.ScoreCut)})
	}
	if cut(d.OrthogonalCut) {
		p.layers = append(p.layers, guide{horizontal: true, cutoff: true, at: d.OrthogonalCut, label: "cut-off " + short(d.OrthogonalCut)})
	}
	colours := [4]tone{seriesTone(0).faded(170), seriesTone(2).faded(220), seriesTone(4), seriesTone(1)}
	shapes := [4]marker{circle, triangle, square, diamond}
	given := min(len(d.Score), len(d.Orthogonal))
	names := kindNames
	if d.Verdict != nil {
		names = verdictNames
	}
	for kind, rows := range d.kinds() {
		if given -= len(rows); names[kind] == "" {
			continue
		}
		l := points{colour: colours[kind], shape: shapes[kind]}
		if kind != regular {
			l.radius = dotRadius * 1.15
		}
		for _, i := range rows {
			l.x, l.y = append(l.x, d.Score[i]), append(l.y, d.Orthogonal[i])
		}
		p.layers = append(p.layers, l)
		b.legend = append(b.legend, swatch{
			name:   names[kind] + " (" + fixed(float64(len(rows)), 0) + ")",
			colour: colours[kind].faded(255), dot: true, shape: shapes[kind],
		})
	}
	if given > 0 {
		p.remark = fixed(float64(given), 0) + " without distances"
	}
	p.layers = append(p.layers, labels{list: d.extremes(), radius: dotRadius * 1.2})
	return &Chart{Title: title, body: b}
}

// extremes names the rows farthest beyond the cut-offs, the farthest first; by a verdict those that are wrong.
func (d Distances) extremes() []namedPoint {
	count := d.Label
	if count == 0 {
		count = 12
	}
	if count < 0 {
		return nil
	}
	type far struct {
		row int
		by  float64
	}
	var list []far
	beyond := func(v, cut float64) float64 {
		if cut > 0 && v > 0 {
			return v / cut
		}
		return 0
	}
	for i := range min(len(d.Score), len(d.Orthogonal)) {
		by := math.Max(beyond(d.Score[i], d.ScoreCut), beyond(d.Orthogonal[i], d.OrthogonalCut))
		if d.Verdict == nil && by > 1 || d.Verdict != nil && d.Verdict[i] == 2 {
			list = append(list, far{i, by})
		}
	}
	sort.SliceStable(list, func(a, b int) bool { return list[a].by > list[b].by })
	var named []namedPoint
	for _, f := range list[:min(count, len(list))] {
		name := strconv.Itoa(f.row + 1)
		if f.row < len(d.Names) && d.Names[f.row] != "" {
			name = d.Names[f.row]
		}
		named = append(named, namedPoint{d.Score[f.row], d.Orthogonal[f.row], name})
	}
	return named
}
