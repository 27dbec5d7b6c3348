package check

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/linalg"
)

// looks are the numeric core's p-values, one per row and look: not verified by neighbours, but
// for the last two.
type looks struct {
	cell, margin, row, lonely, apart, joint []float64
	size                                    []float64 // minus the mean absolute transformed value: small is unusual, as in p-values
	verified                                []float64 // the smallest of a row's cells, corrected, as neighbours see it
}

// candidate is a cell whose p-value is small.
type candidate struct {
	row, feature   int
	p, margin      float64 // of the residual and of the value, before the correction for the row's cells
	verified       float64
	expected, away float64 // transformed units: the prediction and its standard deviation
	residual       float64
}

// suspicious is the p-value, times the row's cells, from which on a cell is looked at again.
const suspicious = 0.05

// Judge judges a table that has the columns which were learned.
func (m *Model) Judge(ctx context.Context, t *tolerant.Table) (*Result, error) {
	ctx = given.Context(ctx)
	if len(t.Columns) != m.columns {
		return nil, fmt.Errorf("the table has %d columns, and %d were learned", len(t.Columns), m.columns)
	}
	l := newLooks(t.Rows)
	var found []candidate
	if m.predict != nil {
		const block = 256
		blocks := (t.Rows + block - 1) / block
		perBlock := make([][]candidate, blocks)
		linalg.Parallel(blocks, func(b int) {
			if ctx.Err() == nil {
				perBlock[b] = m.look(t, b*block, min(block, t.Rows-b*block), l)
			}
		})
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		found = slices.Concat(perBlock...)
	}
	return m.combine(ctx, t, l, found)
}

func newLooks(n int) *looks {
	ones := func() []float64 {
		p := make([]float64, n)
		for i := range p {
			p[i] = 1
		}
		return p
	}
	return &looks{cell: ones(), margin: ones(), row: ones(), lonely: ones(), apart: ones(), joint: ones(), size: make([]float64, n), verified: ones()}
}

// look takes the p-values of a block of rows, and asks neighbours about the suspicious.
func (m *Model) look(t *tolerant.Table, first, count int, l *looks) (found []candidate) {
	d := len(m.features)
	z, y, residual := mat.NewDense(count, d, nil), mat.NewDense(count, d, nil), mat.NewDense(count, d, nil)
	distance, apart := make([]float64, count), make([]float64, count)
	for i := range count {
		fill(z.RawRowView(i), t, m.features, first+i)
	}
	m.predict.rows(z, y, residual, distance)
	whole := filledIn(z, y)
	m.cuts.scores(whole, apart)
	tests, size := float64(max(m.judged, 1)), sizeOf(t.Rows)
	clipped := make([]float64, d)
	near, few, room := newClosest(asked), newClosest(nearest), make([]float64, asked)
	for i := range count {
		row := first + i
		zi, ti, yi := z.RawRowView(i), residual.RawRowView(i), y.RawRowView(i)
		self := -1
		if t == m.trained {
			self = row
		}
		from := len(found)
		cell, margin, sum := 1.0, 1.0, 0.0
		for j := range d {
			if !m.features[j].judged() || zi[j] != zi[j] {
				continue
			}
			sum += min(math.Abs(zi[j]), 6)
			pc, pm := m.cells[j].unusual(ti[j]), m.margins[j].unusual(zi[j])
			if pc == 1 && pm == 1 {
				continue
			}
			cell, margin = min(cell, pc), min(margin, pm)
			if min(pc, pm)*tests < size.again {
				away := m.predict.scale[j] / m.predict.root[j]
				found = append(found, candidate{row: row, feature: j, p: pc, margin: pm, expected: zi[j] - ti[j]*away, away: away, residual: ti[j]})
			}
		}
		l.cell[row], l.margin[row] = min(1, tests*cell), min(1, tests*margin)
		l.size[row] = -sum / tests
		l.row[row] = m.rows.p(distance[i])
		l.joint[row] = m.joint.p(m.together(ti))
		l.apart[row] = m.apart.p(apart[i])
		if min(l.row[row], l.joint[row]) < size.alone {
			clip(clipped, whole.RawRowView(i))
			l.lonely[row] = m.lonely.p(m.near.alone(clipped, self, few))
		}
		if len(found) > from {
			clip(clipped, yi)
			for k := from; k < len(found); k++ {
				c := &found[k]
				p := m.differs(m.near.ask(c.feature, c.residual, clipped, self, near, room))
				c.verified = max(p, min(c.p, c.margin))
				l.verified[row] = min(l.verified[row], tests*c.verified)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int {
		if c := cmp.Compare(a.row, b.row); c != 0 {
			return c
		}
		return cmp.Compare(a.p, b.p)
	})
	return found
}
