package inlier

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/inlier-ml/inlier/dataset/tolerant"
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
	return c.Marked(plainNumber(c, v))
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
	if strings.Trim(text, "-0.") == "" {
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
	return tolerant.FormatDate(layout, tolerant.NearestDate(layout, v))
}
