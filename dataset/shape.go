package dataset

import (
	"strconv"
	"strings"
)

// ParseShape reads a shape such as "64x64" or "32x32x3". Empty text is no shape.
func ParseShape(text string) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	var shape []int
	product := 1
	for part := range strings.SplitSeq(strings.ToLower(text), "x") {
		n, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || n < 1 || n > 1<<30 || product > (1<<40)/n {
			return nil, Problem("", "shape %q is not a list of lengths such as 64x64 or 64x64x3", text)
		}
		product *= n
		shape = append(shape, n)
	}
	return shape, nil
}

// FormatShape is the text that ParseShape reads back.
func FormatShape(shape []int) string {
	var b strings.Builder
	for i, n := range shape {
		if i > 0 {
			b.WriteByte('x')
		}
		b.WriteString(strconv.Itoa(n))
	}
	return b.String()
}

// Volume is the number of entries of a sample of the shape.
func Volume(shape []int) int {
	v := 1
	for _, n := range shape {
		v *= n
	}
	return v
}
