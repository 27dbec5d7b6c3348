package check

import (
	"math"
	"slices"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// solved writes a plane in the columns' own units with the k-th column of the set on the left,
// coefficients as round as the rounding of the columns allows, or that of the left one alone. digits is how many they have.
func (s *relationSample) solved(set []int, plane []float64, k int, rounded rounding) (e equation, digits int) {
	a := make([]float64, len(set))
	a[0] = 1
	for i := 1; i < len(set); i++ {
		a[i] = -plane[i]
	}
	left := set[k]
	e.left = s.columns[left]
	blur := s.steps[left]
	if rounded == leftSide { // its own steps may be those of another column, many times as coarse
		blur = min(blur, math.Pow10(-s.table.Columns[e.left].Decimals))
	}
	for i, j := range set {
		if i != k && rounded == allColumns {
			blur += math.Abs(s.spreads[left]*a[i]/(a[k]*s.spreads[j])) * s.steps[j]
		}
	}
	for i, j := range set {
		if i == k {
			continue
		}
		slope := -s.spreads[left] * a[i] / (a[k] * s.spreads[j])
		size := math.Abs(s.centres[left]) + s.spreads[left]
		short, length := shortest(slope, (0.25*blur+1e-12*size)/s.spreads[j])
		digits += length
		e.terms = append(e.terms, term{column: s.columns[j], slope: short})
	}
	return s.constant(e, blur, digits)
}

// constant completes a sum by the constant that most rows agree on; 0 where it may be.
func (s *relationSample) constant(e equation, blur float64, digits int) (equation, int) {
	differences := make([]float64, 0, len(s.rows))
	size := 0.0
	for i := range s.rows {
		difference, tolerance := e.sides(s.at(i), s.all.steps)
		if difference == difference && !math.IsInf(difference, 0) {
			differences = append(differences, difference)
			size = max(size, tolerance[exact])
		}
	}
	if len(differences) == 0 {
		return e, digits
	}
	middle := univariate.Median(differences)
	if math.Abs(middle) <= 0.5*blur+size {
		return e, digits
	}
	var length int
	e.constant, length = shortest(middle, 0.1*blur+size)
	return e, digits + length
}

// shortest is the number with the fewest digits within a tolerance of v; fractions of small
// denominators count as short.
func shortest(v, tolerance float64) (short float64, digits int) {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return v, 0
	}
	exponent := math.Floor(math.Log10(math.Abs(v)))
	for digits = 1; digits <= 12; digits++ {
		unit := math.Pow(10, exponent-float64(digits-1))
		rounded := math.Round(v/unit) * unit
		if unit < 1 { // the nearest number to the decimal one, not a product of two rounded ones
			rounded = math.Round(v/unit) / math.Round(1/unit)
		}
		if math.Abs(rounded-v) <= tolerance {
			return rounded, digits
		}
		if digits == 3 && tolerance < 1e-4*math.Abs(v) {
			for _, q := range []float64{3, 6, 7, 9, 12} {
				if r := math.Round(v*q) / q; r != 0 && math.Abs(r-v) <= tolerance {
					return r, 3
				}
			}
		}
	}
	return v, 17
}

// at gives the values of a sampled row by column of the table.
func (s *relationSample) at(i int) func(int) float64 {
	return func(column int) float64 {
		if k := s.place[column]; k >= 0 {
			return s.values[k][i]
		}
		s.table.Room().Touched(1)
		return s.table.Columns[column].Values[s.rows[i]]
	}
}

// extend adds the column that explains most exceptions of an equation.
func (s *relationSample) extend(e equation) (equation, bool) {
	before := s.assess(&e)
	if before.informative-before.held < 5 || 2*before.held < before.informative || s.extended >= mostExtended {
		return e, false
	}
	s.extended++
	steps := s.all.steps
	best, most := e, before.held
	for _, c := range s.columns {
		if slices.Contains(e.columns(), c) {
			continue
		}
		ratios := []float64{}
		for i := range s.rows {
			at := s.at(i)
			difference, tolerance := e.sides(at, steps)
			w := at(c)
			if math.Abs(difference) > tolerance[before.rounding] && w != 0 && w == w && !math.IsInf(w, 0) {
				ratios = append(ratios, difference/w)
			}
		}
		if len(ratios) < 5 {
			continue
		}
		longer := e
		slope, _ := shortest(univariate.Median(ratios), 1e-3*math.Abs(univariate.Median(ratios)))
		longer.terms = append(slices.Clone(e.terms), term{column: c, slope: slope})
		if a := s.assess(&longer); a.held > most && a.held-before.held >= (before.informative-before.held)/2 {
			best, most = longer, a.held
		}
	}
	return best, most > before.held
}

