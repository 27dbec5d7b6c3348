package check

import (
	"math"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
)

// amount writes a value of a column for a person: with its unit, its usual decimals, as a date or
// a word.
func amount(c *tolerant.Column, v float64) string {
	if v != v {
		return "missing"
	}
	switch c.Kind {
	case tolerant.Date:
		return dateText(c, v)
	case tolerant.Category, tolerant.Boolean:
		if k := int(v); k >= 0 && k < len(c.Levels) && float64(k) == v {
			return strconv.Quote(words.Clip(c.Levels[k]))
		}
	}
	v = c.Within(v)
	text := ""
	if math.Abs(v) < 1e15 {
		if exact := strconv.FormatFloat(v, 'f', -1, 64); len(exact) <= 12 || v == math.Trunc(v) {
			text = exact
		} else if size := math.Abs(v); (c.Decimals > 0 || size >= 1e6) && !(c.Decimals > 9 && size < 1e-9) { // of these so many decimals are no help
			text = strconv.FormatFloat(v, 'f', c.Decimals, 64)
		}
	}
	if text == "" {
		text = words.Short(v)
	}
	text = c.Marked(padded(text, c.Decimals))
	switch c.Unit {
	case "":
		return text
	case "$", "£", "€", "¥":
		if rest, negative := strings.CutPrefix(text, "-"); negative && !c.Comma {
			return "-" + c.Unit + rest
		}
		if !c.Comma {
			return c.Unit + text
		}
	}
	return text + " " + c.Unit
}

// inDecimals rounds what was calculated to the decimals of a column, where that leaves it two digits.
func inDecimals(c *tolerant.Column, v float64) float64 {
	unit := math.Pow10(c.Decimals)
	if c.Decimals == 0 || math.Abs(v)*unit < 10 || math.Abs(v)*unit > 1e15 {
		return v
	}
	return math.Round(v*unit) / unit
}

// asWritten is a cell as its file writes it, where that is a number or date of usual length.
func asWritten(t *tolerant.Table, row, column int) string {
	c := &t.Columns[column]
	if text := t.Text(row, column); c.Kind == tolerant.Date && text != "" && len(text) <= 32 && !strings.Contains(text, "\n") {
		return text
	} else if c.Kind == tolerant.Number && text != "" && len(text) <= 24 && !strings.ContainsAny(text, "eE\n") {
		if c.Above && c.Unit != "" {
			return text + " " + c.Unit
		}
		return text
	}
	return amount(c, c.Values[row])
}

// mostPadded is up to how many decimals a column is written with a fixed number of them; more are those of what was computed.
const mostPadded = 6

// padded gives a number that has decimals as many as its column has: 5402.70 among cents.
func padded(text string, decimals int) string {
	_, part, broken := strings.Cut(text, ".")
	if missing := decimals - len(part); broken && missing > 0 && decimals <= mostPadded && !strings.Contains(text, "e") {
		return text + strings.Repeat("0", missing)
	}
	return text
}

// dateText writes seconds since 1970 as the column does, the nearest that can be written so. A column whose writing is not known
// shows the time where there is one.
func dateText(c *tolerant.Column, seconds float64) string {
	if math.Abs(seconds) > 1e12 {
		return words.Short(seconds) + " s"
	}
	layout := c.Layout
	if layout == "" {
		layout = "2006-01-02 15:04:05"
		if math.Mod(seconds, 86400) == 0 {
			layout = "2006-01-02"
		}
	}
	if c.Wraps {
		seconds -= day * math.Floor(seconds/day)
	}
	return tolerant.FormatDate(layout, tolerant.NearestDate(layout, seconds))
}
