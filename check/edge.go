package check

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/univariate"
)

const (
	// edgeRows is how many rows tell where a column ends at least, and edgeMost how many of the outermost do so at most.
	edgeRows, edgeMost = 200, 150
	// edgeLast are the very outermost ones.
	edgeLast = 10
	// A shape below sharpShape is that of an edge, not of a tail.
	sharpShape = -0.2
	// inLine is the part of a value's distance from the middle from which on the rest of its row agrees, if that predicts so much.
	inLine = 0.5
	// usualMiss is the standardised residual up to which a prediction is not missed.
	usualMiss = 1.5
	// Where the rest of the row predicts nearly all of a value's distance, as that of a price from its cost, a prediction may be missed as far as the rows of most
	// are; what is farther off the other looks tell.
	nearlyAll, seldomMiss = 0.9, 2.5
	// edgeGap is the part of the others' width by which a value must lie beyond them that has the sign which they have.
	edgeGap = 0.2
	// gapApart is the part of a value's distance from the middle that lies between it and the next one, from which on those beyond stand apart.
	gapApart = 1.0 / 3
)

// edge is where the values of a column end on one side, looked at outwards (the lower one with the sign turned): the
// outermost fifth of the others as a generalised Pareto tail. Where these end sharply, as ages of adults and shares
// do, its shape is negative and little is possible beyond; where they thin out, much is.
type edge struct {
	at           float64 // the outermost of the others; +Inf: nothing is known
	from         float64 // where the tail begins
	rows, share  float64 // number of values, and share of them in the tail
	scale, shape float64
	spacing      float64 // mean distance of the very outermost from where they begin
	step         float64 // of the column's rounding: no value beyond by it is unlikely
}

// edgesOf are the edges of a column, low and high.
func edgesOf(values []float64) (low, high edge) {
	sorted := make([]float64, 0, len(values))
	for _, v := range values {
		if v == v {
			sorted = append(sorted, bounded(v))
		}
	}
	slices.Sort(sorted)
	step := univariate.Resolution(sorted)
	high = edgeOf(sorted, step)
	slices.Reverse(sorted)
	for i := range sorted {
		sorted[i] = -sorted[i]
	}
	return edgeOf(sorted, step), high
}

// edgeOf fits the upper edge of ascending values. The few outermost ones, up to the widest gap among them, are not asked.
func edgeOf(sorted []float64, step float64) edge {
	e := edge{at: math.Inf(1), step: step}
	n := len(sorted)
	if n < edgeRows {
		return e
	}
	rest, widest := n, -1.0
	for k, apart := n-1, false; k >= n-mostBeyond(n); k-- {
		gap := sorted[k] - sorted[k-1]
		if wide := gap > gapApart*(sorted[k]-sorted[n/2]) && sorted[k] > sorted[n/2]; wide || !apart && gap > widest {
			rest, widest, apart = k, gap, apart || wide // the innermost of the wide ones: farther values hide nearer ones no more
		}
	}
	count := min(n/5, edgeMost)
	e.from, e.rows, e.share = sorted[rest-count-1]-step/2, float64(n), float64(count)/float64(n)
	excess := spreadOut(sorted[rest-count:rest], e.from, step)
	// Probability weighted moments (Hosking and Wallis 1987), and the upper end of what the shape may be.
	m := float64(count)
	first, second := 0.0, 0.0
	for i, y := range excess {
		first += y / m
		second += y * (m - float64(i) - 0.65) / m / m
	}
	if !(first > 2*second) || math.IsInf(first, 0) || first < step { // a tail of hardly more than one value tells nothing
		return e
	}
	shape := 2 - first/(first-2*second)
	k := min(max(-shape, -0.4), 1)
	e.shape = shape + 2.5*math.Sqrt((1+k)*(2+k)*(2+k)*(1+k+2*k*k)/((1+2*k)*(3+2*k))/m)
	// With the shape at its upper end the mean stays what it is.
	e.scale = first * (1 - min(e.shape, 0.9))
	for _, y := range excess[count-edgeLast:] {
		e.spacing += (y - excess[count-edgeLast-1]) / edgeLast
	}
	e.at = sorted[rest-1]
	return e
}

// mostBeyond is how many of n values may lie beyond what is possible; more are no mistakes.
func mostBeyond(n int) int { return max(1, n/200) }

// spreadOut are values as distances from a point, equal ones of rounded columns spread over their step.
func spreadOut(sorted []float64, from, step float64) []float64 {
	out := make([]float64, len(sorted))
	for i := 0; i < len(sorted); {
		k := i
		for k < len(sorted) && sorted[k] == sorted[i] {
			k++
		}
		for j := i; j < k; j++ {
			out[j] = max(sorted[j]+step*((float64(j-i)+0.5)/float64(k-i)-0.5)-from, 0)
		}
		i = k
	}
	return out
}

