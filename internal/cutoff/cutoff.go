// Package cutoff tells up to which distance from its center a row is regular in its group, a
// cluster or a class.
package cutoff

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

// PerGroup is, for each group, the 97.5 % limit of the distance of a regular row from its
// center. Distances to the power 2/3 are nearly normal (Wilson and Hilferty), so the limit
// comes from their median and median absolute deviation among the rows that can be regular:
// those with a vote to begin with, then, until no more come in, those within three
// deviations. A cluster of fewer than ten rows with a vote shares the limit of all rows.
// squared holds squared distances from the own center; least is a distance that counts as
// rounding. A row counts as often as prior says, nil: once.
func PerGroup(labels []int, squared, prior, weights []float64, k int, least float64) []float64 {
	return Limits(labels, prior, k, least,
		func(i int) float64 { return squared[i] },
		func(i int) bool { return weights[i] > 0 })
}

// member is a row of a cluster: its distance to the power 2/3 and how many rows it counts.
type member struct {
	power, weight float64
	trusted       bool
}

const (
	// mostMembers bounds the rows of a cluster that its limit is taken from, from equal stretches:
	// the limit of so many is known to six hundredths of their standard deviation, a third of
	// a point of the share beyond it.
	mostMembers = 1 << 11
	// fewVotes is how many rows a cluster needs for a limit of its own.
	fewVotes = 10
)

// Limits is PerGroup of rows that count as often as prior says (nil: once) of which the
// trusted ones are not outliers. squared is asked of the rows that the limits are taken from.
func Limits(labels []int, prior []float64, k int, least float64, squared func(i int) float64, trusted func(i int) bool) []float64 {
	prior = counts(prior)
	mass, rows, votes := make([]float64, k), make([]int, k), make([]float64, k)
	for i, c := range labels {
		w := at(prior, i)
		if !(w > 0) {
			continue
		}
		rows[c]++
		mass[c] += w
		if votes[c] < fewVotes && trusted(i) {
			votes[c] += w
		}
	}
	groups, pickers := make([][]member, k), make([]picker, k)
	small := false
	var all []member
	for c, v := range votes {
		groups[c] = make([]member, 0, min(rows[c], mostMembers))
		pickers[c] = newPicker(mass[c], rows[c])
		small = small || v < fewVotes
	}
	for i, c := range labels {
		w := at(prior, i)
		if !(w > 0) {
			continue
		}
		if w = pickers[c].pick(w); w == 0 {
			continue
		}
		s := squared(i)
		if math.IsNaN(s) {
			continue
		}
		m := member{math.Cbrt(math.Min(s, math.MaxFloat64)), w, trusted(i)}
		groups[c] = append(groups[c], m)
		if small {
			all = append(all, m)
		}
	}
	pooled := least
	if small {
		pooled = math.Max(regularLimit(all), least)
	}
	out := make([]float64, k)
	linalg.Parallel(k, func(c int) {
		out[c] = pooled
		if votes[c] >= fewVotes {
			out[c] = math.Max(regularLimit(groups[c]), least)
		}
	})
	return out
}

// counts makes numbers of rows of weights that are mere proportions: their sum is at least the
// number of rows that have one. Integer weights stay as they are.
func counts(w []float64) []float64 {
	sum, positive := 0.0, 0.0
	for _, v := range w {
		if sum += v; v > 0 {
			positive++
		}
	}
	if sum >= positive {
		return w
	}
	out := make([]float64, len(w))
	for i, v := range w {
		out[i] = v * (positive / sum)
	}
	return out
}

// picker takes rows of a cluster for its limit: all of few, of many one from each stretch of
// the weight. Where in the stretch differs from one to the next, so that rows which take turns
// (day and night, two sensors) are all seen. A whole weight acts like repeated rows.
type picker struct {
	stretch    float64 // 0: all rows are taken
	end, place float64 // weight of the rows so far; where the next one is taken
	taken      int
}

func newPicker(mass float64, rows int) picker {
	size := math.Max(mass, float64(rows))
	if size <= mostMembers {
		return picker{}
	}
	p := picker{stretch: math.Ceil(size/mostMembers) * (mass / size)}
	p.next()
	return p
}

