package check

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/spill"
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

// least is the smallest of how far the neighbours say that the cell is, and of its distances from the prediction and from the middle of
// its column in spreads of the column. A few dozen rows tell little of how well others foretell a cell, but how wide a column is they
// tell: one that is far by all three is granted the tail of few rows, not that of one or two.
func (c *candidate) least(said float64) float64 {
	away := c.residual * c.away
	return min(said, math.Abs(away), math.Abs(c.expected+away))
}

// fewFreedom is the degrees of freedom of that tail: with it clean columns of a t distribution with three keep to one call in a hundred rows.
const fewFreedom = 4

// suspicious is the p-value, times the row's cells, from which on a cell is looked at again.
const suspicious = 0.05

// Judge judges a table that has the columns which were learned.
func (m *Model) Judge(ctx context.Context, t *tolerant.Table) (*Result, error) {
	return m.JudgeObserved(ctx, t, nil)
}

// JudgeObserved is Judge, and tells how far it has come.
func (m *Model) JudgeObserved(ctx context.Context, t *tolerant.Table, observe Observe) (*Result, error) {
	ctx = given.Context(ctx)
	if observe == nil {
		observe = func(string, float64) {}
	}
	if len(t.Columns) != m.columns {
		return nil, fmt.Errorf("the table has %d columns, and %d were learned", len(t.Columns), m.columns)
	}
	whole := t
	t = m.goneOn(t)
	l := newLooks(t.Room(), t.Rows)
	var found []candidate
	if m.predict != nil {
		const block = 256
		together := 1024 // blocks
		if t.Room() != nil {
			together = 128 // whose candidates are in memory until they are all there
		}
		blocks := (t.Rows + block - 1) / block
		var idle sync.Pool
		steps := newSteps(observe, blocks)
		for from := 0; from < blocks; from += together {
			perBlock := make([][]candidate, min(together, blocks-from))
			linalg.Parallel(len(perBlock), func(b int) {
				if ctx.Err() != nil {
					return
				}
				first := (from + b) * block
				g, ok := idle.Get().(*glance)
				if count := min(block, t.Rows-first); !ok || len(g.apart) != count {
					g = newGlance(count, len(m.features))
				}
				perBlock[b] = m.look(t, first, g, l)
				idle.Put(g)
				t.Room().Passed(block * 8 * int64(len(t.Columns)+9))
				steps.done()
			})
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			for _, some := range perBlock {
				found = spill.Append(t.Room(), found, some...)
			}
		}
	}
	r, err := m.combine(ctx, whole, t, l, found, observe)
	observe("judge", 1)
	return r, err
}

// looksShare is the part of judging that the looks at all rows take.
const looksShare = 0.8

// steps tells how many of the blocks have been looked at, a hundred times at most.
type steps struct {
	lock              sync.Mutex
	count, all, every int
	observe           Observe
}

func newSteps(observe Observe, all int) *steps {
	return &steps{all: all, every: max(1, all/100), observe: observe}
}

func (s *steps) done() {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.count++; s.count%s.every == 0 {
		s.observe("judge", looksShare*float64(s.count)/float64(s.all))
	}
}

func newLooks(room *spill.Room, n int) *looks {
	ones := func() []float64 {
		p := spill.Make[float64](room, n)
		for i := range room.Rows(n, 1) {
			p[i] = 1
		}
		return p
	}
	return &looks{cell: ones(), margin: ones(), row: ones(), lonely: ones(), apart: ones(), joint: ones(), size: spill.Make[float64](room, n), verified: ones()}
}

// glance is the room that looking at a block of rows takes.
type glance struct {
	z, y, residual, whole *mat.Dense
	distance, apart       []float64
	rows                  [][]float64 // that are asked how alone they are
	at, self              []int       // their places in the block and numbers
	questions             []question
	answers               []float64
}

func newGlance(count, d int) *glance {
	dense := func() *mat.Dense { return mat.NewDense(count, d, nil) }
	return &glance{z: dense(), y: dense(), residual: dense(), whole: dense(), distance: make([]float64, count), apart: make([]float64, count)}
}

