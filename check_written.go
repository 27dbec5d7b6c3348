package inlier

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
)

// written is a value as a person reads it in its column: with the column's decimals, thousands and unit,
// as a date, as a word.
func written(c *tolerant.Column, v float64) string {
	text := bareText(c, v)
	if c.Kind != tolerant.Number || c.Unit == "" || c.Above || text == "" {
		return text
	}
	if leads(c.Unit) && !c.Comma {
		if rest, negative := strings.CutPrefix(text, "-"); negative {
			return "-" + c.Unit + rest
		}
		return c.Unit + text
	}
	return text + " " + c.Unit
}

// leads tells that a unit stands before its numbers where decimals stand behind a point.
func leads(unit string) bool {
	switch unit {
	case "$", "£", "¥", "€", "₹", "US$", "A$", "C$":
		return true
	}
	return false
}

// bareText is written without the unit.
func bareText(c *tolerant.Column, v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	switch c.Kind {
	case tolerant.Date:
		return dateText(c, v)
	case tolerant.Boolean, tolerant.Category:
		if k := int(math.Round(v)); k >= 0 && k < len(c.Levels) {
			return c.Levels[k]
		}
	}
	return c.Marked(plainNumber(c, c.Within(v)))
}

// plainNumber is a number with the column's decimals, or with four digits that count where
// these are not enough.
func plainNumber(c *tolerant.Column, v float64) string {
	size := math.Abs(v)
	if size >= 1e15 || size > 0 && size < 1e-9 {
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	decimals := c.Decimals
	if size > 0 && size < math.Pow10(-decimals) {
		decimals = 3 - int(math.Floor(math.Log10(size)))
	}
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if size < 1 && strings.Trim(text, "-0.") == "" {
		text = strings.TrimPrefix(text, "-")
	}
	return text
}

// dateText is a date as its column writes it.
func dateText(c *tolerant.Column, v float64) string {
	const farthest = 1e12 // seconds: years of five digits
	if math.Abs(v) > farthest {
		return strconv.FormatFloat(v, 'g', 6, 64) + " s since 1970"
	}
	layout := c.Layout
	if layout == "" {
		layout = time.DateOnly
	}
	v = asWritten(c, v)
	return tolerant.FormatDate(layout, tolerant.NearestDate(layout, v))
}

// finestDecimals are the most decimals that at least one in fifty of a column's numbers has; those of most in other columns.
func finestDecimals(c *tolerant.Column) int {
	const sample, most, share = 2000, 9, 50
	if c.Kind != tolerant.Number {
		return c.Decimals
	}
	var counts [most + 1]int
	seen := 0
	room := spill.Of(c.Values)
	for i, every := 0, len(c.Values)/sample+1; i < len(c.Values); i += every {
		room.Touched(1)
		if v := c.Values[i]; v == v {
			_, part, _ := strings.Cut(strconv.FormatFloat(v, 'f', -1, 64), ".")
			counts[min(len(part), most)]++
			seen++
		}
	}
	for d, above := most, 0; d > c.Decimals; d-- {
		if above += counts[d]; share*above >= seen {
			return d
		}
	}
	return c.Decimals
}

// refine finds out once how many decimals numbers of a column have.
func (r *CheckResult) refine(column int) {
	if r.finest[column] < 0 {
		r.finest[column] = finestDecimals(&r.Table.Columns[column])
	}
}

// fine is the column of a cell with the decimals that what is expected of it needs: the usual ones, or as many more as other
// numbers of the column have, where it can be written with them or is known more sharply than without.
func (r *CheckResult) fine(c *check.Cell) *tolerant.Column {
	column := &r.Table.Columns[c.Column]
	finest := 0
	if c.Column < len(r.finest) {
		finest = r.finest[c.Column]
	}
	if column.Kind != tolerant.Number || finest <= column.Decimals || math.IsNaN(c.Expected) || math.Abs(c.Expected) > 1e15 {
		return column
	}
	finer := *column
	for d := column.Decimals; d <= finest; d++ {
		unit := math.Pow10(d)
		if math.Abs(math.Round(c.Expected*unit)/unit-c.Expected) <= 1e-9*math.Abs(c.Expected) {
			finer.Decimals = d
			return &finer
		}
	}
	for finer.Decimals < finest && 10*math.Pow10(-finer.Decimals) > c.High-c.Low {
		finer.Decimals++
	}
	return &finer
}
