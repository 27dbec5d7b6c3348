package check

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/words"
)

// order says that one column is nowhere larger than another: ordered <= shipped.
type order struct {
	low, high int
	margin    float64 // what a difference usually is at least: violations within it are no law's
	mostly    bool    // so many rows break it that it is told, and none is called wrong for it
	text      string
	factors   edge  // how the factors between the two thin out
	except    where // marks of rows for which it does not hold
}

const (
	// orderExceptions is the share of rows that may break an order, and orderMostly that of one which is told as what most rows do.
	orderExceptions, orderMostly = 0.01, 0.05
	// mostOrdered is how many columns are compared with each other.
	mostOrdered = 100
	// orderP is the chance given to a row that breaks an order: what is left after the tests
	// below is not chance but doubt about the law.
	orderP = 1e-5
	// orderMostlyP is that given to a row which breaks what most rows do: it calls none wrong by itself.
	orderMostlyP = 0.02
	// orderSurely is by how much one of two cells in the wrong order is farther from what its column has, in the logarithm, when it is the guilty one.
	orderSurely = 1.5
)

// findOrders compares all pairs of columns of a kind and unit. A law shows itself by its edge:
// many differences are close to it and next to none beyond, and those far beyond.
func findOrders(ctx context.Context, t *tolerant.Table, said func(a, b int) bool) ([]order, error) {
	rows := spacedRows(t.Rows, relationRows)
	var columns []int
	for c := range t.Columns {
		k := t.Columns[c].Kind
		if (k == tolerant.Number || k == tolerant.Date) && len(t.Columns[c].Values) == t.Rows && len(columns) < mostOrdered {
			columns = append(columns, c)
		}
	}
	above := map[[2]int]order{}
	least := map[int]bottom{}
	for _, c := range columns {
		least[c] = bottomOf(t.Columns[c].Values, rows)
	}
	for _, a := range columns {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, b := range columns {
			x, y := &t.Columns[a], &t.Columns[b]
			if a == b || said(a, b) || x.Kind != y.Kind || x.Unit != y.Unit {
				continue
			}
			if broken, is := ordered(x.Values, y.Values, least[a].telling(x.Values, y.Values, rows), len(columns)); is {
				above[[2]int{a, b}] = order{low: a, high: b, mostly: broken > orderExceptions, text: x.Name + " <= " + y.Name}
			}
		}
	}
	var out []order
	for _, a := range columns {
		for _, b := range columns {
			o, ok := above[[2]int{a, b}]
			if !ok {
				continue
			}
			for _, c := range columns { // what follows from two others is not said
				first, is := above[[2]int{a, c}]
				second, too := above[[2]int{c, b}]
				ok = ok && !(is && too && (o.mostly || !first.mostly && !second.mostly))
			}
			if ok {
				telling := least[a].telling(t.Columns[a].Values, t.Columns[b].Values, rows)
				o.margin, _ = orderMargin(o.differences(t, telling))
				o.factors = factors(t.Columns[a].Values, t.Columns[b].Values, telling)
				o.except = whereLearned(t, []int{a, b}, func(row int) (broken, asked bool) {
					d := t.Columns[b].Values[row] - t.Columns[a].Values[row]
					return d < 0, d == d
				})
				out = append(out, o)
			}
		}
	}
	return out, nil
}

// differences are those of some rows, sorted, missing ones left out.
func (o order) differences(t *tolerant.Table, rows []int) []float64 {
	low, high := t.Columns[o.low].Values, t.Columns[o.high].Values
	out, last := make([]float64, 0, len(rows)), 0
	for _, r := range rows {
		t.Room().Reached(&last, r, 2)
		if d := high[r] - low[r]; d == d {
			out = append(out, d)
		}
	}
	slices.Sort(out)
	return out
}

// orderMargin is how far from the edge the nearest twentieth of the rows reach; violations are not
// counted. sharp says that this is little beside the others.
func orderMargin(sorted []float64) (margin float64, sharp bool) {
	below, _ := slices.BinarySearch(sorted, 0)
	sorted = sorted[below:]
	if len(sorted) == 0 {
		return 0, false
	}
	edge, middle := quantile(sorted, 0.01), quantile(sorted, 0.5)
	margin = quantile(sorted, 0.05) - edge
	return margin, middle > edge && margin <= 0.15*(middle-edge)
}

