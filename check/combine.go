package check

import (
	"context"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
)

// combine makes one verdict of the numeric core's looks at t and of what the parts say of the whole table.
func (m *Model) combine(ctx context.Context, whole, t *tolerant.Table, l *looks, found []candidate, observe Observe) (*Result, error) {
	n := t.Rows
	r := &Result{Rows: n}
	seen := *m.view // the parts leave what they find in it, and the model stays as it is
	v := &seen
	if t != m.trained {
		v = &view{table: whole, learned: m.view.table, settings: m.settings, features: m.features, laws: m.view.laws, predict: m.predict}
	}
	if m.predict != nil {
		v.keeps = m.keeps(v)
	}
	for k, ask := range parts {
		observe("judge", looksShare+(0.95-looksShare)*float64(k)/float64(len(parts)))
		said, err := ask(ctx, v)
		if err != nil {
			return nil, err
		}
		if t != whole && said.Part == PartCell {
			said.Cells = slices.DeleteFunc(said.Cells, func(c Suspicion) bool { return math.IsNaN(t.Columns[c.Column].Values[c.Row]) })
		}
		r.Found = append(r.Found, said)
	}
	r.Relations = v.relations
	m.acquit(v, l, found)
	// In large tables every number per row counts: results stand where looks stood that are no longer needed.
	r.P, r.Score, r.Wrong, r.Part = l.verified, l.joint, spill.Make[bool](t.Room(), n), spill.Make[Part](t.Room(), n)
	celled := spill.Make[bool](t.Room(), n) // rows of which cells are suspicious as well
	loose := l.cell                         // what nobody has verified: it orders rows, and calls none wrong
	own, groups := newOneRow(len(m.features)), m.farGroups()
	for i := range t.Room().Rows(n, 8) {
		// The chances of the looks are shared out: a half to cells, a quarter to rows, a quarter to the parts.
		celled[i] = l.verified[i] < suspicious
		r.P[i], r.Part[i] = min(1, 2*l.verified[i]), PartCell
		if p := 4 * max(l.row[i], l.joint[i], l.lonely[i]); p < r.P[i] {
			if v.obeyed != nil && p < suspicious && 5*r.P[i] > suspicious { // far in all that follows from one far cell
				p = max(p, 4*m.jointBut(v, i, own, func(f int) bool { return v.obeyed(i, m.features[f].column) }))
			}
			if g, apart := far(groups, t, i); p < r.P[i] && !(apart && g.rows >= kindFewest) { // else others are like it
				r.P[i], r.Part[i] = p, PartRow
			}
		}
		l.margin[i] = min(l.margin[i], l.row[i])
		loose[i] = min(1, 3*min(l.cell[i], l.margin[i]))
	}
	spill.Free(l.row)
	l.row = nil
	r.hear(loose)
	ranks := [][]float64{l.apart, l.lonely, l.size}
	for _, p := range ranks { // one by one, since each takes its room once more
		rank(p)
	}
	for i := range t.Room().Rows(n, 5) {
		r.Score[i] = score(r.P[i], loose[i], ranks, i)
	}
	r.call(m.settings)
	switch {
	case m.settings.Expect > 0:
	case t == m.trained:
		r.manyAlike(celled)
	default:
		m.ofAKind(ctx, t, r, celled)
	}
	r.leaveSubtotals(whole)
	for i := range t.Room().Rows(n, 3+len(groups)) {
		if !r.Wrong[i] {
			r.Part[i] = 0
			if _, apart := far(groups, t, i); apart || l.margin[i] < extremeBelow {
				r.Part[i] = PartExtreme
			}
		}
	}
	m.groups(v, r, found, groups)
	m.describe(t, r, found, groups)
	return r, nil
}

// extremeBelow is the p-value from which on a row that is not wrong is called extreme.
const extremeBelow = 0.001

// hear lets the parts' p-values join those of the core.
func (r *Result) hear(loose []float64) {
	speaking := 0.0
	for k := range r.Found {
		if r.Found[k].Rows != nil || len(r.Found[k].Cells) > 0 {
			speaking++
		}
	}
	say := func(row int, p float64, part Part) {
		p *= 4 * speaking
		if p < r.P[row] {
			r.P[row], r.Part[row] = p, part
		}
		loose[row] = min(loose[row], p)
	}
	for k := range r.Found {
		said := &r.Found[k]
		for row, p := range said.Rows {
			if p < 1 {
				say(row, p, said.Part)
			}
		}
		for _, c := range said.Cells {
			if c.Certain {
				c.P = 0
			}
			say(c.Row, c.P, said.Part)
		}
	}
}

// mostUnlike is the share of rows that may be unlike all others: where more are, they are of a kind.
const mostUnlike = 0.01

// manyAlike takes back the verdict on rows as a whole, of which no cell is suspicious, where it is that on many.
func (r *Result) manyAlike(celled []bool) {
	var unlike []int
	for i, wrong := range r.Wrong {
		if wrong && r.Part[i] == PartRow && !celled[i] {
			unlike = append(unlike, i)
		}
	}
	if len(unlike) > max(2, int(mostUnlike*float64(r.Rows))) {
		for _, i := range unlike {
			r.Wrong[i] = false
		}
	}
}

// mostLoose is the weight that evidence which nobody has verified stays below, however strong: a row that is far and in line stands behind one
// that is wrong.
const mostLoose = 2

// score is the weight of the evidence beyond a chance of one in ten, and the place among all rows
// by that look by which the row stands out most: how few cuts set it apart, how far its nearest
// rows are, how far its cells are from the middle of their columns.
func score(p, loose float64, ranks [][]float64, i int) float64 {
	most := 0.0
	for _, r := range ranks {
		most = max(most, r[i])
	}
	weight := func(p float64) float64 { return max(0, -math.Log10(max(p, 1e-300))-1) }
	far := weight(loose)
	return max(weight(p), mostLoose*far/(mostLoose+far)) + most
}

// call calls rows wrong: those whose p-value is at most the largest for which the expected share of
// false alarms among them is bounded (Benjamini and Hochberg 1995); where the user expects a
// share of wrong rows, so many of the highest scores.
func (r *Result) call(s Settings) {
	if s.Expect > 0 {
		order := spill.Make[int](spill.Of(r.P), r.Rows)
		defer spill.Free(order)
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int {
			switch {
			case r.Score[a] > r.Score[b]:
				return -1
			case r.Score[a] < r.Score[b]:
				return 1
			}
			return 0
		})
		for _, i := range order[:min(int(math.Round(s.Expect*float64(r.Rows))), r.Rows)] {
			r.Wrong[i] = true
		}
		return
	}
	level := s.falseAlarms()
	sorted := spill.Clone(r.P)
	defer spill.Free(sorted)
	spill.Sort(sorted)
	threshold := -1.0
	for k := r.Rows; k > 0; k-- {
		if sorted[k-1] <= level*float64(k)/float64(r.Rows) {
			threshold = sorted[k-1]
			break
		}
	}
	for i, p := range spill.Each(r.P) {
		r.Wrong[i] = p <= threshold
	}
	for k := range r.Found {
		for _, c := range r.Found[k].Cells {
			if c.Called && !r.Wrong[c.Row] {
				r.Wrong[c.Row], r.Part[c.Row] = true, r.Found[k].Part
			}
		}
	}
}
