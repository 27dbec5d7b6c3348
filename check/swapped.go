package check

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
)

// mostExchanged is how many suspicious cells of a row are exchanged with each other in turn.
const mostExchanged = 6

// exchanged finds wrong rows in which the values of two cells were exchanged: with both put back
// every cell of the row fits. Then these two are wrong, and no other. The cells of a row stand together.
func (m *Model) exchanged(t *tolerant.Table, r *Result) {
	kept := r.Cells[:0]
	for from := 0; from < len(r.Cells); {
		end := from
		for end < len(r.Cells) && r.Cells[end].Row == r.Cells[from].Row {
			end++
		}
		cells := r.Cells[from:end]
		from = end
		if r.Wrong[cells[0].Row] {
			if a, b := m.exchange(t, cells[:min(len(cells), mostExchanged)]); a != nil {
				one, other := *a, *b
				one.givenBack(t, &other)
				other.givenBack(t, &one)
				kept = append(kept, one, other)
				continue
			}
		}
		kept = append(kept, cells...)
	}
	r.Cells = kept
}

// exchange tries all pairs of the cells; nil where none explains the row.
func (m *Model) exchange(t *tolerant.Table, cells []Cell) (a, b *Cell) {
	d := len(m.features)
	z, y, residual := mat.NewDense(1, d, nil), mat.NewDense(1, d, nil), mat.NewDense(1, d, nil)
	place := func(c *Cell) int {
		for j := range m.features {
			if f := &m.features[j]; f.column == c.Column && f.judged() && t.Columns[c.Column].Kind == tolerant.Number {
				return j
			}
		}
		return -1
	}
	for i := range cells {
		for k := i + 1; k < len(cells); k++ {
			p, q := place(&cells[i]), place(&cells[k])
			if p < 0 || q < 0 {
				continue
			}
			row := z.RawRowView(0)
			fill(row, t, m.features, cells[0].Row)
			if m.fits(z, y, residual) {
				return nil, nil // as it is: there is nothing to put back
			}
			row[p] = m.features[p].change.Forward(t.Columns[cells[k].Column].Values[cells[k].Row])
			row[q] = m.features[q].change.Forward(t.Columns[cells[i].Column].Values[cells[i].Row])
			if m.fits(z, y, residual) {
				return &cells[i], &cells[k]
			}
		}
	}
	return nil, nil
}

// fits says that every cell of a row in transformed units is possible and as the others suggest. There is room for its prediction.
func (m *Model) fits(z, y, residual *mat.Dense) bool {
	m.predict.rows(z, y, residual, nil)
	for j, e := range residual.RawRowView(0) {
		if m.features[j].judged() && (math.Abs(e) > cut || math.Abs(z.At(0, j)) > possible) {
			return false
		}
	}
	return true
}

// givenBack expects of a cell what the other has.
func (c *Cell) givenBack(t *tolerant.Table, other *Cell) {
	width := (c.High - c.Low) / 2
	c.Expected = t.Columns[other.Column].Values[other.Row]
	c.Low, c.High = c.Expected-width, c.Expected+width
	c.Slip = "exchanged with " + words.Clip(t.Columns[other.Column].Name)
	c.P = min(c.P, 9e-4)
	c.Why = whyCell(&t.Columns[c.Column], asWritten(t, c.Row, c.Column), c)
}