// look takes the p-values of a block of rows, and asks neighbours about the suspicious.
func (m *Model) look(t *tolerant.Table, first int, g *glance, l *looks) (found []candidate) {
	d := len(m.features)
	count := len(g.apart)
	for i := range count {
		fill(g.z.RawRowView(i), t, m.features, first+i)
	}
	m.predict.rows(g.z, g.y, g.residual, g.distance)
	g.whole.Copy(g.z)
	for i := range count {
		fillMissing(g.whole.RawRowView(i), g.y.RawRowView(i))
	}
	m.cuts.scores(g.whole, g.apart)
	tests, size := float64(max(m.judged, 1)), sizeOf(t.Rows)
	g.rows, g.at, g.self, g.questions = g.rows[:0], g.at[:0], g.self[:0], g.questions[:0]
	for i := range count {
		row := first + i
		zi, ti, yi := g.z.RawRowView(i), g.residual.RawRowView(i), g.y.RawRowView(i)
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
			away := m.predict.away(j, zi[j], yi[j], ti[j])
			expected := zi[j] - ti[j]*away
			if pc*tests < size.again && m.features[j].rounded(t, row, expected) {
				pc = 1
			}
			cell, margin = min(cell, pc), min(margin, pm) // the order of rows is by the values as they stand
			residual := ti[j]
			if math.Abs(ti[j]) > halfStepFrom || math.Abs(zi[j]) > halfStepFrom {
				var value float64
				value, residual = m.features[j].unrounded(t, row, zi[j], expected, away)
				pc, pm = max(pc, m.cells[j].unusual(residual)), max(pm, m.margins[j].unusual(value))
				ti[j] = residual
			}
			if min(pc, pm)*tests < size.again {
				found = append(found, candidate{row: row, feature: j, p: pc, margin: pm, expected: expected, away: away, residual: residual})
			}
		}
		l.cell[row], l.margin[row] = min(1, tests*cell), min(1, tests*margin)
		l.size[row] = -sum / tests
		l.row[row] = m.rows.p(g.distance[i])
		l.joint[row] = m.joint.p(m.together(ti))
		l.apart[row] = m.apart.p(g.apart[i])
		if min(l.row[row], l.joint[row]) < size.alone {
			whole := g.whole.RawRowView(i)
			clip(whole, whole)
			g.rows, g.at, g.self = append(g.rows, whole), append(g.at, i), append(g.self, self)
		}
		if len(found) > from {
			clip(yi, yi)
			for _, c := range found[from:] {
				g.questions = append(g.questions, question{c.feature, c.residual, yi, self})
			}
		}
	}
	m.hold(t, first, g, l, found)
	slices.SortStableFunc(found, func(a, b candidate) int {
		if c := cmp.Compare(a.row, b.row); c != 0 {
			return c
		}
		return cmp.Compare(a.p, b.p)
	})
	return found
}

// hold holds the rows and cells of a block that are to be looked at again against their neighbours.
func (m *Model) hold(t *tolerant.Table, first int, g *glance, l *looks, found []candidate) {
	seek := m.near.seeker()
	defer seek.release()
	g.answers = slices.Grow(g.answers[:0], len(g.rows)+len(found))
	alone, said := g.answers[:len(g.rows)], g.answers[len(g.rows):len(g.rows)+len(found)]
	seek.alone(g.rows, g.self, alone)
	for k, i := range g.at {
		l.lonely[first+i] = m.lonely.p(alone[k])
	}
	seek.ask(g.questions, said)
	tests := float64(max(m.judged, 1))
	for k := range found {
		c := &found[k]
		differs := m.differs(c.feature, said[k])
		if m.freedom < 5 {
			differs = min(differs, max(beyond(c.least(said[k]), fewFreedom), c.margin))
		}
		c.verified = max(differs, min(c.p, c.margin)) * m.finer(t, c)
		l.verified[c.row] = min(l.verified[c.row], tests*c.verified)
	}
}
