package tolerant

import (
	"strconv"
	"strings"
)

// decideDate finds the order of day and month, and how dates are written.
func (s *survey) decideDate(c *Column, r *reading, here locale, o *Options) {
	r.compact = s.compact > s.dates
	r.spans = 10*s.durations >= s.dates
	before := o.earlier(c.Name)
	r.laps = 2*s.laps > s.dates || before != nil && before.Lap()
	usual, known := before.order()
	switch {
	case o.DateOrder != "":
		r.order = map[string]order{"mdy": monthFirst, "dmy": dayFirst, "ymd": yearFirst}[o.DateOrder]
	case known && usual == yearFirst && 2*s.short > s.dates && s.yearLast == 0:
		r.order = yearFirst
	case s.beginWithYears() && !known:
		r.order = yearFirst
		c.remark("Dates such as %s were taken to begin with the year (--as %s=dmy tells otherwise).", s.shortExample(), c.Name)
	case s.dayFirst != s.monthFirst:
		if s.dayFirst > s.monthFirst {
			r.order = dayFirst
		}
	case s.unordered > 0 && known && usual != yearFirst:
		r.order = usual
	case s.unordered > 0:
		why := ""
		switch {
		case here.dayFirst || here.monthDay:
			if why = "as in other columns"; here.earlierOrder {
				why = "as in the table that was learned from"
			}
			if here.dayFirst {
				r.order = dayFirst
			}
		case here.steps[dayFirst] != here.steps[monthFirst]:
			why = "because the rows are better in order of time that way"
			if here.steps[dayFirst] > here.steps[monthFirst] {
				r.order = dayFirst
			}
		case here.comma || s.dashed():
			why = "as where decimal commas or dashes are written"
			r.order = dayFirst
		default:
			why = "as in the United States"
		}
		words, other := "the month", DayFirst
		if r.order == dayFirst {
			words, other = "the day", MonthFirst
		}
		c.remark("Dates such as %s can be read in two ways; %s was taken to stand first, %s (--as %s=%s tells otherwise).", s.unorderedExample(), words, why, c.Name, other)
	}
	c.Layout, _ = most(s.layouts[r.order])
	if c.Layout == "" && r.laps && before != nil { // 59.84 alone
		c.Layout = before.Layout
	}
	r.lasting = strings.HasPrefix(c.Layout, "15h04m")
	r.comma = r.laps && strings.Contains(c.Layout, ",")
	for _, bare := range []string{unpadded.Replace(c.Layout), dayUnpadded.Replace(c.Layout), monthUnpadded.Replace(c.Layout)} {
		if bare != c.Layout && s.layouts[r.order][bare] > 0 { // 1/2/2024 is written without zeros, and 10/12/2024 does not tell
			c.Layout = unpadded.Replace(c.Layout)
			break
		}
	}
	if c.Layout == "" && r.compact {
		c.Layout = "20060102"
		for text := range s.texts {
			if len(text) == 14 {
				c.Layout = "20060102150405"
			}
		}
	}
}

var (
	unpadded      = strings.NewReplacer("02", "2", "01", "1")
	dayUnpadded   = strings.NewReplacer("02", "2")
	monthUnpadded = strings.NewReplacer("01", "1")
)

// beginWithYears tells that dates such as 24-01-31 have the year first: all of them can, some must, or their last
// numbers vary as days do and the first ones do not.
func (s *survey) beginWithYears() bool {
	if 2*s.short <= s.dates || s.yearFirst < s.short || s.yearLast > 0 {
		return false
	}
	for v := range s.ends[0] {
		if v > 31 || v == 0 {
			return true
		}
	}
	return s.dayFirst+s.monthFirst > 0 && len(s.ends[1]) > 2*len(s.ends[0])
}

func (s *survey) shortExample() string {
	best := ""
	for text := range s.texts {
		if stamp, ok := parseStamp([]byte(text)); ok && stamp.isShort() && (best == "" || text < best) {
			best = text
		}
	}
	return strconv.Quote(best)
}

// dashed tells that dates such as 03-04-2024 have dashes.
func (s *survey) dashed() bool {
	layout, _ := most(s.layouts[dayFirst])
	return strings.Contains(layout, "02-01") || strings.Contains(layout, "2-1")
}

func (s *survey) unorderedExample() string {
	best := ""
	for text := range s.texts {
		if stamp, ok := parseStamp([]byte(text)); ok && stamp.sep != '.' {
			if a, b, matters := stamp.ordered(); matters && a <= 12 && b <= 12 && a != b && (best == "" || text < best) {
				best = text
			}
		}
	}
	return strconv.Quote(best)
}
