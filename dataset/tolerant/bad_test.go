package tolerant

import (
	"strings"
)

// rowsOf repeats a line with numbers in it.
func rowsOf(n int, line func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line(i) + "\n")
	}
	return b.String()
}
