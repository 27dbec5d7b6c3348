package check

import (
	"context"
	"slices"
)

// Products of three and four plain columns, volume = length * width * height, also with a divisor, and of two plain columns and two
// shares, gross = quantity * price * (1 - discount) * (1 + vat). They come last: what shorter laws say is left out, alone or several
// of them together.

// mostForFour is the number of columns up to which products of four factors are looked for, and longLooks how many products of each
// length are tried, about.
const mostForFour, longLooks = 12, 150_000

// long looks for products of three and four factors. In wide tables these stand near each other.
func (p *productSearch) long(ctx context.Context) error {
	d := len(p.sample.columns)
	for size := 4; size <= 5; size++ { // columns, the product among them
		if size == 5 && d > mostForFour {
			break
		}
		looks := float64(size * size)
		width := d
		for width > size && looks*choose(width, size)*float64(d-width+1) > longLooks {
			width--
		}
		set := make([]int, size)
		p.sample.spent = 0
		for first := 0; first+size <= d; first++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			set[0] = first
			p.longSets(set, 1, min(first+width, d))
		}
	}
	return nil
}

// longSets completes a set of columns in all ways and takes the best product of each: what leaves least to rounding.
func (p *productSearch) longSets(set []int, filled, end int) {
	if filled < len(set) {
		for c := set[filled-1] + 1; c < end; c++ {
			set[filled] = c
			p.longSets(set, filled+1, end)
		}
		return
	}
	if p.known(set) {
		return
	}
	best := equation{rounding: roundings}
	try := func(left int, factors ...term) {
		if e, ok := p.tried(left, factors); ok && e.rounding < best.rounding {
			best = e
		}
	}
	for k, left := range set {
		if others := slices.Delete(slices.Clone(set), k, k+1); !p.sample.few[left] {
			p.plainly(left, others, try)
			if len(others) == 4 {
				p.withShares(left, others, try)
			}
		}
	}
	if best.rounding < roundings && !p.follows(&best) {
		p.add(best)
	}
}

// plainly tries the product of columns, and that with one of them as divisor.
func (p *productSearch) plainly(left int, others []int, try func(int, ...term)) {
	factors := make([]term, len(others))
	for k, j := range others {
		if factors[k] = p.plain(j); p.sample.few[j] {
			return
		}
	}
	try(left, factors...)
	last := len(factors) - 1 // divisors are written last
	for k := range factors {
		factors[k], factors[last] = factors[last], factors[k]
		factors[last].power = -1
		try(left, factors...)
		factors[last].power = 0
		factors[k], factors[last] = factors[last], factors[k]
	}
}

// withShares tries the products of two plain columns and two shares.
func (p *productSearch) withShares(left int, others []int, try func(int, ...term)) {
	for i := range others {
		for k := i + 1; k < len(others); k++ {
			var plain []int
			for m, j := range others {
				if m != i && m != k && !p.sample.few[j] {
					plain = append(plain, j)
				}
			}
			if len(plain) < 2 {
				continue
			}
			for _, f := range p.shares(others[i]) {
				for _, g := range p.shares(others[k]) {
					try(left, p.plain(plain[0]), p.plain(plain[1]), f, g)
				}
			}
		}
	}
}

// follows says that a product is what others say together: weight = 7.85 * length * width * height, where weight = 7.85 * volume.
func (p *productSearch) follows(e *equation) bool {
	numbers := map[term]int{}
	width := 0
	for k := range p.found {
		width += 1 + len(p.found[k].terms)
	}
	width += 1 + len(e.terms)
	var basis [][]float64
	for k := range p.found {
		if f := &p.found[k]; f.isProduct() {
			basis, _ = widened(basis, f.inLogarithms(numbers, width))
		}
	}
	_, implied := widened(basis, e.inLogarithms(numbers, width))
	return implied
}

// inLogarithms is a product as a direction in the space of the logarithms of its factors, where products of products are sums. The factors are
// numbered as they come.
func (e *equation) inLogarithms(numbers map[term]int, width int) []float64 {
	v := make([]float64, width)
	number := func(t term) int {
		t.power = 0
		k, ok := numbers[t]
		if !ok {
			k = len(numbers)
			numbers[t] = k
		}
		return k
	}
	v[number(term{column: e.left, slope: 1})] = 1
	for _, t := range e.terms {
		if !e.product {
			t.slope = 1 // a multiple, whose factor is the constant
		}
		power := 1.0
		if t.power != 0 {
			power = float64(t.power)
		}
		v[number(t)] -= power
	}
	return v
}

// isProduct says that an equation is a product, or a multiple of another column, which is one too.
func (e *equation) isProduct() bool {
	return e.product || len(e.terms) == 1 && e.constant == 0 && e.terms[0].second == 0
}
