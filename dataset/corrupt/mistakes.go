package corrupt

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/setting"
)

// mistakes makes one mistake of the kinds that people and loggers make in each chosen row:
//
//	times10, tenth   the decimal point slipped
//	swapped          two cells of the row exchanged
//	unit             another unit: inches for centimeters, pounds for kilograms, Fahrenheit, a thousand
//	sign             the wrong sign
//	impossible       a usual value of the column that cannot stand beside the others of its row
//	sentinel         -999 or 9999 in place of a value
//
// The wrong value has no more decimals than its column has: the writing does not give it away. A
// mistake that would hardly change its cell, by less than one robust standard deviation of the
// column, is made in another cell of the row; where none is left the row stays as it is.
type mistakes struct{ Kind string }

var mistakeKinds = []string{"times10", "tenth", "swapped", "unit", "sign", "impossible", "sentinel"}

func (c *mistakes) fields() []setting.Field {
	return []setting.Field{setting.Choice("kind", &c.Kind, append([]string{"mixed"}, mistakeKinds...), "what goes wrong; mixed: all of them in turn")}
}

func (c *mistakes) apply(job *job, amount quantity) error {
	m := &mistaken{job: job}
	m.median, m.scale = scales(job.set)
	m.decimals = decimals(job.set)
	rows, err := job.chooseRows(amount)
	if err != nil {
		return err
	}
	job.step.Kinds = make(map[int]string, len(rows))
	job.step.Rows = job.step.Rows[:0]
	for k, i := range rows {
		kinds := []string{c.Kind}
		if c.Kind == "mixed" { // where the turn's kind is not possible, the next one
			kinds = append(slices.Clone(mistakeKinds[k%len(mistakeKinds):]), mistakeKinds[:k%len(mistakeKinds)]...)
		}
		job.dirt.Rows[i] = false
		for _, kind := range kinds {
			if m.make(kind, i) {
				job.dirt.Rows[i], job.step.Kinds[i] = true, kind
				job.step.Rows = append(job.step.Rows, i)
				break
			}
		}
	}
	return nil
}

// mistaken is a table in which mistakes are being made.
type mistaken struct {
	*job
	median, scale []float64
	decimals      []int   // that values of a column have at most
	near          [][]int // for every column those that go with it; nil until needed
	up            [][]bool
}

// make makes one mistake in a row, in a cell where it matters, and says whether there was one.
func (m *mistaken) make(kind string, i int) bool {
	row := m.set.X.RawRowView(i)
	for _, j := range m.r.Perm(len(row)) {
		v := row[j]
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		other := -1
		to := v
		switch kind {
		case "times10":
			to = v * 10
		case "tenth":
			to = v / 10
		case "sign":
			to = -v
		case "unit":
			to = []float64{v * 2.54, v / 2.54, v * 2.20462, v*1.8 + 32, v * 1000, v / 1000}[m.r.IntN(6)]
		case "sentinel":
			to = []float64{-999, 9999}[m.r.IntN(2)]
		case "swapped":
			if other = (j + 1) % len(row); other == j || math.IsNaN(row[other]) || math.Abs(v-row[other]) < m.scale[other] {
				continue
			}
			to = row[other]
		case "impossible":
			to = m.impossible(i, j)
		}
		if kind != "swapped" {
			to = rounded(to, m.decimals[j])
		}
		if !(math.Abs(to-v) >= m.scale[j]) {
			continue
		}
		row[j] = to
		m.markCell(i, j)
		if other >= 0 {
			row[other] = v
			m.markCell(i, other)
		}
		return true
	}
	return false
}

// impossible is a value of the column from the end where, by the columns that go with it, this
// row cannot be; NaN where no column goes with it or the row stands in the middle.
func (m *mistaken) impossible(i, j int) float64 {
	if m.near == nil {
		m.relate()
	}
	votes := 0
	for k, other := range m.near[j] {
		z := (m.set.X.At(i, other) - m.median[other]) / m.scale[other]
		if !m.up[j][k] {
			z = -z
		}
		if z > 0.8 {
			votes++
		} else if z < -0.8 {
			votes--
		}
	}
	if votes == 0 {
		return math.NaN()
	}
	for range 400 { // a value of another row beyond the middle, on the other side
		v := m.set.X.At(m.r.IntN(m.set.Rows()), j)
		if z := (v - m.median[j]) / m.scale[j]; math.Abs(z) < 2.5 && (votes > 0 && z < -0.8 || votes < 0 && z > 0.8) {
			return v
		}
	}
	return math.NaN()
}

// relate finds for every column those whose ranks go with it.
func (m *mistaken) relate() {
	n, d := m.set.Rows(), m.set.Dim()
	ranks := make([][]float64, d)
	for j := range ranks {
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int {
			va, vb := m.set.X.At(a, j), m.set.X.At(b, j)
			switch {
			case va < vb:
				return -1
			case va > vb:
				return 1
			}
			return 0
		})
		ranks[j] = make([]float64, n)
		for k, i := range order {
			ranks[j][i] = float64(k)
		}
	}
	m.near, m.up = make([][]int, d), make([][]bool, d)
	for j := range d {
		for k := range d {
			if c := stat.Correlation(ranks[j], ranks[k], nil); k != j && math.Abs(c) > 0.7 {
				m.near[j], m.up[j] = append(m.near[j], k), append(m.up[j], c > 0)
			}
		}
	}
}

// decimals are the places behind the point that the values of each column need at most.
func decimals(s *dataset.Set) []int {
	most := make([]int, s.Dim())
	for i := range s.Rows() {
		for j, v := range s.X.RawRowView(i) {
			most[j] = max(most[j], decimalsOf(v))
		}
	}
	return most
}

// decimalsOf counts the places behind the point of the shortest text that is the number.
func decimalsOf(v float64) int {
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if at := strings.IndexByte(text, '.'); at >= 0 {
		return len(text) - at - 1
	}
	return 0
}

// rounded is the number with so many decimals, exactly as its text would be read.
func rounded(v float64, places int) float64 {
	to, err := strconv.ParseFloat(strconv.FormatFloat(v, 'f', places, 64), 64)
	if err != nil {
		return v
	}
	return to
}
