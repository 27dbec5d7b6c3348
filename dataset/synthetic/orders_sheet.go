package synthetic

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
)

// orderHeads are the columns of the sheet; two of them have one name.
var orderHeads = []string{"order id", "date", "customer", "product", "country", "quantity", "unit price", "discount", "net", "vat rate", "vat", "total",
	"weight", "shipping", "date", "payment", "paid", "note"}

// orderPlace says where a column of numbers stands in the sheet.
var orderPlace = [orderColumns]int{1, 14, 5, 6, 7, 8, 9, 10, 11, 12, 13}

// sheet writes the orders as a person in that country would have them.
func (c *Orders) sheet(ctx context.Context, x *mat.Dense, beside []orderWords, truth *Truth, seed uint64) *Sheet {
	s := &Sheet{Columns: orderHeads, Delimiter: ",", LineEnd: "\n", Rows: make([][]string, c.N)}
	europe := c.Writing == "europe"
	if europe {
		s.Delimiter, s.LineEnd, s.Mark = ";", "\r\n", true
	}
	r := dataset.Random(seed, "orders words")
	lands := orderLands[c.land()]
	first := time.Date(2025, 1, 6, 0, 0, 0, 0, time.UTC)
	notes := []string{"leave at the door", "call before delivery", "gift wrap, please", "second delivery after complaint", "contact reception on floor 3", "new address since spring"}
	for i := range each(ctx, len(s.Rows)) {
		v, w := x.RawRowView(i), beside[i]
		cells := make([]string, len(orderHeads))
		cells[0] = fmt.Sprintf("A-%06d", 104200+i*3+i%2)
		cells[2] = fmt.Sprintf("C%05d", 10000+r.IntN(max(50, c.N/3)))
		cells[3], cells[4], cells[15] = orderProducts[w.product], lands[w.country], orderPayments[w.payment]
		cells[16] = []string{"yes", "no"}[min(1, r.IntN(8)/7)]
		if r.IntN(4) == 0 {
			cells[17] = notes[r.IntN(len(notes))] + " " + strconv.Itoa(1+r.IntN(400))
		}
		for j, value := range v {
			cells[orderPlace[j]] = c.written(j, value, first, r)
		}
		s.Rows[i] = cells
	}
	if ctx.Err() != nil {
		return nil
	}
	c.misspell(s, truth, r)
	c.rename(truth)
	return s
}

// written is a number as the column writes it; what is missing is left empty or marked.
func (c *Orders) written(column int, v float64, first time.Time, r *rand.Rand) string {
	if math.IsNaN(v) {
		return []string{"", "n/a", "-"}[r.IntN(3)]
	}
	europe := c.Writing == "europe"
	switch column {
	case orderOrdered, orderShipped:
		day := first.AddDate(0, 0, int(v))
		if europe {
			return day.Format("02.01.2006")
		}
		return day.Format("01/02/2006")
	case orderQuantity:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case orderDiscount, orderRate:
		text := strconv.FormatFloat(v, 'f', -1, 64)
		if europe {
			text = strings.ReplaceAll(text, ".", ",")
		}
		return text + " %"
	case orderWeight:
		return amount(v, europe) + " kg"
	}
	if europe {
		return amount(v, true) + " €"
	}
	if v < 0 {
		return "-$" + amount(-v, false)
	}
	return "$" + amount(v, false)
}

// amount writes a number with two decimals and thousands set apart.
func amount(v float64, europe bool) string {
	text := strconv.FormatFloat(math.Abs(v), 'f', 2, 64)
	whole, part := text[:len(text)-3], text[len(text)-2:]
	group, point := ",", "."
	if europe {
		group, point = ".", ","
	}
	for k := len(whole) - 3; k > 0; k -= 3 {
		whole = whole[:k] + group + whole[k:]
	}
	if v < 0 {
		whole = "-" + whole
	}
	return whole + point + part
}

// misspell spoils words in rows that are right so far.
func (c *Orders) misspell(s *Sheet, truth *Truth, r *rand.Rand) {
	left := share(c.Words, c.N)
	for _, i := range r.Perm(c.N) {
		if left == 0 {
			return
		}
		if truth.Outlier[i] {
			continue
		}
		left--
		truth.Outlier[i] = true
		if r.IntN(2) == 0 {
			j := []int{3, 4, 15}[r.IntN(3)]
			word := s.Rows[i][j]
			at := 1 + r.IntN(len(word)-2)
			s.Rows[i][j] = word[:at] + word[at+1:at+2] + word[at:at+1] + word[at+2:] // two letters exchanged
			if s.Rows[i][j] == word {
				s.Rows[i][j] = word[:at] + word[at+1:]
			}
			truth.Note[i], truth.Guilty[i] = "typo", s.Columns[j]
			continue
		}
		j := []int{8, 12, 13}[r.IntN(3)]
		s.Rows[i][j] = []string{"see invoice", "ca. 20", "unknown!", "12..5"}[r.IntN(4)]
		truth.Note[i], truth.Guilty[i] = "unreadable", s.Columns[j]
	}
}

// rename gives guilty columns the names that they have in the sheet.
func (c *Orders) rename(truth *Truth) {
	for i, name := range truth.Guilty {
		if name == orderNames[orderShipped] {
			truth.Guilty[i] = "date (2)"
		}
	}
}
