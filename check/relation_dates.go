package check

import (
	"context"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/univariate"
)

const (
	// datesMost columns of dates, and datesNumbers of numbers beside them, are held against each other.
	datesMost, datesNumbers = 10, 40
	// datesProbes rows tell of most candidates that they are no law.
	datesProbes = 40
)

// findDates looks for laws between dates and numbers: check_out = check_in + nights, due = invoice + 30 days, age = whole years from birth to
// visit. Dates are seconds since 1970, so that many of them are sums.
func findDates(ctx context.Context, s *relationSample, found []equation) ([]equation, error) {
	t := s.table
	var dates []int
	for c := range t.Columns {
		column := &t.Columns[c]
		if column.Kind != tolerant.Date || column.Lap() || len(column.Values) != t.Rows || len(dates) == datesMost {
			continue
		}
		if d := describe(pick(column.Values, s.rows)); d.distinct >= 3 && d.count >= 2*fewestRelated {
			dates = append(dates, c)
			s.all.spreads[c], s.all.modes[c] = d.spread, math.NaN()
		}
	}
	if len(dates) == 0 || len(s.rows) < 2*fewestRelated {
		return found, nil
	}
	var numbers []int
	for k, c := range s.columns {
		if len(numbers) < datesNumbers && !s.few[k] {
			numbers = append(numbers, c)
		}
	}
	f := &dateSearch{sample: s, probes: spacedRows(len(s.rows), datesProbes)}
	s.spent = 0
	for i, a := range dates {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, b := range dates[:i] {
			if f.median(func(at func(int) float64) float64 { return at(a) - at(b) }) < 0 {
				f.pair(b, a, numbers)
			} else {
				f.pair(a, b, numbers)
			}
		}
	}
	for _, a := range dates {
		if !slices.ContainsFunc(f.found, func(e equation) bool { return len(e.columns()) > 2 && slices.Contains(e.columns(), a) }) {
			f.single(a, numbers)
		}
	}
	return append(found, f.found...), nil
}

type dateSearch struct {
	sample *relationSample
	probes []int
	found  []equation
	sought int
}

// median is that of an expression in the first rows; NaN where there are too few.
func (f *dateSearch) median(of func(at func(int) float64) float64) float64 {
	values := make([]float64, 0, datesProbes)
	for _, i := range f.probes {
		if v := of(f.sample.at(i)); v == v && !math.IsInf(v, 0) {
			values = append(values, v)
		}
	}
	if len(values) < fewestRelated {
		return math.NaN()
	}
	return univariate.Median(values)
}

// pair looks for the law between two dates, the first of which is usually the later, alone or with a number. That with the fewest exceptions
// stands; of equals the one with fewest columns, since it is tried first.
func (f *dateSearch) pair(later, earlier int, numbers []int) {
	s := f.sample
	best := equation{exceptions: math.Inf(1)}
	take := func(e equation) {
		if e, ok := f.law(e); ok && e.exceptions < best.exceptions-0.002 {
			best = e
		}
	}
	from := term{column: earlier, slope: 1}
	apart := f.median(func(at func(int) float64) float64 { return at(later) - at(earlier) })
	if apart != apart {
		return
	}
	take(equation{left: later, terms: []term{from}, constant: apart})
	if months := math.Round(apart / (30.4369 * day)); months >= 1 {
		take(equation{left: later, terms: []term{from}, constant: months, calendar: addedMonths})
	}
	for _, n := range numbers {
		for _, unit := range spans {
			e := equation{left: later, terms: []term{from, {column: n, slope: unit.seconds}}}
			rest := f.median(func(at func(int) float64) float64 { return at(later) - at(earlier) - unit.seconds*at(n) })
			blur := unit.seconds * max(s.all.steps[n], 1e-6) / 2
			if units := rest / unit.seconds; math.Abs(rest) > blur {
				if e.constant = rest; units != math.Round(units) || math.Abs(units) > 31 {
					continue
				}
			}
			take(e)
		}
		take(equation{left: later, terms: []term{from, {column: n, slope: 1}}, calendar: addedMonths})
		dates := []term{{column: later, slope: 1}, {column: earlier, slope: 1}}
		take(equation{left: n, terms: dates, calendar: wholeYears})
		take(equation{left: n, terms: dates, calendar: yearsApart})
	}
	if !math.IsInf(best.exceptions, 1) {
		f.found = append(f.found, best)
	}
}

