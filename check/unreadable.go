package check

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/words"
)

// misfitsSurely is the share of cells up to which those that do not fit their column are wrong, one of them
// whatever their share; beyond, the column may have been taken for the wrong thing.
const misfitsSurely = 0.1

// lawful is the share up to which a law, of numbers that are rounded, may differ from what another unit gives, which is exact.
const lawful = 0.01

// sentinelsAtMost is the share of rows up to which a number that stands for a missing value is a
// mistake; more of them are a habit.
const sentinelsAtMost = 0.01

// unreadable is the part for cells whose text does not fit what their column was taken for.
func unreadable(_ context.Context, v *view) (Evidence, error) {
	out := Evidence{Part: PartUnread}
	t := v.table
	gives := func(int, int) (float64, string) { return math.NaN(), "" }
	if v.laws != nil {
		gives = v.laws.gives(t)
	}
	for c := range t.Columns {
		column := &t.Columns[c]
		there := t.Rows - column.Missing
		surely := float64(len(column.Misfits)) <= misfitsSurely*float64(there) || len(column.Misfits) == 1 && there > 2 || v.learned != nil && readable(&v.learned.Columns[c])
		for _, row := range column.Misfits {
			text := t.Text(row, c)
			s := Suspicion{Row: row, Column: c, Certain: surely, Expected: math.NaN(), Low: math.NaN(), High: math.NaN()}
			if !s.Certain {
				s.P = 0.02
			}
			s.Why = fmt.Sprintf("%s %s is not %s", words.Clip(column.Name), strconv.Quote(words.Clip(text)), kindText(column.Kind))
			if meant, ok := meantNumber(text, column); ok {
				s.Expected = meant
				s.Why += ", perhaps " + amount(column, meant)
			}
			same := false
			if meant, unit, other := column.OtherUnit(text); other && column.Kind == tolerant.Number && column.Unit != "" {
				s.Expected, same = meant, true
				s.Why = fmt.Sprintf("%s %s is in %s, not in %s", words.Clip(column.Name), strconv.Quote(words.Clip(text)), unit, column.Unit)
				if meant == meant {
					s.Expected = inDecimals(column, meant)
					s.Why += ": " + amount(column, s.Expected)
				}
			}
			if meant, law := gives(row, c); meant == meant && column.Kind == tolerant.Number && !(same && math.Abs(s.Expected-meant) <= lawful*math.Abs(meant)) {
				s.Expected = meant
				s.Why = fmt.Sprintf("%s %s is not %s; %s gives %s", words.Clip(column.Name), strconv.Quote(words.Clip(text)), kindText(column.Kind), law, amount(column, meant))
			}
			out.Cells = append(out.Cells, s)
		}
	}
	out.Cells = append(out.Cells, sentinelCells(t, gives)...)
	return out, nil
}

// sentinelCells are numbers such as -999 that were taken for missing where they are so few that
// they are not the column's way to say so.
func sentinelCells(t *tolerant.Table, gives func(row, column int) (float64, string)) (cells []Suspicion) {
	for c := range t.Columns {
		column := &t.Columns[c]
		var rows []int
		for _, mark := range column.Sentinels {
			rows = append(rows, marked(t, c, mark)...)
		}
		if float64(len(rows)) > sentinelsAtMost*float64(t.Rows) {
			continue
		}
		for _, row := range rows {
			s := Suspicion{Row: row, Column: c, P: 1e-5, Slip: standsForMissing, Low: math.NaN(), High: math.NaN(),
				Why: fmt.Sprintf("%s %s stands for a missing value", words.Clip(column.Name), words.Clip(t.Text(row, c)))}
			var law string
			if s.Expected, law = gives(row, c); law != "" {
				s.Why += fmt.Sprintf("; %s gives %s", law, amount(column, s.Expected))
			}
			cells = append(cells, s)
		}
	}
	return cells
}

// readable tells that hardly a cell of a learned column was missing or did not fit, so that what the column is
// stands fast, however few rows a new batch has.
func readable(c *tolerant.Column) bool {
	lost := 0
	for _, v := range c.Values {
		if v != v {
			lost++
		}
	}
	return c.Values != nil && float64(lost) <= misfitsSurely*float64(len(c.Values))
}

func kindText(k tolerant.Kind) string {
	switch k {
	case tolerant.Number:
		return "a number"
	case tolerant.Date:
		return "a date"
	case tolerant.Boolean:
		return "one of the column's two words"
	}
	return "like the rest of its column"
}

// letters are what is typed or scanned in place of digits.
var letters = strings.NewReplacer("O", "0", "o", "0", "l", "1", "I", "1", "|", "1", "S", "5", "B", "8")

// meantNumber finds the one number in a text: "ca. 20", "12..5", "1O0". With a unit or word behind it that the column does not have it is meant where
// a hundredth of the column is as small and as large: 1.72 m among heights without units is no height of 1.72, but "20 pieces" are 20.
func meantNumber(text string, c *tolerant.Column) (float64, bool) {
	if c.Kind != tolerant.Number || len(text) > 40 {
		return 0, false
	}
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(text, c.Unit), c.Unit))
	_, _, measured := c.OtherUnit(text)
	mark, group := ".", ","
	if c.Comma {
		mark, group = ",", "."
	}
	inDigits := func(text string) (float64, bool) {
		if strings.Contains(text, group+group) && !strings.Contains(text, mark) { // typed twice: no thousands are
			text = strings.ReplaceAll(text, group+group, mark)
		}
		text = strings.ReplaceAll(text, group, "")
		for strings.Contains(text, mark+mark) {
			text = strings.ReplaceAll(text, mark+mark, mark)
		}
		text = strings.ReplaceAll(text, mark, ".")
		v, err := strconv.ParseFloat(text, 64)
		return v, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
	}
	if !measured && strings.ContainsAny(text, "0123456789") {
		if v, ok := inDigits(letters.Replace(text)); ok {
			return v, true
		}
	}
	var number string
	for _, field := range strings.FieldsFunc(text, func(r rune) bool {
		return (r < '0' || r > '9') && !strings.ContainsRune("-.,", r)
	}) {
		if strings.ContainsAny(field, "0123456789") {
			if number != "" {
				return 0, false // two numbers
			}
			number = field
		}
	}
	if number == "" {
		return 0, false
	}
	v, ok := inDigits(strings.TrimRight(number, ".,-"))
	if ok && (measured || !strings.HasSuffix(text, number)) {
		ok = among(v, c.Values)
	}
	return v, ok
}

// among tells whether a value lies between others, of which a hundredth stands on either side.
func among(v float64, values []float64) bool {
	below, above, few := 0, 0, 1+len(values)/100
	for _, o := range spill.Each(values) {
		if o <= v {
			below++
		}
		if o >= v {
			above++
		}
		if below >= few && above >= few {
			return true
		}
	}
	return false
}