// p is the chance of a value so far out; 1 where it is not beyond the edge.
func (e *edge) p(outward float64) float64 {
	if !(outward > e.at+e.step*1.001) {
		return 1
	}
	y := (outward - e.step - e.from) / e.scale
	if math.Abs(e.shape) < 1e-6 {
		return e.share * math.Exp(-y)
	}
	p := e.share * math.Pow(max(1+e.shape*y, 0), -1/e.shape)
	if e.shape < sharpShape && e.spacing > 0 { // the gap beside those of the outermost, as where they thin out
		p = min(p, math.Pow(1+(outward-e.step-e.at)/e.spacing/edgeLast, -edgeLast)/e.rows)
	}
	return p
}

// crossing is the chance that a column may be what x is where x is the only one that is 0 or negative: a degree of belief.
// Most of such columns cannot, be they amounts, ages or counts; those that end sharply hardly ever.
func (e *edge) crossing(x float64) float64 {
	belief := 0.1
	if e.shape < sharpShape {
		belief = 0.003
	}
	switch {
	case x < 0 && e.at <= 0:
		return belief
	case x == 0 && e.at < 0: // nothing at all is possible sooner than less
		return min(1, 100*belief)
	}
	return 1
}

// beyondEdges names the cells of a column that lie where none can after all others: few and by themselves.
func beyondEdges(v *view, f int, tests float64) (found []Suspicion) {
	column := v.features[f].column
	c := &v.table.Columns[column]
	values := sortedValues(v.sampled(column))
	low, high := edgesOf(values)
	least, most := -low.at, high.at // where the others lie: to their last where nothing tells how they thin out
	if len(values) > 0 {
		least, most = max(least, bounded(values[0])), min(most, bounded(values[len(values)-1]))
	}
	all, outside := "all", 0
	for _, x := range values {
		if x < least || x > most {
			outside++
		}
	}
	if outside > 1 || outside > 0 && v.learned != nil || len(v.known(column)) > learnedRows {
		all = "nearly all"
	}
	for i, x := range spill.Each(c.Values) {
		p := min(low.p(-x), high.p(x))
		if p == 1 {
			continue
		}
		belief, side := low.crossing(x), &low
		if x > high.at {
			side = &high
		}
		beyond := max(x-most, least-x) / (most - least)
		if belief == 1 && (beyond < edgeGap || side.shape >= sharpShape) || x == 0 && beyond < edgeGap/2 {
			continue // a tail, of which the other looks know more
		}
		if p *= tests * belief; p > suspicious/10 || v.agrees(f, i) || x < 0 && v.reversed(i) != nil {
			continue
		}
		s := Suspicion{Row: i, Column: column, P: max(p, offScale), Expected: math.NaN(), Low: least, High: most}
		s.Why = fmt.Sprintf("%s is %s, %s others lie between %s and %s", c.Name, amount(c, x), all, amount(c, s.Low), amount(c, s.High))
		s.Slip = scaleSlip(x, s.Low, s.High)
		if found = append(found, s); len(found) > mostBeyond(len(c.Values)) {
			return nil
		}
	}
	return found
}

// agrees says that a law of its column holds in a row, or that the rest of the row leads one to expect its value.
func (v *view) agrees(f, row int) bool {
	if v.obeyed != nil && v.obeyed(row, v.features[f].column) {
		return true
	}
	if v.predict == nil || !v.features[f].judged() {
		return false
	}
	if v.keeps != nil && v.keeps(f, row) {
		return true
	}
	d := len(v.features)
	z, y, t := mat.NewDense(1, d, nil), mat.NewDense(1, d, nil), mat.NewDense(1, d, nil)
	fill(z.RawRowView(0), v.table, v.features, row)
	v.predict.rows(z, y, t, nil)
	missed := t.At(0, f) * v.predict.scale[f] / v.predict.root[f]
	told, miss := 1-missed/z.At(0, f), math.Abs(t.At(0, f))
	return told > inLine && miss < usualMiss || told > nearlyAll && miss < seldomMiss
}

// scaleSlip is the likely mistake behind a value where all others lie between low and high.
func scaleSlip(x, low, high float64) string {
	switch {
	case sentinel(x):
		return standsForMissing
	case -x >= low && -x <= high:
		return wrongSign
	}
	return ""
}

// nonNegative says that the learned values of a column of numbers are 0 or more, but for as few as may be mistakes.
func (v *view) nonNegative(column int) bool {
	return v.table.Columns[column].Kind == tolerant.Number && neverNegative(v.sampled(column))
}

func neverNegative(values []float64) bool {
	below, known := 0, 0
	for _, x := range values {
		if x == x {
			known++
		}
		if x < 0 {
			below++
		}
	}
	return below <= mostBeyond(known) && 2*below < known
}