// ordered says that a sample speaks for low <= high, and what share of it breaks that.
func ordered(low, high []float64, rows []int, columns int) (share float64, ok bool) {
	differences, room := make([]float64, 0, len(rows)), spill.Of(low)
	var broken []int
	for i, r := range rows {
		room.Touched(2)
		d := high[r] - low[r]
		if d == d {
			differences = append(differences, d)
		}
		if d < 0 {
			broken = append(broken, r)
		}
		// Most pairs are no order, which few rows tell.
		if i == 30 {
			below := 0
			for _, d := range differences {
				if d < 0 {
					below++
				}
			}
			if below > 3 {
				return 0, false
			}
		}
	}
	n := len(differences)
	if n < 20 {
		return 0, false
	}
	slices.Sort(differences)
	below, _ := slices.BinarySearch(differences, 0)
	margin, sharp := orderMargin(differences)
	if float64(below) > orderMostly*float64(n) || !sharp {
		return 0, false
	}
	near, tail := 0, edge{at: math.Inf(1)}
	if below > 0 {
		tail = factors(low, high, rows)
	}
	for _, r := range broken {
		if high[r]-low[r] >= -margin || tail.thinsOut(low[r], high[r]) {
			near++
		}
	}
	if float64(near) > 0.3*float64(below)+0.5 {
		return 0, false
	}
	// Columns that have nothing to do with each other: the same with rows mixed.
	mixed, asked := 0, 0
	for _, shift := range []int{1, len(rows) / 2, len(rows) / 3} {
		for i, r := range rows {
			room.Touched(2)
			if d := high[rows[(i+shift)%len(rows)]] - low[r]; d == d {
				asked++
				if d < 0 {
					mixed++
				}
			}
		}
	}
	apart := float64(mixed) / float64(max(asked, 1))
	if apart < 0.1 || float64(below) > 0.1*apart*float64(n) {
		return 0, false
	}
	kept := 1 - float64(below)/float64(n)
	unlikely := kept * math.Log(kept/(1-apart))
	if below > 0 {
		unlikely += (1 - kept) * math.Log((1-kept)/apart)
	}
	return 1 - kept, float64(n)*unlikely > 2*math.Log(float64(columns+1))+8
}

// judge lists the rows that break the order.
func (o order) judge(t *tolerant.Table) (Relation, []Suspicion) {
	r := Relation{Text: o.text + o.except.text(t), Columns: []int{o.low, o.high}, keeps: func(at func(int) float64) bool { return !(at(o.high) < at(o.low)) }}
	low, high := &t.Columns[o.low], &t.Columns[o.high]
	if len(low.Values) < t.Rows || len(high.Values) < t.Rows {
		return r, nil
	}
	near := 0
	for row := range t.Rows {
		d := high.Values[row] - low.Values[row]
		if d != d || d < 0 && o.except.has(t, row) {
			continue
		}
		r.Rows++
		if d < 0 {
			r.Broken = append(r.Broken, row)
			if d >= -o.margin || o.factors.thinsOut(low.Values[row], high.Values[row]) {
				near++
			}
		}
	}
	share, p := float64(len(r.Broken))/float64(max(r.Rows, 1)), orderP
	if o.mostly || share > orderExceptions {
		p = orderMostlyP
	}
	if share > orderMostly || float64(near) > 0.3*float64(len(r.Broken))+1 {
		return r, nil
	}
	a, b := describe(pick(low.Values, spacedRows(t.Rows, relationRows))), describe(pick(high.Values, spacedRows(t.Rows, relationRows)))
	var cells []Suspicion
	for _, row := range r.Broken {
		x, y := low.Values[row], high.Values[row]
		why := fmt.Sprintf("%s %s is beyond %s %s, although %s in all but %d of %s", words.Clip(low.Name), amount(low, x),
			words.Clip(high.Name), amount(high, y), o.text, len(r.Broken), words.Plural(r.Rows, "row"))
		s := Suspicion{Row: row, P: p, Expected: math.NaN(), Low: math.NaN(), High: math.NaN(), Why: why, ordered: true}
		// The cell that is farther from what its column has is the guilty one; otherwise either.
		dx, dy := distance(x, a), distance(y, b)
		s.Doubt = math.Abs(dx-dy) < orderSurely
		if dx >= dy-0.5 {
			s.Column = o.low
			cells = append(cells, s)
		}
		if dy >= dx-0.5 {
			s.Column = o.high
			cells = append(cells, s)
		}
	}
	return r, cells
}

// pick takes the values of some rows.
func pick(values []float64, rows []int) []float64 {
	out, room, last := make([]float64, len(rows)), spill.Of(values), 0
	for i, r := range rows {
		room.Reached(&last, r, 1)
		out[i] = values[r]
	}
	return out
}
