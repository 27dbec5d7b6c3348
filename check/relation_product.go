package check

import (
	"context"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// findProducts looks for products of two or three columns, or shares: total = qty * price,
// gross = net * (1 + rate), total = qty * price * (1 - discount/100), also with a square: bmi = weight / height^2,
// area = 0.7854 * diameter^2. Relations whose columns
// already make one are left out, unless that has exceptions which a further column explains: then the longer one stands for it
// (net = list where there is no discount). It returns the sums that are left and the products.
func findProducts(ctx context.Context, s *relationSample, sums []equation) ([]equation, error) {
	if len(s.rows) < fewestRelated {
		return sums, nil
	}
	p := &productSearch{linearSearch: linearSearch{sample: s, found: slices.Clone(sums)}}
	p.probes = spacedRows(len(s.rows), 40)
	s.spent = 0
	d := len(s.columns)
	width := min(d, 60, max(8, int(math.Sqrt(4e4/float64(max(d, 1)))))) // in wide tables factors stand near
	for left := range d {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		low, high := max(0, left-width), min(d, left+width)
		for a := low; a < high; a++ {
			for b := a + 1; b < high; b++ {
				if a == left || b == left || s.few[left] {
					continue
				}
				p.pair(left, a, b)
				if d > mostForThree {
					continue
				}
				for c := low; c < high; c++ {
					if c != left && c != a && c != b {
						p.third(left, a, b, c)
					}
				}
			}
		}
	}
	if err := p.squares(ctx); err != nil {
		return nil, err
	}
	return p.found, p.long(ctx)
}

// mostForThree is the number of columns up to which products of three factors, or with a square, are looked for.
const mostForThree = 25

// withSquare are the powers of two factors, one of them a square.
var withSquare = [][2]int{{0, -2}, {2, -1}, {0, 2}}

// squares looks for products with a square, and for squares and cubes of one column.
func (p *productSearch) squares(ctx context.Context) error {
	s, d := p.sample, len(p.sample.columns)
	if d > mostForThree {
		return nil
	}
	plain := func(j, power int) term { return term{column: s.columns[j], slope: 1, power: power} }
	for _, power := range withSquare {
		for left := range d {
			if err := ctx.Err(); err != nil {
				return err
			}
			for a := range d {
				for b := range d {
					if left != a && left != b && a != b && !s.few[left] && !s.few[a] && !s.few[b] && !p.known([]int{left, a, b}) {
						p.look(left, []term{plain(a, power[0]), plain(b, power[1])})
					}
				}
			}
		}
	}
	for left := range d {
		for a := range d {
			for _, power := range []int{2, 3} {
				if left != a && !s.few[left] && !s.few[a] && !p.known([]int{left, a}) {
					p.look(left, []term{plain(a, power)})
				}
			}
		}
	}
	return nil
}

// partly is the share of exceptions from which on a longer law is looked for that explains them.
const partly = 0.02

// known says that some columns of the set already make a relation that needs no further column.
func (p *productSearch) known(set []int) bool { return p.knownBut(set, partly) }

// add takes a product in the place of the laws between some of its columns whose exceptions it explains; one that does not is none.
func (p *productSearch) add(e equation) {
	columns := e.columns()
	part := func(f equation) bool {
		return !slices.ContainsFunc(f.columns(), func(c int) bool { return !slices.Contains(columns, c) })
	}
	if !slices.ContainsFunc(p.found, func(f equation) bool { return part(f) && 2*e.exceptions > f.exceptions }) {
		p.found = append(slices.DeleteFunc(p.found, part), e)
	}
}

type productSearch struct {
	linearSearch
	probes []int // rows that products are tried on first
}

// pair looks at products of two columns, one of them perhaps as a share.
func (p *productSearch) pair(left, a, b int) {
	if p.known([]int{left, a, b}) {
		return
	}
	plainA, plainB := p.plain(a), p.plain(b)
	if p.sample.few[a] || p.sample.few[b] {
		if p.sample.few[a] == p.sample.few[b] {
			return
		}
	} else {
		p.look(left, []term{plainA, plainB})
	}
	for _, f := range p.shares(b) {
		p.look(left, []term{plainA, f})
	}
	for _, f := range p.shares(a) {
		p.look(left, []term{plainB, f})
	}
}

// third looks at the product of two columns and a share.
func (p *productSearch) third(left, a, b, c int) {
	if p.sample.few[a] || p.sample.few[b] || p.known([]int{left, a, b, c}) {
		return
	}
	for _, f := range p.shares(c) {
		p.look(left, []term{p.plain(a), p.plain(b), f})
	}
}

func (p *productSearch) plain(j int) term {
	return term{column: p.sample.columns[j], slope: 1}
}

// shares are the ways in which a column enters a product as what is added or taken off. Where most rows have none, those that
// do tell of its size.
func (p *productSearch) shares(j int) []term {
	s, c := p.sample, p.sample.columns[j]
	high := math.Abs(s.centres[j]) + 2*s.spreads[j]
	if mode := s.modes[j]; mode == mode {
		high = math.Abs(mode) + s.reach[j]
	}
	switch {
	case high <= 1.5:
		return []term{{column: c, offset: 1, slope: -1}, {column: c, offset: 1, slope: 1}}
	case high <= 150:
		return []term{{column: c, offset: 1, slope: -0.01}, {column: c, offset: 1, slope: 0.01}}
	}
	return nil
}

// look takes a product if it is a law.
func (p *productSearch) look(left int, factors []term) {
	if len(p.found) > 0 && p.known(p.places(left, factors)) {
		return
	}
	if e, ok := p.tried(left, factors); ok {
		if other, ok := p.mirrored(left, factors); ok && other.exceptions < e.exceptions {
			e = other
		}
		p.add(e)
	}
}

// mirrored is a product with a share the other way round: made = good * (1 + scrap) nearly holds where scrap is little, and good = made * (1 - scrap) does.
func (p *productSearch) mirrored(left int, factors []term) (equation, bool) {
	if len(factors) != 2 || factors[0].offset != 0 || factors[1].offset == 0 {
		return equation{}, false
	}
	share := factors[1]
	share.slope = -share.slope
	at, _ := slices.BinarySearch(p.sample.columns, factors[0].column)
	return p.tried(at, []term{p.plain(left), share})
}

// tried tries a product on a few rows, each of which fixes the constant, before all are asked.
func (p *productSearch) tried(left int, factors []term) (best equation, ok bool) {
	s := p.sample
	if s.spent > mostCandidates {
		return best, false
	}
	if p.sought++; !p.repeats(left, factors) {
		return best, false
	}
	var room [40]float64
	ratios := room[:0]
	for _, i := range p.probes {
		at := s.at(i)
		value := 1.0
		for k := range factors {
			value *= factors[k].factor(at(factors[k].column))
		}
		if ratio := at(s.columns[left]) / value; ratio == ratio && !math.IsInf(ratio, 0) && ratio != 0 {
			ratios = append(ratios, ratio)
		}
	}
	if len(ratios) < fewestRelated {
		return best, false
	}
	middle := univariate.Median(ratios)
	e := equation{left: s.columns[left], terms: factors, product: true, constant: middle}
	if !p.fits(&e) || !s.affordable() {
		return best, false
	}
	// The shortest constant that leaves the least to rounding, and breaks no row that a longer one keeps.
	least, held := roundings, 0
	for _, tolerance := range []float64{1e-12, 1e-6, 1e-5, 1e-4, 1e-3, 0.02} {
		e := equation{left: s.columns[left], terms: slices.Clone(factors), product: true}
		var digits, spare int
		if e.constant, digits = shortest(middle, tolerance*math.Abs(middle)); digits <= 2 {
			spare = 1 + held/1000 // that a longer one keeps by accident
		}
		a := s.assess(&e)
		if a.rounding <= least && a.held+spare >= held && s.holds(&e, a, p.sought) && s.spoken(&e, a) {
			e.rounding, e.exceptions = a.rounding, a.exceptions()
			best, least, held = e, a.rounding, a.held
		}
		if 4*a.held < a.informative {
			break
		}
	}
	return best, least < roundings && !p.idle(&best, held)
}

// idle says that a factor has no part in a product: about as many rows keep it with the middle of that column, such as the year of a few years, in all of them.
func (p *productSearch) idle(e *equation, held int) bool {
	s := p.sample
	return slices.ContainsFunc(e.terms, func(t term) bool {
		centre, kept := s.centres[s.place[t.column]], 0
		for i := range s.rows {
			at := s.at(i)
			difference, tolerance := e.sides(func(c int) float64 {
				if c == t.column {
					return centre
				}
				return at(c)
			}, s.all.steps)
			if math.Abs(difference) <= tolerance[e.rounding] {
				kept++
			}
		}
		return 20*kept >= 19*held
	})
}

// repeats says that two of the first rows have about the same ratio: ratios that all differ are no constant.
func (p *productSearch) repeats(left int, factors []term) bool {
	s := p.sample
	var ratios [8]float64
	for k, i := range p.probes[:min(8, len(p.probes))] {
		value := 1.0
		for m := range factors {
			f := &factors[m]
			value *= f.factor(s.values[s.place[f.column]][i])
		}
		ratio := s.values[left][i] / value
		if ratio == 0 || math.IsInf(ratio, 0) {
			ratio = math.NaN()
		}
		near := 0.02 * math.Abs(ratio)
		for _, other := range ratios[:k] {
			if math.Abs(other-ratio) <= near {
				return true
			}
		}
		ratios[k] = ratio
	}
	return false
}

// fits says that most of the first rows keep a product about as well as rounding lets them.
func (p *productSearch) fits(e *equation) bool {
	near, asked := 0, 0
	for k, i := range p.probes {
		difference, tolerance := e.sides(p.sample.at(i), p.sample.all.steps)
		if difference != difference {
			continue
		}
		asked++
		if math.Abs(difference) <= 4*max(tolerance[allColumns], tolerance[sixDigits]) {
			near++
		} else if k >= 8 && 3*near < asked {
			return false
		}
	}
	return 10*near >= 7*asked && asked >= fewestRelated
}

// places are the columns of a product as places in the sample.
func (p *productSearch) places(left int, factors []term) []int {
	out := []int{left}
	for _, f := range factors {
		at, _ := slices.BinarySearch(p.sample.columns, f.column) // they ascend
		out = append(out, at)
	}
	return out
}
