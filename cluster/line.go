package cluster

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/irls"
)

// line is a table of one column in order. A group of k-means is a run of it, and running
// sums give the mean of a run at once: a step costs a search for the ends of the runs
// instead of a pass over the rows. Running sums are kept to twice the usual digits, so
// that neither their length nor rows far off show in their differences.
type line struct {
	x       []float64 // offsets from the origin, ascending
	weights []sum     // running sum of the weights, one entry more; nil: ones
	first   []sum     // of weights * x
	second  []sum     // of weights * x^2
}

// sum is a number as the sum of two, the second far smaller than the first.
type sum struct{ high, low float64 }

// plus adds a and b (Dekker's sum with the error of the high parts kept).
func (a sum) plus(b sum) sum {
	high := a.high + b.high
	t := high - a.high
	low := (a.high - (high - t)) + (b.high - t) + a.low + b.low
	total := high + low
	return sum{total, low - (total - high)}
}

func (a sum) minus(b sum) sum { return a.plus(sum{-b.high, -b.low}) }

// times multiplies by a plain number.
func (a sum) times(b float64) sum {
	high := a.high * b
	low := math.FMA(a.high, b, -high) + a.low*b
	total := high + low
	return sum{total, low - (total - high)}
}

// ordered returns the table as a line, made once.
func (t *table) ordered(ctx context.Context) (*line, error) {
	var err error
	t.sorted.Do(func() { t.line, err = t.makeLine(ctx) })
	if err == nil && t.line == nil { // cancelled in another start
		err = ctx.Err()
	}
	return t.line, err
}

func (t *table) makeLine(ctx context.Context) (*line, error) {
	rows := t.countedRows()
	x, err := t.pick(ctx, rows)
	if err != nil {
		return nil, err
	}
	l := &line{x: x, first: make([]sum, len(x)+1), second: make([]sum, len(x)+1)}
	if t.weights == nil {
		univariate.Sort(x)
		for i, v := range x {
			l.first[i+1] = l.first[i].plus(sum{high: v})
			l.second[i+1] = l.second[i].plus(sum{high: v}.times(v))
		}
		return l, ctx.Err()
	}
	slices.SortFunc(rows, func(a, b int) int { return cmp.Compare(t.norms[a], t.norms[b]) })
	if x, err = t.pick(ctx, rows); err != nil {
		return nil, err
	}
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	l.x, l.weights = make([]float64, len(x)), make([]sum, len(x)+1)
	for i, a := range order {
		v, w := x[a], t.weights[rows[a]]
		l.x[i] = v
		l.weights[i+1] = l.weights[i].plus(sum{high: w})
		l.first[i+1] = l.first[i].plus(sum{high: w}.times(v))
		l.second[i+1] = l.second[i].plus(sum{high: v}.times(v).times(w))
	}
	return l, ctx.Err()
}

// mass is the weight of the run from a to b-1.
func (l *line) mass(a, b int) float64 {
	if l.weights == nil {
		return float64(b - a)
	}
	return l.weights[b].minus(l.weights[a]).high
}

// mean of a run.
func (l *line) mean(a, b int) float64 {
	s := l.first[b].minus(l.first[a])
	return s.high / l.mass(a, b)
}

// spread is the sum of the weighted squared distances of a run from c.
func (l *line) spread(a, b int, c float64) float64 {
	s := l.second[b].minus(l.second[a])
	s = s.minus(l.first[b].minus(l.first[a]).times(2 * c))
	s = s.plus(sum{high: l.mass(a, b)}.times(c).times(c))
	return math.Max(0, s.high)
}

// runs are the groups on a line: group c has the rows from[c] to to[c]-1.
type runs struct{ from, to []int }

// assign gives every row its nearest center; among centers at the same distance the first
// counts.
func (l *line) assign(centers []float64) runs {
	k := len(centers)
	r := runs{make([]int, k), make([]int, k)}
	order := make([]int, k)
	for c := range order {
		order[c] = c
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(centers[a], centers[b]) })
	begin, left := 0, order[0]
	for _, right := range order[1:] {
		low, high := centers[left], centers[right]
		if low == high { // the first of them has all rows
			continue
		}
		end := begin + sort.Search(len(l.x)-begin, func(i int) bool {
			v := l.x[begin+i]
			if v <= low || v >= high {
				return v >= high
			}
			down, up := v-low, high-v
			return up < down || up == down && right < left
		})
		r.from[left], r.to[left] = begin, end
		begin, left = end, right
	}
	r.from[left], r.to[left] = begin, len(l.x)
	return r
}

// onLine is lloyd for a table of one column: the same steps and the same results.
func (t *table) onLine(ctx context.Context, start []float64, maxSteps int, tol float64, onStep func(irls.Step)) (result, error) {
	l, err := t.ordered(ctx)
	if err != nil {
		return result{}, err
	}
	centers, r := slices.Clone(start), result{status: irls.StepLimit}
	record := func(at runs, change float64) {
		within := 0.0
		for c := range centers {
			within += l.spread(at.from[c], at.to[c], centers[c])
		}
		s := irls.Step{Number: len(r.steps), Objective: within / t.total, Effective: float64(t.counted), Change: change, Damping: 1}
		r.steps = append(r.steps, s)
		if onStep != nil {
			onStep(s)
		}
	}
	var before runs
	for step := 1; step <= maxSteps; step++ {
		if err = ctx.Err(); err != nil {
			break
		}
		now := l.assign(centers)
		if step == 1 {
			record(now, 0)
		}
		same := slices.Equal(now.from, before.from) && slices.Equal(now.to, before.to)
		next := slices.Clone(centers)
		l.refill(now, centers, next)
		before = now
		shift := 0.0
		for c := range centers {
			if a, b := now.from[c], now.to[c]; a < b {
				next[c] = l.mean(a, b)
			}
			shift += (next[c] - centers[c]) * (next[c] - centers[c])
		}
		centers = next
		record(now, math.Sqrt(shift/math.Max(t.variance(), math.SmallestNonzeroFloat64)))
		if step > 1 && same || shift <= tol*t.variance() {
			r.status = irls.Converged
			break
		}
	}
	return r.ended(ctx, err, centers)
}

// refill gives every group without rows the row that is furthest from its center, among
// groups of more than one row: an end of a run. The group then has no run of its own but
// stands at that row, which its old group gives away.
func (l *line) refill(r runs, centers, next []float64) {
	for c := range centers {
		if r.from[c] < r.to[c] {
			continue
		}
		far, from, most := -1, -1, 0.0
		for g := range centers {
			if r.to[g]-r.from[g] < 2 {
				continue
			}
			for _, i := range [2]int{r.from[g], r.to[g] - 1} {
				if d := math.Abs(l.x[i] - centers[g]); d > most {
					far, from, most = i, g, d
				}
			}
		}
		if far < 0 {
			return
		}
		if far == r.from[from] {
			r.from[from]++
		} else {
			r.to[from]--
		}
		next[c] = l.x[far]
		r.from[c], r.to[c] = far, far+1
	}
}
