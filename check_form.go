package inlier

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// form is what the texts of a column have that its numbers do not tell. The zero value is nothing of the kind.
type form struct {
	known   bool
	mark    string // between a number and its power of ten, e or E; empty where most are written without
	digits  int    // behind the point, of most of these
	power   int    // digits of the power at least
	signed  bool   // a power above 0 has a +
	oneHour bool   // hours below 10 have one digit
}

// formRows is how many cells tell the form of a column.
const formRows = 100

// formOf is the form of a column's cells.
func formOf(t *tolerant.Table, column int) form {
	c := &t.Columns[column]
	f := form{known: true}
	times := c.Kind == tolerant.Date && strings.HasPrefix(c.Layout, "15:") && !strings.Contains(c.Layout, "06")
	if c.Kind != tolerant.Number && !times {
		return f
	}
	asked, with, short := 0, 0, 0
	digits := map[int]int{}
	for row := 0; row < t.Rows; row += t.Rows/formRows + 1 {
		t.Room().Touched(1)
		text := strings.TrimSpace(t.Text(row, column))
		if times {
			switch hours, _, _ := strings.Cut(text, ":"); {
			case len(hours) == 1:
				short++
			case strings.HasPrefix(hours, "0"):
				asked++
			}
			continue
		}
		from, to := tolerant.NumberAt(text)
		if from < 0 {
			continue
		}
		asked++
		if at := strings.IndexAny(text[from:to], "eE"); at > 0 {
			number, power := text[from:from+at], text[from+at+1:to]
			f.mark, f.signed = text[from+at:from+at+1], f.signed || strings.HasPrefix(power, "+")
			f.power = max(f.power, len(strings.TrimLeft(power, "+-")))
			with++
			digits[len(number)-1-strings.IndexAny(number+".", ".,")]++
		}
	}
	for d, count := range digits {
		if count > digits[f.digits] || count == digits[f.digits] && d > f.digits {
			f.digits = d
		}
	}
	f.digits = max(f.digits, 0)
	f.oneHour = short > asked
	if 2*with <= asked {
		f.mark = ""
	}
	return f
}

// text is a number with a power of ten.
func (f form) text(v float64, comma bool) string {
	text := strconv.FormatFloat(v, 'e', f.digits, 64)
	number, power, _ := strings.Cut(text, "e")
	n, _ := strconv.Atoi(power)
	sign := ""
	switch {
	case n < 0:
		sign = "-"
	case f.signed:
		sign = "+"
	}
	if comma {
		number = strings.Replace(number, ".", ",", 1)
	}
	return number + f.mark + sign + fmt.Sprintf("%0*d", f.power, int(math.Abs(float64(n))))
}