func (p *picker) next() {
	const golden = 0.6180339887498949 // its multiples are spread evenly
	_, within := math.Modf(golden * float64(p.taken+1))
	p.place = p.stretch * (float64(p.taken) + within)
	p.taken++
}

// pick tells how often the next row, of weight w, counts.
func (p *picker) pick(w float64) float64 {
	if p.stretch == 0 {
		return w
	}
	p.end += w
	times := 0.0
	for ; p.place < p.end; p.next() {
		times++
	}
	return times
}

// at is an entry of a slice in which nil means ones.
func at(x []float64, i int) float64 {
	if x == nil {
		return 1
	}
	return x[i]
}

// regularLimit takes the rows of a cluster and returns a distance. The slice is sorted.
func regularLimit(rows []member) float64 {
	sortMembers(rows)
	trusted := make([]member, 0, len(rows))
	for _, m := range rows {
		if m.trusted {
			trusted = append(trusted, m)
		}
	}
	if len(trusted) == 0 {
		return 0
	}
	const normal = 1.959963984540054 // 97.5 % of the normal distribution
	sample := newRun(trusted)
	centre, spread := sample.deviation()
	inside := 0
	for range 50 {
		next := sort.Search(len(rows), func(i int) bool { return rows[i].power > centre+3*spread })
		if next <= inside || next == 0 {
			break
		}
		inside = next
		sample = newRun(rows[:inside])
		centre, spread = sample.deviation()
	}
	// A limit for new rows: it allows for what the rows do not tell about the median, whose
	// variance is pi/2 of that of a mean, and about the deviation, 1.36 of the same.
	width := normal * math.Sqrt(1+(math.Pi/2+1.36*normal*normal)/math.Max(sample.total, 1))
	return math.Pow(centre+width*spread, 1.5)
}

// sortMembers sorts by distance. Where members differ in nothing else, as they mostly do, the
// distances alone are sorted, which takes a third of the time.
func sortMembers(rows []member) {
	if slices.ContainsFunc(rows, func(m member) bool { return m.weight != rows[0].weight || m.trusted != rows[0].trusted }) {
		slices.SortFunc(rows, func(a, b member) int { return cmp.Compare(a.power, b.power) })
		return
	}
	powers := make([]float64, len(rows))
	for i, m := range rows {
		powers[i] = m.power
	}
	slices.Sort(powers)
	for i, v := range powers {
		rows[i].power = v
	}
}

// run is a sorted sample with weights.
type run struct {
	values, weights []float64
	total           float64
}

func newRun(rows []member) run {
	r := run{values: make([]float64, len(rows)), weights: make([]float64, len(rows))}
	equal := true
	for i, m := range rows {
		r.values[i], r.weights[i] = m.power, m.weight
		r.total += m.weight
		equal = equal && m.weight == 1
	}
	if equal {
		r.weights = nil
	}
	return r
}

// deviation returns the median and the median absolute deviation, as a standard deviation
// of normal values, with the correction for few of them. Where more than half of the rows
// are at one distance the others tell.
func (r run) deviation() (centre, spread float64) {
	centre = univariate.SortedQuantile(r.values, r.weights, 0.5)
	// Deviations in order: from the median outwards on both sides.
	apart, weights := make([]float64, 0, len(r.values)), r.weights
	if weights != nil {
		weights = make([]float64, 0, len(r.values))
	}
	right, _ := slices.BinarySearch(r.values, centre)
	left := right - 1
	for left >= 0 || right < len(r.values) {
		next := right
		if right == len(r.values) || left >= 0 && centre-r.values[left] <= r.values[right]-centre {
			next = left
			left--
		} else {
			right++
		}
		apart = append(apart, math.Abs(r.values[next]-centre))
		if weights != nil {
			weights = append(weights, r.weights[next])
		}
	}
	spread = univariate.Normal * univariate.SortedQuantile(apart, weights, 0.5)
	if spread == 0 {
		spread = (univariate.SortedQuantile(r.values, r.weights, 0.95) - centre) / 1.6448536269514722
	}
	return centre, spread * (1 + 0.8/math.Max(r.total, 1))
}
