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
	case c.Kind == tolerant.Date:
		v /= 86400
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}
