package tolerant

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// locale is what the whole file tells about writing where one column does not.
type locale struct {
	comma    bool   // more columns have decimal commas than points
	point    bool   // fewer
	dayFirst bool   // more columns of dates have the day first
	monthDay bool   // more columns have the month first
	steps    [3]int // pairs of neighbours in order of time in all columns that may be read in two ways

	earlierMarks, earlierOrder bool // as an earlier table tells
}

// localeOf collects what columns tell for certain.
func localeOf(columns []*survey) locale {
	commas, points, days, months := 0, 0, 0, 0
	var steps [3]int
	for _, s := range columns {
		if s.unordered > 0 && s.dayFirst == s.monthFirst {
			for o := range steps {
				steps[o] += s.steps[o]
			}
		}
		switch {
		case s.commas > s.points:
			commas++
		case s.points > s.commas:
			points++
		case s.pointsGroup():
			commas++
		}
		switch {
		case s.dayFirst > s.monthFirst:
			days++
		case s.monthFirst > s.dayFirst:
			months++
		}
	}
	return locale{comma: commas > points, point: points > commas, dayFirst: days > months, monthDay: months > days, steps: steps}
}

// fewestWhole different whole numbers below a thousand tell that points group the others, if they are wholeTimes those of more digits at least.
const fewestWhole, wholeTimes = 3, 20

// pointsGroup tells that points stand between thousands although each of them alone might be a decimal one, as in 430, 2.440 and 18.780:
// numbers with decimals would be whole below a thousand by accident only, and some would have one or two.
func (s *survey) pointsGroup() bool {
	if s.eitherPoints < fewestWhole || s.points+s.commas+s.eitherCommas > 0 {
		return false
	}
	whole, long := 0, 0
	for text := range s.texts {
		d, ok := undress([]byte(text))
		if digits := leadingDigits(d.core); !ok || digits != len(d.core) || string(d.core) == "0" {
			continue
		} else if digits > 3 {
			long++
		} else {
			whole++
		}
	}
	return whole >= max(fewestWhole, wholeTimes*long)
}

// decide says how to read a column from a sample of its cells, and fills in what the column says of
// its writing.
func decide(c *Column, s *survey, here locale, o *Options, forced Kind) reading {
	r := reading{kind: forced, missing: newMissing(o)}
	switch r.kind {
	case Empty:
		r.kind = s.kind()
	case Ignored:
		r.kind = Text
	}
	switch r.kind {
	case Number:
		s.decideNumber(c, &r, here, o)
	case Date:
		s.decideDate(c, &r, here, o)
	case Boolean:
		s.decideBoolean(c)
	}
	return r
}

// kind is what most cells are. Category, Identifier and Text are told apart later, by all cells.
func (s *survey) kind() Kind {
	_, withUnit := s.unit()
	numbers := s.bare + s.hexes
	if _, all := s.money(); all > withUnit {
		withUnit = all
	}
	if 5*withUnit >= 3*(s.numbers-s.bare) { // one unit and not the letters of codes
		numbers += withUnit
	}
	switch {
	case s.present == 0:
		return Empty
	case 2*s.dates >= s.present && s.dates >= numbers:
		return Date
	case 20*s.laps >= s.present && 10*(s.laps+s.bare) >= 9*s.present: // 59.84 and 1:00.12
		return Date
	case s.compact > 2 && s.compact == s.numbers && 10*s.compact >= 9*s.present && len(s.texts) > 2:
		return Date
	case s.truths > s.bare && 10*s.truths >= 9*s.present && (s.trues > 0 && s.trues < s.truths || s.spelled()):
		return Boolean
	case 2*numbers < s.present || s.codes(numbers):
		return Text
	case 2*s.long > s.present:
		return Identifier
	case s.zeros > 0 && 100*s.zeros >= s.present && s.points+s.commas+s.eitherPoints+s.eitherCommas == 0:
		return Text // 00123 is a code
	}
	return Number
}

// spelled tells that truths are words and not letters, so that even a column of one word is one of
// truths.
func (s *survey) spelled() bool {
	for text := range s.texts {
		if len(text) > 3 {
			if _, ok := truth([]byte(text)); ok {
				return true
			}
		}
	}
	return false
}

// codes tells whether numbers stand among words that come again and again, few in all, as sizes do: S, M, 38, 40.
func (s *survey) codes(numbers int) bool {
	words := s.present - numbers
	if 20*words < s.present || s.crowded || len(s.texts) > 20 || s.present <= 2*len(s.texts) {
		return false
	}
	again, kinds := 0, 0
	for text, n := range s.texts {
		if d, ok := undress([]byte(text)); ok && len(d.unit) == 0 {
			continue
		}
		kinds++
		if n > 1 {
			again++
		}
	}
	return again > 0 && 2*again >= kinds
}

