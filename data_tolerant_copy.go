package inlier

import (
	"math"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// write makes the clean copy.
func (t *tolerated) write() []byte {
	var b []byte
	if t.number != "" {
		b = append(appendField(b, t.number), ',')
	}
	for k, j := range t.used {
		if k > 0 {
			b = append(b, ',')
		}
		b = appendField(b, t.Columns[j].Name)
	}
	b = append(b, '\n')
	for _, i := range t.rows {
		if t.number != "" {
			b = append(strconv.AppendInt(b, int64(i+1), 10), ',')
		}
		for k, j := range t.used {
			if k > 0 {
				b = append(b, ',')
			}
			b = t.appendCell(b, i, j)
		}
		if len(t.used) == 1 && b[len(b)-1] == '\n' { // an empty line is no row
			b = append(b, `""`...)
		}
		b = append(b, '\n')
	}
	return b
}

var oneLine = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ")

func (t *tolerated) appendCell(b []byte, row, j int) []byte {
	c := &t.Columns[j]
	if t.texts[j] {
		if c.Values != nil && math.IsNaN(c.Values[row]) {
			return b
		}
		return appendField(b, oneLine.Replace(t.Text(row, j)))
	}
	v := math.NaN()
	if c.Values != nil {
		v = c.Values[row]
	}
	switch {
	case math.IsNaN(v):
		return b
	case c.Kind == tolerant.Date && t.needs.Dates && t.needs.Text:
		layout := c.PlainLayout()
		return appendField(b, tolerant.FormatDate(layout, tolerant.NearestDate(layout, v)))
	case c.Kind == tolerant.Date:
		v /= 86400
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}

// tell says what the cells of a column are changed to.
func (t *tolerated) tell(about *ReadColumn, j int) {
	c := &t.Columns[j]
	switch {
	case t.texts[j]:
	case c.Kind == tolerant.Date && t.needs.Dates:
		about.layout = c.PlainLayout()
		if about.layout != c.Layout {
			about.Becomes = "dates such as " + plainExample(c, about.layout)
		}
	case c.Kind == tolerant.Date:
		about.Becomes = "days since 1970"
	case c.Kind == tolerant.Boolean:
		about.Becomes = "1 for " + c.Levels[1] + ", 0 for " + c.Levels[0]
	case c.Kind == tolerant.Number && c.Unit != "" && !c.Above:
		about.Becomes = "numbers without " + c.Unit
	case c.Kind == tolerant.Number && (c.Comma || c.Grouping != ""):
		about.Becomes = "numbers with decimal points, thousands unmarked"
	}
}

// plainExample is the first date of a column in a layout.
func plainExample(c *tolerant.Column, layout string) string {
	for _, v := range c.Values {
		if v == v {
			return tolerant.FormatDate(layout, tolerant.NearestDate(layout, v))
		}
	}
	return layout
}
