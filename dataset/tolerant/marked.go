package tolerant

import (
	"bytes"
	"strings"
)

// Marked puts the column's own marks into a number: 1234.5 is 1.234,5 where others are written so.
func (c *Column) Marked(text string) string {
	if !c.Comma && c.Grouping == "" || strings.ContainsAny(text, "eEIN") {
		return text
	}
	sign := ""
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		sign, text = "-", rest
	}
	whole, part, broken := strings.Cut(text, ".")
	mark := "."
	if c.Comma {
		mark = ","
	}
	if c.Grouping != "" && c.Grouping != mark { // equal where two writings are mixed in a column
		for k := len(whole) - 3; k > 0; k -= 3 {
			whole = whole[:k] + c.Grouping + whole[k:]
		}
	}
	if broken {
		whole += mark + part
	}
	return sign + whole
}

// NumberAt is where the number of a cell stands, without its sign and unit; from is -1 where there is none.
func NumberAt(text string) (from, to int) {
	bare := bytes.TrimLeft([]byte(text), "<>=~≤≥≈-−–+( ")
	before := len(text) - len(bare)
	if from = firstDigit(bare); from < 0 {
		return -1, -1
	}
	end, _ := coreEnd(bare[from:])
	return before + from, before + from + end
}