// assessment counts how the rows of a sample keep an equation.
type assessment struct {
	rounding          rounding
	informative, held int
	near              int   // broken by hardly more than the rounding
	asked             []int // the informative rows, until the next assessment
}

// exceptions is the share of rows that break the equation, a little more where few were asked.
func (a assessment) exceptions() float64 {
	return float64(a.informative-a.held+1) / float64(a.informative+2)
}

func (a assessment) share() float64 { return float64(a.held) / float64(max(a.informative, 1)) }

// affordable counts the candidates that are looked at closely: in a table of hundreds of columns
// that are all alike nearly every set of them is one, and none a law.
func (s *relationSample) affordable() bool {
	s.spent++
	return s.spent <= mostCandidates
}

// assess counts the rows in which the equation could fail: those in which not all columns have
// their most frequent value.
func (s *relationSample) assess(e *equation) assessment {
	columns := e.columns()
	modes, steps, spreads := s.all.modes, s.all.steps, s.all.spreads
	var held, near [roundings]int
	asked := s.scratch[:0]
	for i := range s.rows {
		at := s.at(i)
		difference, tolerance := e.sides(at, steps)
		if difference != difference {
			continue
		}
		usual := true
		for _, c := range columns {
			usual = usual && at(c) == modes[c]
		}
		if usual {
			continue
		}
		asked = append(asked, i)
		for l := range roundings {
			switch d := math.Abs(difference); {
			case d <= tolerance[l]:
				held[l]++
			case d <= 3*max(tolerance[l], steps[e.left]):
				near[l]++
			}
		}
	}
	s.scratch = asked
	a := assessment{informative: len(asked), asked: asked}
	if len(asked) == 0 {
		return a
	}
	_, middle := e.sides(s.at(asked[len(asked)/2]), steps)
	most := 0
	allowed := func(l rounding) bool { return l == exact || middle[l] <= 0.1*spreads[e.left] }
	for l := range roundings {
		if allowed(l) {
			most = max(most, held[l])
		}
	}
	for l := range roundings {
		if allowed(l) && held[l] >= most-most/50 {
			a.rounding, a.held, a.near = l, held[l], near[l]
			break
		}
	}
	return a
}

// byChance is the share of rows that keep the equation with the left side of another row: what
// independent columns would do.
func (s *relationSample) byChance(e *equation, a assessment) float64 {
	steps := s.all.steps
	hits, tried := 0, 0
	n := len(a.asked)
	for _, shift := range []int{1, n / 2, n / 3, n / 5, n / 7} {
		if shift == 0 || shift == n {
			continue
		}
		for k, i := range a.asked {
			at, other := s.at(i), s.at(a.asked[(k+shift)%n])
			difference, tolerance := e.sides(func(c int) float64 {
				if c == e.left {
					return other(c)
				}
				return at(c)
			}, steps)
			tried++
			if math.Abs(difference) <= tolerance[a.rounding] {
				hits++
			}
		}
	}
	return float64(hits+1) / float64(tried+2)
}

// holds says that the equation is one that the rows keep, not one that happens among so many that
// were looked at. Where a relation is only approximate the rows that break it are near: those are
// no exceptions but its noise.
func (s *relationSample) holds(e *equation, a assessment, sought int) bool {
	rows := float64(a.informative - len(e.terms) - 1)
	share := a.share()
	if rows < fewestRelated-2 || share < 1-mostlyBroken {
		return false
	}
	broken := a.informative - a.held
	if float64(a.near) > 0.3*float64(broken)+0.002*rows+1 {
		return false
	}
	chance := s.byChance(e, a)
	if chance > 0.25 {
		return false
	}
	unlikely := share * math.Log(share/chance) // by Chernoff
	if share < 1 {
		unlikely += (1 - share) * math.Log((1-share)/(1-chance))
	}
	if rows*unlikely <= math.Log(float64(sought+1))+12 {
		return false
	}
	if share < 1-brokenAtMost {
		s.keepMostly(e, a)
		return false
	}
	return true
}

// solveSmall solves the normal equations, size rows of size+1 numbers.
func solveSmall(m []float64, size int) ([]float64, bool) {
	w := size + 1
	for k := range size {
		best := k
		for i := k + 1; i < size; i++ {
			if math.Abs(m[i*w+k]) > math.Abs(m[best*w+k]) {
				best = i
			}
		}
		if math.Abs(m[best*w+k]) < 1e-9 {
			return nil, false
		}
		for j := range w {
			m[k*w+j], m[best*w+j] = m[best*w+j], m[k*w+j]
		}
		for i := range size {
			if f := m[i*w+k] / m[k*w+k]; i != k {
				for j := k; j < w; j++ {
					m[i*w+j] -= f * m[k*w+j]
				}
			}
		}
	}
	out := make([]float64, size)
	for k := range out {
		out[k] = m[k*w+size] / m[k*w+k]
	}
	return out, true
}