func (s *survey) decideNumber(c *Column, r *reading, here locale, o *Options) {
	r.hex = 2*s.hexes > s.present
	known := false // from an earlier table
	switch {
	case o.Decimal != "":
		r.comma = o.Decimal == "comma"
	case s.commas != s.points:
		r.comma = s.commas > s.points
	default:
		if r.comma, known = o.earlier(c.Name).marks(); !known {
			r.comma, known = here.comma, here.earlierMarks
		}
	}
	r.decimal = o.Decimal == "" && s.points > 0 && s.commas > 0 && s.grouping["."]+s.grouping[","] == 0
	before := o.earlier(c.Name)
	if before != nil && before.Kind == Number && before.Unit != "" {
		r.unit, r.turned = []byte(before.Unit), true
		c.Unit, c.Above = before.Unit, len(s.units) == 0
	} else if unit, n := s.unit(); before != nil && multiplies(unit) {
		// 1k among plain numbers is a thousand or a slip
	} else if n > 0 && (4*n >= s.present || isMoney([]byte(unit)) || unit == "%") {
		r.unit, c.Unit, c.Above = []byte(unit), unit, 4*n < s.present    // few cells have it: others are not to be written with it
		if r.also = s.currencies(c); r.also != nil || 20*n < s.present { // which it is stands in the cells; so few may have come from elsewhere
			c.Unit = ""
		}
	}
	c.Comma = r.comma && s.commas+s.eitherCommas+s.eitherPoints > 0
	if mark, n := most(s.grouping); n >= s.ungrouped {
		c.Grouping = mark
	}
	c.Decimals, _ = most(s.decimals)
	if r.hex {
		c.remark("The numbers are hexadecimal.")
	}
	if o.Decimal != "" || s.commas+s.points > 0 {
		if r.decimal {
			return
		}
		if c.Grouping == "" && r.comma && s.eitherPoints > s.ungrouped {
			c.Grouping = "."
		} else if c.Grouping == "" && !r.comma && s.eitherCommas > s.ungrouped {
			c.Grouping = ","
		}
		return
	}
	remarks := len(c.Remarks)
	switch {
	case r.comma && s.pointsGroup():
		c.Grouping = "."
		c.remark("Points were taken for marks between thousands (%s), as whole numbers below a thousand stand beside them (--decimal point tells otherwise).", s.example('.'))
	case r.comma && s.eitherPoints > 0:
		c.Grouping = "."
		c.remark("Points were taken for marks between thousands (%s), as other columns have decimal commas (--decimal point tells otherwise).", s.example('.'))
	case r.comma && s.eitherCommas > 0:
		c.Decimals = 3
		c.remark("Commas were taken for decimal commas (%s), as in other columns; they could stand between thousands (--decimal point).", s.example(','))
	case s.eitherCommas > 0:
		c.Grouping = ","
		c.remark("Commas were taken for marks between thousands (%s); they could be decimal commas (--decimal comma).", s.example(','))
	case s.eitherPoints > 0:
		c.Decimals = 3
	}
	if known {
		c.Remarks = c.Remarks[:remarks]
	}
	if c.Grouping != "" && max(s.eitherPoints, s.eitherCommas) < s.ungrouped { // they are those of cells that came from elsewhere
		c.Grouping = ""
	}
}

// currencies are those beside the column's own that are no exception in it; they are named.
func (s *survey) currencies(c *Column) (also [][]byte) {
	counts, all := s.money()
	if len(counts) < 2 || !isMoney([]byte(c.Unit)) {
		return nil
	}
	var named []string
	for unit, n := range counts {
		if 20*n >= all {
			also = append(also, []byte(unit))
			named = append(named, sprintf("%s %.0f %%", unit, 100*float64(n)/float64(all)))
		}
	}
	if len(also) < 2 {
		return nil
	}
	slices.Sort(named)
	c.remark("There are several currencies (%s); the amounts were taken as they stand.", strings.Join(named, ", "))
	return also
}

// example is a cell whose mark may mean two things.
func (s *survey) example(mark byte) string {
	best := ""
	for text := range s.texts {
		if d, ok := undress([]byte(text)); ok && mayGroup(d.core, mark) && (best == "" || text < best) {
			best = text
		}
	}
	return strconv.Quote(best)
}

// decideBoolean finds the words.
func (s *survey) decideBoolean(c *Column) {
	c.Levels = []string{"", ""}
	for v := range c.Levels {
		counts := map[string]int{}
		for text, n := range s.texts {
			if t, ok := truth([]byte(text)); ok && int(t) == v {
				counts[text] = n
			}
		}
		if c.Levels[v], _ = most(counts); c.Levels[v] == "" {
			c.Levels[v] = [2]string{"false", "true"}[v]
		}
	}
}

// remark adds a sentence for a person.
func (c *Column) remark(format string, args ...any) {
	c.Remarks = append(c.Remarks, fmt.Sprintf(format, args...))
}
