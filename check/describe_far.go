package check

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// agreesWithin is the standardised residual up to which a cell is said to agree with the rest of its row.
const agreesWithin = 3

// whyFar says what is far about a row of which no cell is.
func (m *Model) whyFar(t *tolerant.Table, row int) string {
	d := len(m.features)
	z, y, residual := mat.NewDense(1, d, nil), mat.NewDense(1, d, nil), mat.NewDense(1, d, nil)
	fill(z.RawRowView(0), t, m.features, row)
	m.predict.rows(z, y, residual, nil)
	agree := true
	for j, f := range m.features {
		if c := &t.Columns[f.column]; f.few { // a word that the row has, or a number that few have
			x := c.Values[row]
			if x == x && !(math.Abs(z.At(0, j)) <= farCell) && (f.level < 0 || int(x) == f.level) {
				return fmt.Sprintf("far from most rows as a whole: %s %s is rare", c.Name, amount(c, x))
			}
		} else if v := residual.At(0, j); v == v && f.judged() && math.Abs(v) > agreesWithin {
			agree = false
		}
	}
	if !agree {
		return "far from most rows as a whole, though no number of it is wrong beyond doubt"
	}
	return "far from most rows as a whole, but its numbers agree with each other"
}

// whyRow names the cells that make a row unlike all others.
func (m *Model) whyRow(t *tolerant.Table, row int) string {
	z := make([]float64, len(m.features))
	fill(z, t, m.features, row)
	far := make([]int, 0, len(z))
	for j := range z {
		if z[j] == z[j] && !m.features[j].few {
			far = append(far, j)
		}
	}
	slices.SortStableFunc(far, func(a, b int) int { return cmp.Compare(math.Abs(z[b]), math.Abs(z[a])) })
	text := "no other row is like this one as a whole"
	for k, j := range far[:min(len(far), 2)] {
		column := &t.Columns[m.features[j].column]
		text += []string{": most of all ", " and "}[k] + column.Name + " " + amount(column, column.Values[row])
	}
	return text
}
