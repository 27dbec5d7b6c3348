package check

import (
	"math"
	"strconv"
	"strings"
	"time"

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
		return dateText(c.Layout, v)
	case tolerant.Category, tolerant.Boolean:
		if k := int(v); k >= 0 && k < len(c.Levels) && float64(k) == v {
			return strconv.Quote(words.Clip(c.Levels[k]))
		}
	}
	text := words.Short(v)
	if math.Abs(v) < 1e15 {
		if exact := strconv.FormatFloat(v, 'f', -1, 64); len(exact) <= 12 || v == math.Trunc(v) {
			text = exact
		} else if c.Decimals > 0 || math.Abs(v) >= 1e6 {
			text = strconv.FormatFloat(v, 'f', c.Decimals, 64)
		}
	}
	text = c.Marked(text)
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

// asWritten is a cell as its file writes it, where that is a number of usual length.
func asWritten(t *tolerant.Table, row, column int) string {
	c := &t.Columns[column]
	if text := t.Text(row, column); c.Kind == tolerant.Number && text != "" && len(text) <= 24 && !strings.ContainsAny(text, "eE\n") {
		if c.Above {
			return text + " " + c.Unit
		}
		return text
	}
	return amount(c, c.Values[row])
}

// dateText writes seconds since 1970 as finely as the column does: days without a time of day, times
// of day without a date. A column whose writing is not known shows the time where there is one.
func dateText(layout string, seconds float64) string {
	if math.Abs(seconds) > 1e12 {
		return words.Short(seconds) + " s"
	}
	hasDay, hasTime := strings.Contains(layout, "06"), strings.Contains(layout, "04")
	if hasDay && !hasTime {
		seconds = 86400 * math.Round(seconds/86400)
	}
	if hasTime && !strings.Contains(layout, "05") {
		seconds = 60 * math.Round(seconds/60)
	}
	whole := math.Floor(seconds)
	at := time.Unix(int64(whole), int64((seconds-whole)*1e9)).UTC()
	switch {
	case hasTime && !hasDay && strings.Contains(layout, "05"):
		return at.Format("15:04:05")
	case hasTime && !hasDay:
		return at.Format("15:04")
	case at.Hour() == 0 && at.Minute() == 0 && at.Second() == 0:
		return at.Format("2006-01-02")
	}
	return at.Format("2006-01-02 15:04:05")
}
