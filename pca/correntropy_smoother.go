package pca

import (
	"context"
	"math"
	"sort"

	"gonum.org/v1/gonum/mat"
)

// smoother holds, for every column i, the function g_i(t): the mean of kappa(x - t) over
// the column's values x.
type smoother struct {
	sigma      float64
	expansions []expansion
	means      *mat.Dense  // L x features: mean of each feature less its base; nil without expansions
	points     [][]float64 // per column: values that no expansion holds, ascending
	pointMass  [][]float64 // their weights
}

// newSmoother chooses expansions for the columns' values and takes the means.
func newSmoother(ctx context.Context, columns [][]float64, mass []float64, sigma float64) (*smoother, error) {
	s := &smoother{sigma: sigma, points: make([][]float64, len(columns)), pointMass: make([][]float64, len(columns))}
	parts := segments(columns, sigma)
	for _, p := range parts {
		cost := expansionCost(p.lo, p.hi, sigma) * float64(len(columns))
		if cost < float64(p.count) || (len(parts) == 1 && p.hi-p.lo <= 2*sigma) {
			s.expansions = append(s.expansions, newExpansion(p.lo, p.hi, sigma))
		}
	}
	if f := s.features(); f > 0 {
		s.means = mat.NewDense(len(columns), f, nil)
	}
	return s, eachColumn(ctx, len(columns), func(i int) { s.take(i, columns[i], mass) })
}

// features is the number of features of all expansions.
func (s *smoother) features() int {
	n := 0
	for _, e := range s.expansions {
		n += e.count
	}
	return n
}

// whole tells whether one Hermite expansion holds everything.
func (s *smoother) whole() bool {
	if len(s.expansions) != 1 || s.expansions[0].period != 0 {
		return false
	}
	for _, p := range s.points {
		if len(p) > 0 {
			return false
		}
	}
	return true
}

// take fills in the means and points of column i. Sums are formed in runs, so that
// rounding stays small.
func (s *smoother) take(i int, column, mass []float64) {
	weights, widest := s.weights()
	var left []int
	out, run := make([]float64, widest), make([]float64, s.features())
	flush := func() {
		if s.means == nil {
			return
		}
		means := s.means.RawRowView(i)
		for f, v := range run {
			means[f] += v
			run[f] = 0
		}
	}
	for k, v := range column {
		held, first := s.holder(v), 0
		if held < 0 {
			left = append(left, k)
		}
		for h, e := range s.expansions {
			if h == held {
				e.evaluate(v, weights[h], out[:e.count])
				for f, a := range out[:e.count] {
					run[first+f] += mass[k] * a
				}
			} else {
				run[first] -= mass[k] * e.base()
			}
			first += e.count
		}
		if k%512 == 511 {
			flush()
		}
	}
	flush()
	sort.SliceStable(left, func(a, b int) bool { return column[left[a]] < column[left[b]] })
	for _, k := range left {
		s.points[i] = append(s.points[i], column[k])
		s.pointMass[i] = append(s.pointMass[i], mass[k])
	}
}

// weights returns every expansion's weights and the largest number of features.
func (s *smoother) weights() (weights [][]float64, widest int) {
	weights = make([][]float64, len(s.expansions))
	for j, e := range s.expansions {
		weights[j], widest = e.weights(), max(widest, e.count)
	}
	return weights, widest
}

// holder is the index of the expansion whose segment holds v, or -1. Segments are far
// apart, so a little slack at their ends is harmless.
func (s *smoother) holder(v float64) int {
	j := sort.Search(len(s.expansions), func(j int) bool { return v <= s.expansions[j].mid+s.expansions[j].half+s.sigma })
	if j < len(s.expansions) && v >= s.expansions[j].mid-s.expansions[j].half-s.sigma {
		return j
	}
	return -1
}

// cross is the mean of kappa(x - y) over all values x of column i and y of column j.
func (s *smoother) cross(i, j int) float64 {
	total := 0.0
	for k, t := range s.points[i] {
		total += s.pointMass[i][k] * s.near(j, t)
	}
	if s.means == nil {
		return total
	}
	a, b, f := s.means.RawRowView(i), s.means.RawRowView(j), 0
	for _, e := range s.expansions {
		total += (a[f] + e.base()) * (b[f] + e.base())
		for k := f + 1; k < f+e.count; k++ {
			total += a[k] * b[k]
		}
		f += e.count
	}
	return total
}

// near is the part of g_i(t) that the column's points make: those within reach of t.
func (s *smoother) near(i int, t float64) float64 {
	y, reach := s.points[i], kernelReach*s.sigma
	sum := 0.0
	for m := sort.SearchFloat64s(y, t-reach); m < len(y) && y[m] <= t+reach; m++ {
		u := (t - y[m]) / s.sigma
		sum += s.pointMass[i][m] * math.Exp(-u*u/2)
	}
	return sum
}

// reader evaluates the centred functions g_i(t) - mean_k g_i(x_ki).
type reader struct {
	*smoother
	weights [][]float64
	widest  int
	rest    []float64 // the points' part of the mean
	level   []float64 // the mean of g_i over the training rows, which uncentred scores keep; nil: centred
}

func (s *smoother) reader() *reader {
	r := &reader{smoother: s, rest: make([]float64, len(s.points))}
	r.weights, r.widest = s.weights()
	for i := range r.rest {
		for k, t := range s.points[i] {
			r.rest[i] += s.pointMass[i][k] * s.near(i, t)
		}
	}
	return r
}

// at evaluates column i's centred function; buffer has room for the widest expansion.
// Every feature is centred by itself, which loses no digits for a wide kernel.
func (r *reader) at(i int, t float64, buffer []float64) float64 {
	sum, f := r.near(i, t)-r.rest[i], 0
	for h, e := range r.expansions {
		out, means := buffer[:e.count], r.means.RawRowView(i)[f:f+e.count]
		e.evaluate(t, r.weights[h], out)
		sum += (means[0] + e.base()) * (out[0] - means[0])
		for k := 1; k < len(out); k++ {
			sum += means[k] * (out[k] - means[k])
		}
		f += e.count
	}
	return sum
}
