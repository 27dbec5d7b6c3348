package check

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/linalg"
)

// mostExchanged is how many suspicious cells of a row are exchanged with each other in turn.
const mostExchanged = 6

// swap is a row in which the values of two cells were exchanged, by their places among its listed cells.
type swap struct{ row, one, other int }

// exchanges finds wrong rows in which the values of two cells were exchanged: with both put back
// every cell of the row fits. Then these two are wrong, and no other.
func (l *lister) exchanges() (found []swap) {
	const stretch, together = 1 << 12, 256
	rows := l.result.Rows
	for first := 0; first < rows; first += stretch * together {
		some := make([][]swap, (min(stretch*together, rows-first)+stretch-1)/stretch)
		linalg.Parallel(len(some), func(k int) {
			from := first + k*stretch
			l.visits(from, min(from+stretch, rows))
			some[k] = l.exchangesOf(l.candidates(from, min(from+stretch, rows)))
		})
		for _, s := range some {
			found = spill.Append(l.table.Room(), found, s...)
		}
	}
	return found
}

func (l *lister) exchangesOf(found []candidate) (out []swap) {
	var columns []int
	for from := 0; from < len(found); {
		row, end := found[from].row, from
		columns = columns[:0]
		for ; end < len(found) && found[end].row == row; end++ {
			if len(columns) < mostExchanged && l.lists(&found[end]) {
				columns = append(columns, l.model.features[found[end].feature].column)
			}
		}
		if l.result.Wrong[row] && len(columns) > 1 {
			if one, other, ok := l.model.exchange(l.table, row, columns, l.spoils(row)); ok {
				out = append(out, swap{row, one, other})
			}
		}
		from = end
	}
	return out
}

// spoils tells of two columns of a row whether a law holds there that would break with their values exchanged: then they were not.
func (l *lister) spoils(row int) func(one, other int) bool {
	was := func(c int) float64 { return l.table.Columns[c].Values[row] }
	return func(one, other int) bool {
		at := func(c int) float64 {
			switch c {
			case one:
				return was(other)
			case other:
				return was(one)
			}
			return was(c)
		}
		return slices.ContainsFunc(l.result.Relations, func(law Relation) bool {
			return law.keeps != nil && (slices.Contains(law.Columns, one) || slices.Contains(law.Columns, other)) && law.keeps(was) && !law.keeps(at)
		})
	}
}

// exchanged keeps of rows in which two cells were exchanged these two. The cells of a row stand together.
func (l *lister) exchanged(all []Cell) []Cell {
	kept := all[:0]
	for from := 0; from < len(all); {
		end, row := from, all[from].Row
		for end < len(all) && all[end].Row == row {
			end++
		}
		cells := all[from:end]
		from = end
		if k, is := slices.BinarySearchFunc(l.swaps, row, func(s swap, row int) int { return cmp.Compare(s.row, row) }); is {
			one, other := cells[l.swaps[k].one], cells[l.swaps[k].other]
			one.givenBack(l.table, &other)
			other.givenBack(l.table, &one)
			cells = []Cell{one, other}
		}
		kept = append(kept, cells...)
	}
	return kept
}

// exchange tries all pairs of the columns, but for those that laws speak against; not ok where none explains the row.
func (m *Model) exchange(t *tolerant.Table, at int, columns []int, spoils func(one, other int) bool) (one, other int, ok bool) {
	d := len(m.features)
	z, y, residual := mat.NewDense(1, d, nil), mat.NewDense(1, d, nil), mat.NewDense(1, d, nil)
	place := func(column int) int {
		for j := range m.features {
			if f := &m.features[j]; f.column == column && f.judged() && t.Columns[column].Kind == tolerant.Number {
				return j
			}
		}
		return -1
	}
	row := z.RawRowView(0)
	fill(row, t, m.features, at)
	best := float64(cut)
	own, tried := slices.Clone(row), false
	product := m.predict.product(own)
	for i := range columns {
		for k := i + 1; k < len(columns); k++ {
			p, q := place(columns[i]), place(columns[k])
			if p < 0 || q < 0 || spoils(columns[i], columns[k]) {
				continue
			}
			ofP, ofQ := m.features[p].change.Forward(t.Columns[columns[k]].Values[at]), m.features[q].change.Forward(t.Columns[columns[i]].Values[at])
			if product != nil && m.predict.hopeless(product, p, ofP-own[p], q, ofQ-own[q]) {
				continue
			}
			copy(row, own)
			if !tried && m.worst(z, y, residual) <= cut {
				return 0, 0, false // as it is: there is nothing to put back
			}
			tried, row[p], row[q] = true, ofP, ofQ
			if w := m.worst(z, y, residual); w <= best && !ok {
				one, other, best, ok = i, k, w, true
			}
		}
	}
	for i := 0; ok && i < len(columns); i++ {
		p := place(columns[i])
		for _, s := range powers {
			if p < 0 {
				break
			}
			fill(row, t, m.features, at)
			row[p] = m.features[p].change.Forward(t.Columns[columns[i]].Values[at] / s.factor)
			if m.worst(z, y, residual) <= best {
				return 0, 0, false // one slip of a decimal mark explains as much
			}
		}
	}
	return one, other, ok
}

// product is that of a row with the inverse covariance; nil where there is none, or where a cell is missing.
func (c *conditional) product(row []float64) []float64 {
	if c.local != nil {
		return nil
	}
	v := make([]float64, c.d)
	for j, x := range row {
		if x != x {
			return nil
		}
		linalg.Axpy(x-c.mean[j], c.omega[j*c.d:(j+1)*c.d], v)
	}
	return v
}

// hopeless tells of two cells of a row that are moved by so much that more cells do not fit then than a row has that comes to fit by itself: of those
// that are left out to see whether the others fit, one at most fits again.
func (c *conditional) hopeless(product []float64, p int, byP float64, q int, byQ float64) bool {
	const most = 3
	beyond := 0
	ofP, ofQ := c.omega[p*c.d:(p+1)*c.d], c.omega[q*c.d:(q+1)*c.d]
	for j, v := range product {
		if v += byP*ofP[j] + byQ*ofQ[j]; !c.few[j] && math.Abs(v/c.root[j]-c.shift[j]) > cut*c.scale[j] {
			if beyond++; beyond > most {
				return true
			}
		}
	}
	return false
}

// worst is the largest residual of a row in transformed units; infinite where a cell is not possible. Missing cells do not count. There is room for its prediction.
func (m *Model) worst(z, y, residual *mat.Dense) (most float64) {
	m.predict.rows(z, y, residual, nil)
	for j, e := range residual.RawRowView(0) {
		if !m.features[j].judged() || e != e {
			continue
		}
		if most = max(most, math.Abs(e)); math.Abs(z.At(0, j)) > possible {
			return math.Inf(1)
		}
	}
	return most
}

// exchangedWith begins the slip of two cells that changed places.
const exchangedWith = "exchanged with "

// givenBack expects of a cell what the other has.
func (c *Cell) givenBack(t *tolerant.Table, other *Cell) {
	width := (c.High - c.Low) / 2
	c.Expected = t.Columns[other.Column].Values[other.Row]
	c.Low, c.High = c.Expected-width, c.Expected+width
	c.Slip = exchangedWith + words.Clip(t.Columns[other.Column].Name)
	c.P = min(c.P, 9e-4)
	c.Why = whyCell(&t.Columns[c.Column], asWritten(t, c.Row, c.Column), c)
}
