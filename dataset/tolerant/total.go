package tolerant

import (
	"math"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/dataset/internal/cell"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/words"
)

// totals are last rows that are none: sums, and lines about the table.
type totals struct {
	rows  int
	label string // what a row of sums is called; empty where there is none
	notes []string
}

// sumWords are what rows of sums are called.
var sumWords = map[string]bool{"total": true, "totals": true, "sum": true, "sums": true, "summe": true, "gesamt": true, "gesamtsumme": true, "grand total": true, "insgesamt": true,
	"overall": true, "totale": true, "totaal": true, "somme": true, "suma": true, "gesamtergebnis": true}

// cutTotals takes last rows away that look like sums or lines about the table; nil where there are none.
func (t *Table) cutTotals() *totals {
	found := &totals{}
	for len(t.Columns) > 2 && t.Rows > 3 && len(found.notes) < 10 {
		filled, last := t.filled(t.Rows - 1)
		if len(filled) != 1 || filled[0] != 0 || valueLike([]byte(last)) != cell.Text || isSumWord(last) {
			break
		}
		found.notes = append(found.notes, last)
		t.Rows--
		found.rows++
	}
	if t.Rows > 3 && len(t.Columns) > 1 {
		filled, _ := t.filled(t.Rows - 1)
		for _, j := range filled {
			if text := t.Text(t.Rows-1, j); isSumWord(text) {
				found.label = text
				t.Rows--
				found.rows++
				break
			}
		}
	}
	if found.rows == 0 {
		return nil
	}
	return found
}

// filled are the columns that a row has something in, and the last of these.
func (t *Table) filled(row int) (columns []int, last string) {
	t.text.scan(row, row+1, func(_ int, fields [][]byte) {
		for j, field := range fields[:min(len(fields), len(t.Columns))] {
			if text := trim(field); len(text) > 0 {
				columns, last = append(columns, j), string(text)
			}
		}
	})
	return columns, last
}

func isSumWord(text string) bool {
	return sumWords[strings.ToLower(strings.Trim(text, " :=.*"))]
}

// areTotals tells whether the row that is called a sum holds sums, or nothing beside numbers and its
// name.
func (t *Table) areTotals(found *totals) bool {
	if found.label == "" {
		return true
	}
	row, others := t.Rows, 0
	for j := range t.Columns {
		c := &t.Columns[j]
		text := t.Text(row, j)
		if text == "" || text == found.label {
			continue
		}
		if c.Kind != Number {
			others++
			continue
		}
		r := reading{kind: Number, marking: marking{comma: c.Comma}, unit: []byte(c.Unit)}
		v, fit := r.value([]byte(text), new(tally))
		if fit != fits {
			continue
		}
		sum, size := 0.0, 0.0
		for _, x := range spill.Each(c.Values) {
			if x == x {
				sum, size = sum+x, size+math.Abs(x)
			}
		}
		if math.Abs(v-sum) <= 1e-6*size+math.Pow(10, -float64(c.Decimals)) && !math.IsInf(size, 0) {
			return true
		}
	}
	return others == 0
}

// sentence says what was set aside.
func (f *totals) sentence() string {
	switch {
	case f.label != "" && len(f.notes) > 0:
		return sprintf("The last row (%s) holds sums and was set aside, and %s below it.", quoteShort(f.label), words.Plural(len(f.notes), "line"))
	case f.label != "":
		return sprintf("The last row (%s) holds sums and was set aside.", quoteShort(f.label))
	}
	slices.Reverse(f.notes)
	return sprintf("%s below the table %s set aside: %s.", words.Plural(len(f.notes), "line"), wasWere(len(f.notes)), quoteShort(strings.Join(f.notes, " / ")))
}