// single looks for laws between a date and a number: counted from a day that is always the same, or a part of the date.
func (f *dateSearch) single(date int, numbers []int) {
	for _, n := range numbers {
		best := equation{exceptions: math.Inf(1)}
		take := func(e equation) {
			if e, ok := f.law(e); ok && e.exceptions < best.exceptions-0.002 {
				best = e
			}
		}
		for _, part := range []calendar{yearOf, monthOf, dayOf} {
			take(equation{left: n, terms: []term{{column: date, slope: 1}}, calendar: part})
		}
		for _, unit := range spans[:len(spans)-1] {
			for _, slope := range []float64{unit.seconds, -unit.seconds} {
				from := f.median(func(at func(int) float64) float64 { return at(date) - slope*at(n) })
				if from == from && math.Abs(from) < 1e12 {
					take(equation{left: date, terms: []term{{column: n, slope: slope}}, constant: from})
				}
			}
		}
		if to := f.untilWhen(date, n); to == to {
			take(equation{left: n, terms: []term{{column: date, slope: 1}}, constant: to, calendar: wholeYears})
		}
		if !math.IsInf(best.exceptions, 1) {
			f.found = append(f.found, best)
		}
	}
}

// untilWhen is the day up to which a number counts the whole years since a date, if most rows agree about one: each leaves a year open.
func (f *dateSearch) untilWhen(date, number int) float64 {
	s := f.sample
	var begins []float64
	for i := range s.rows {
		at := s.at(i)
		if v := monthsLater(at(date), 12*at(number)); v == v {
			begins = append(begins, v)
		}
	}
	slices.Sort(begins)
	const year = 365.2425 * day
	best, most := math.NaN(), 0
	for k := range begins { // the windows of a year that end here
		first, _ := slices.BinarySearch(begins, begins[k]-year)
		if k-first+1 > most {
			best, most = (begins[k]+begins[first]+year)/2, k-first+1
		}
	}
	if 10*most < 9*len(begins) || len(begins) < 2*fewestRelated || begins[len(begins)/20]+year/2 > best {
		return math.NaN()
	}
	return best
}

// law says that most rows keep an equation, and not by chance. One without a number that is broken by rows which agree among each other, or
// between dates that are mostly the same, is told as what most rows do.
func (f *dateSearch) law(e equation) (equation, bool) {
	s := f.sample
	f.sought++
	kept, asked := 0, 0
	for _, i := range f.probes {
		difference, tolerance := e.sides(s.at(i), s.all.steps)
		if difference == difference {
			if asked++; math.Abs(difference) <= tolerance[allColumns] {
				kept++
			}
		}
	}
	if asked < fewestRelated || 10*kept < 6*asked || !s.affordable() {
		return e, false
	}
	a := s.assess(&e)
	if !s.holds(&e, a, f.sought) || !s.spoken(&e, a) {
		return e, false
	}
	e.rounding, e.exceptions, e.dated = a.rounding, a.exceptions(), true
	date := func(c int) bool { return s.table.Columns[c].Kind == tolerant.Date }
	if len(e.terms) == 1 && e.calendar == plainSum && date(e.left) && date(e.terms[0].column) {
		f.otherSpans(&e, a)
		e.exceptions = s.assess(&e).exceptions()
		e.mostly = e.exceptions > brokenSurely
	}
	return e, true
}

// spanTimes is how many rows share a span that is one of several by right, and yearsByRight the share of them if it is whole years more or less: few
// are wrong years.
const spanTimes, yearsByRight = 3, 0.02

// wholeYearsOff says that a time is one of whole years, but for leap days.
func wholeYearsOff(seconds float64) bool {
	const year = 365.2425 * day
	years := math.Round(seconds / year)
	return years != 0 && math.Abs(years) <= 100 && math.Abs(seconds-years*year) <= day
}

// otherSpans lists the spans between two dates that rows share which break a law: some bills may be paid after 60 days instead of 30, some
// goods are sent a day later. They keep it, and so do rows between them or hardly beyond.
func (f *dateSearch) otherSpans(e *equation, a assessment) {
	s := f.sample
	counts := map[float64]int{}
	for _, i := range a.asked {
		if difference, tolerance := e.sides(s.at(i), s.all.steps); math.Abs(difference) > tolerance[a.rounding] {
			counts[difference]++
		}
	}
	for span, n := range counts {
		if n >= spanTimes && (float64(n) >= yearsByRight*float64(len(a.asked)) || !wholeYearsOff(span)) {
			e.spans = append(e.spans, span)
		}
	}
	slices.Sort(e.spans)
}

// among is the difference of a row that has another span of the law; 0 where it is one of them or no farther from one than they are from each other.
func (e *equation) among(difference float64) float64 {
	least, most, nearest := 0.0, 0.0, math.Abs(difference)
	for _, s := range e.spans {
		least, most, nearest = min(least, s), max(most, s), min(nearest, math.Abs(difference-s))
	}
	if nearest <= most-least {
		return 0
	}
	return difference
}
