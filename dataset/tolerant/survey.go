package tolerant

import (
	"bytes"

	"github.com/inlier-ml/inlier/dataset/internal/cell"
)

// survey is what a sample of a column's cells looks like.
type survey struct {
	present, absent int
	texts           map[string]int // how often each cell comes; not all where there are very many
	crowded         bool           // there are
	bytes, blanks   int            // of the cells

	numbers      int            // read as numbers, whatever their unit
	bare         int            // of these without a unit
	units        map[string]int // of the others
	points       int            // certainly with a decimal point, or commas between thousands
	commas       int            // certainly with a decimal comma, or points between thousands
	eitherPoints int            // 1.234
	eitherCommas int            // 1,234
	grouping     map[string]int
	ungrouped    int // of four and more digits with nothing between thousands
	decimals     map[int]int
	zeros        int // whole numbers that begin with 0, such as 00123
	long         int // whole numbers of more than 15 digits
	hexes        int // 0x1F

	dates      int // not counting those that are numbers as well
	compact    int // 20240131
	dayFirst   int // 31/01/2024
	monthFirst int // 01/31/2024
	unordered  int // 03/04/2024
	layouts    [3]map[string]int
	steps      [3]int // pairs of neighbours in order of time among those that may be read in two ways, by the order of day and month
	last       [3]float64
	durations  int             // of more than a day
	laps       int             // minutes and seconds: 3:45.51
	short      int             // 24-01-31
	yearFirst  int             // of these with the year first, if at all
	yearLast   int             // certainly with the year last
	ends       [2]map[int]bool // their first and last numbers

	truths, trues int
}

// mostTexts bounds the different cells that a survey keeps.
const mostTexts = 10000

func newSurvey() *survey {
	return &survey{texts: map[string]int{}, units: map[string]int{}, grouping: map[string]int{}, decimals: map[int]int{},
		layouts: [3]map[string]int{{}, {}, {}}, ends: [2]map[int]bool{{}, {}}}
}

// add looks at one cell.
func (s *survey) add(b []byte, m missing) {
	b = trim(b)
	if m.is(b) {
		s.absent++
		return
	}
	s.present++
	s.bytes += len(b)
	s.blanks += bytes.Count(b, []byte{' '})
	if n, seen := s.texts[string(b)]; seen || len(s.texts) < mostTexts {
		s.texts[string(b)] = n + 1
	} else {
		s.crowded = true
	}
	if v, ok := truth(b); ok {
		s.truths++
		s.trues += int(v)
	}
	if _, ok := hex(b); ok {
		s.hexes++
		return
	}
	if d, ok := undress(b); ok {
		if len(d.unit) > 0 {
			if stamp, ok := parseStamp(b); ok && stamp.exists() { // 14h30, 2024W05
				s.addDate(&stamp)
				return
			}
		}
		if s.addNumber(&d) {
			if len(d.unit) == 0 && (len(b) == 8 || len(b) == 14) && leadingDigits(b) == len(b) {
				if stamp, ok := parseStamp(b); ok && stamp.plausible() {
					s.compact++
				}
			}
			return
		}
	}
	if stamp, ok := parseStamp(b); ok {
		s.addDate(&stamp)
	}
}

func (s *survey) addNumber(d *dressed) bool {
	_, e, ok := d.read(marking{})
	if !ok {
		return false
	}
	s.numbers++
	switch {
	case e.either == '.':
		s.eitherPoints++
	case e.either == ',':
		s.eitherCommas++
	case e.point:
		s.points++
	case e.comma:
		s.commas++
	}
	if e.grouping != "" && e.either == 0 {
		s.grouping[e.grouping]++
	} else if leadingDigits(d.core) > 3 {
		s.ungrouped++
	}
	if e.either == 0 {
		s.decimals[e.decimals]++
	}
	if digits := leadingDigits(d.core); digits == len(d.core) && len(d.unit) == 0 {
		if digits > 15 {
			s.long++
		}
		if digits > 1 && d.core[0] == '0' {
			s.zeros++
		}
	}
	if len(d.unit) == 0 {
		s.bare++
	} else {
		s.units[string(d.unit)]++
	}
	return true
}

// plausible tells whether eight digits are a day of our time.
func (s *stamp) plausible() bool {
	_, ok := s.seconds(monthFirst)
	return ok && s.first.value >= 1900 && s.first.value < 2100
}

// exists tells whether there is such a day, in some order of its parts.
func (s *stamp) exists() bool {
	for o := range order(3) {
		if _, ok := s.seconds(o); ok {
			return true
		}
	}
	return false
}

func (s *survey) addDate(stamp *stamp) {
	if stamp.time.long {
		s.durations++
	}
	if stamp.time.lap {
		s.laps++
	}
	if stamp.isShort() {
		s.short++
		s.ends[0][stamp.first.value], s.ends[1][stamp.third.value] = true, true
		if _, ok := stamp.seconds(yearFirst); ok {
			s.yearFirst++
		}
		if stamp.third.value > 31 || stamp.third.value == 0 {
			s.yearLast++
		}
	}
	first, second, matters := stamp.ordered()
	matters = matters && stamp.sep != '.'
	switch {
	case !matters:
	case first > 12 && first <= 31:
		s.dayFirst++
	case second > 12 && second <= 31:
		s.monthFirst++
	default:
		s.unordered++
	}
	some := false
	for o := range 3 {
		by := order(o)
		if by == yearFirst && !stamp.isShort() {
			continue
		}
		if !matters {
			by = dayFirst
		}
		v, ok := stamp.seconds(by)
		if !ok {
			continue
		}
		some = true
		if matters { // beside others they would be in order or not by accident
			if v >= s.last[o] {
				s.steps[o]++
			}
			s.last[o] = v
		}
		s.layouts[o][stamp.layout(by)]++
	}
	if some {
		s.dates++
	}
}

// unit is the unit that most numbers with a unit have, and how many have it.
func (s *survey) unit() (unit string, count int) {
	best := 0
	for u, n := range s.units {
		if n > best || n == best && u < unit {
			unit, best = u, n
		}
	}
	for u, n := range s.units {
		if sameUnit([]byte(u), []byte(unit)) {
			count += n
		}
	}
	return unit, count
}

// money counts the numbers with each currency, by one of its names, and those with any.
func (s *survey) money() (counts map[string]int, all int) {
	counts = map[string]int{}
	names := map[string]string{}
	for u, n := range s.units {
		if !isMoney([]byte(u)) {
			continue
		}
		plain := plainUnit([]byte(u))
		if old, seen := names[plain]; !seen || s.units[u] > s.units[old] || s.units[u] == s.units[old] && u < old {
			names[plain] = u
		}
		all += n
	}
	for u, n := range s.units {
		if isMoney([]byte(u)) {
			counts[names[plainUnit([]byte(u))]] += n
		}
	}
	return counts, all
}

// most is the key that comes most often; of equals the smallest.
func most[K string | int](counts map[K]int) (key K, count int) {
	for k, n := range counts {
		if n > count || n == count && k < key {
			key, count = k, n
		}
	}
	return key, count
}

// plainNumber tells whether a header cell is a number, a date or another value.
func valueLike(b []byte) cell.Kind {
	b = trim(b)
	if (missing{}).is(b) {
		return cell.Missing
	}
	if d, ok := undress(b); ok {
		if _, _, ok := d.read(marking{}); ok {
			return cell.Number
		}
	}
	if s, ok := parseStamp(b); ok && s.exists() {
		return cell.Number
	}
	return cell.Text
}
