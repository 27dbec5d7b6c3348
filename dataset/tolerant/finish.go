package tolerant

import (
	"math"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/words"
)

// finish fills in what is known of a column when all its cells have been read.
func (t *Table) finish(j int, s *survey, r *reading, all *tally, o *Options, forced Kind) {
	c := &t.Columns[j]
	if c.Name != c.Given && c.Given != "" {
		c.remark("The name %q stands over more than one column.", c.Given)
	}
	c.Kind, c.Missing, c.Misfits = r.kind, all.missing, all.misfits
	t.findMarks(j, o)
	present := t.Rows - c.Missing
	c.Sure = 1
	if present > 0 {
		c.Sure = float64(present-len(c.Misfits)) / float64(present)
	}
	switch c.Kind {
	case Empty:
		c.Values = nil
		if t.Rows > 0 {
			c.remark("There is no value in the column.")
		}
	case Number:
		if all.otherwise > 0 {
			c.remark("%s written with the other decimal mark.", countCells(all.otherwise))
		}
		if with := present - len(c.Misfits) - all.bare; c.Unit == "" && c.Above && with > 0 {
			c.remark("%s %q and the others no unit; they were taken for the same.", have(with), r.unit)
		} else if all.bare > 0 && with > 0 {
			c.remark("%s no %q; they were taken for the same unit.", have(all.bare), r.unit)
		}
		if all.turned > 0 {
			c.remark("%s in another unit and turned into %q, in which the column was learned.", countCells(all.turned), r.unit)
		}
		if all.limits > 0 {
			c.remark("%s only a limit or about a number, such as <0.1; the number was taken.", countCells(all.limits))
		}
		c.finishNumber(s, o, forced)
	case Date:
		if all.dayFirst > 0 && all.monthFirst > 0 {
			c.remark("Most dates have %s first, but %s can only be read the other way round.", []string{"the month", "the day", "the year"}[r.order],
				words.Plural(min(all.dayFirst, all.monthFirst), "cell"))
		}
	case Category, Identifier, Text:
		t.finishText(j, s, forced)
	}
	if c.Kind != Empty {
		c.Override = c.Name + "=" + alternative(c, s).String()
	}
	if n := len(c.Misfits); n > 0 {
		c.remark("%s not fit, such as %s.", do(n), quoteShort(t.Text(c.Misfits[0], j)))
	}
}

func countCells(n int) string {
	if n == 1 {
		return "1 cell is"
	}
	return words.Plural(n, "cell") + " are"
}

func have(n int) string {
	if n == 1 {
		return "1 cell has"
	}
	return words.Plural(n, "cell") + " have"
}

func do(n int) string {
	if n == 1 {
		return "1 cell does"
	}
	return words.Plural(n, "cell") + " do"
}

func quoteShort(text string) string { return "\"" + words.Shortened(words.OneLine(text)) + "\"" }

// alternative is what the column would most likely be if it is not what it was taken for.
func alternative(c *Column, s *survey) Kind {
	switch {
	case c.Kind == Number, c.Kind == Boolean, c.Kind == Text:
		return Category
	case c.Kind == Identifier && 2*s.numbers > s.present:
		return Number
	case c.Kind == Identifier:
		return Category
	}
	return Text
}

func (c *Column) finishNumber(s *survey, o *Options, forced Kind) {
	c.findSentinels(o)
	if forced == Empty {
		if why := c.namesRows(); why != "" {
			c.Kind, c.Values = Identifier, nil
			c.remark("%s", why)
			return
		}
	}
	if n := fewCodes(c.Values); n > 0 {
		c.remark("There are only %d different numbers; they could be codes.", n)
	}
}

// fewCodes counts the different values where they are few, whole and come again and again; otherwise it is 0.
func fewCodes(values []float64) int {
	const few, again = 10, 10
	var seen []float64
	n := 0
	for _, v := range spill.Each(values) {
		if v != v {
			continue
		}
		n++
		if slices.Contains(seen, v) {
			continue
		}
		if seen = append(seen, v); len(seen) > few || v != math.Trunc(v) {
			return 0
		}
	}
	if len(seen) < 3 || n < again*len(seen) {
		return 0
	}
	return len(seen)
}

// idNames are words in names of columns that only tell rows apart.
var idNames = map[string]bool{"id": true, "ids": true, "nr": true, "no": true, "key": true, "index": true, "idx": true, "uuid": true, "guid": true, "row": true, "lfd": true,
	"ean": true, "isbn": true, "sku": true, "number": true, "nummer": true, "code": true, "pk": true, "record": true, "serial": true, "rowid": true, "phone": true, "tel": true, "telefon": true}

// namedAsID tells whether a name says that the column tells rows apart: id, order_no, OrderID, "Lfd. Nr.".
func namedAsID(name string) bool {
	for _, word := range nameWords(name) {
		lower := strings.ToLower(word)
		if idNames[lower] || len(word) > 2 && (strings.HasSuffix(word, "ID") || strings.HasSuffix(word, "Id") || strings.HasSuffix(word, "Nr") || strings.HasSuffix(word, "No")) || strings.HasSuffix(lower, "nummer") {
			return true
		}
	}
	return strings.ContainsRune(name, '#')
}

// timeNames are words in names of columns whose numbers count years, days or steps: they have an order, and are no names.
var timeNames = map[string]bool{"year": true, "years": true, "yr": true, "jahr": true, "année": true, "annee": true, "año": true, "anno": true, "ano": true, "jaar": true, "month": true, "monat": true,
	"week": true, "woche": true, "day": true, "days": true, "tag": true, "tage": true, "hour": true, "hours": true, "minute": true, "second": true, "seconds": true, "time": true, "zeit": true, "t": true,
	"step": true, "age": true, "alter": true, "epoch": true}

func namedAsTime(name string) bool {
	for _, word := range nameWords(name) {
		if timeNames[strings.ToLower(word)] {
			return true
		}
	}
	return false
}

func nameWords(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" _-./#()[]", r) })
}

// namesRows says why whole numbers only tell rows apart; empty where they do not.
func (c *Column) namesRows() string {
	lowest, highest, n := math.Inf(1), math.Inf(-1), 0
	for _, v := range spill.Each(c.Values) {
		if v != v {
			continue
		}
		if v != math.Trunc(v) || v < 0 {
			return ""
		}
		lowest, highest = min(lowest, v), max(highest, v)
		n++
	}
	named := namedAsID(c.Name)
	counts := n >= 20 && highest-lowest < 1.1*float64(n)+5 && !(lowest >= 1800 && highest <= 2100)
	large := n >= 20 && lowest >= 1e11 && !(lowest > 9e11 && highest < 2.3e12) // not milliseconds of our time
	if c.Unit != "" || n < 5 || !named && namedAsTime(c.Name) || !named && !counts && !large {
		return ""
	}
	sorted := spill.Make[float64](spill.Of(c.Values), n)[:0]
	defer spill.Free(sorted)
	for _, v := range spill.Each(c.Values) {
		if v == v {
			sorted = append(sorted, v)
		}
	}
	spill.Sort(sorted)
	distinct := len(slices.Compact(sorted))
	switch {
	case 100*distinct < 90*n || !named && 100*distinct < 98*n:
		return ""
	case counts:
		return "The numbers count the rows, so they are kept apart as their names."
	case distinct == n:
		return "Every row has another number, so they are kept apart as names of the rows."
	}
	return "Nearly every row has another number, so they are kept apart as names of the rows."
}
