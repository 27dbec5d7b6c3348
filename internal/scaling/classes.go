package scaling

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

const (
	// classReach is how many robust deviations from the middle of a class a value is at least
	// allowed, and rareClassReach how many where many rows of a class are equal.
	classReach     = 10
	rareClassReach = 50
	// equalShare is the share of the rows in the very middle of their class from which on the
	// others alone tell about spreads.
	equalShare = 0.25
	// tailStep is the factor by which a reach grows, and tailFall how much smaller the share
	// outside must have become within the last such stretch for what lies outside to be a tail.
	tailStep = 3
	tailFall = 0.75
	// tailShare is the share of the rows in the last stretch from which on further rows may
	// well lie beyond it, where none of those at hand does.
	tailShare = 0.02
	// classSample is the number of rows from which all classes together are learned, and
	// leastClassSample the most rows of each that count in any case.
	classSample      = 2048
	leastClassSample = 200
	// fewestPooled is the number of rows from which a class says something about the others' spreads.
	fewestPooled = 3
	// fewestTogether is the number of rows from which the middle of a class is no dirt, whatever the other classes are,
	// and middleReach up to where it may lie, in distances of the limits of clipping from their middle.
	fewestTogether = 4
	middleReach    = 4
)

// Classes tells where the rows of each class lie: a row is near a class if every value
// is within Reach of Center. Both have one row for each class and one column for each input.
// A class without rows has a negative reach: nothing is near it.
type Classes struct{ Center, Reach *mat.Dense }

// FitClasses learns where classes lie from rows with labels; weights nil means ones. Far
// values and a minority of wrong labels change nothing, a class that lies far out as a whole
// is where it is, and spreads are taken within classes, column by column.
//
// The reach is ten robust deviations, the larger of the class's own and of all classes', and
// grows as long as a column has a tail: values that become fewer from stretch to stretch
// without a gap. Dirt stands apart. Nor is it dirt if a quarter of the rows lie there. Where
// many rows of a class have one value, the deviation is that of the others, in this column or
// in columns like it: a pixel that is lit in few rows is nothing strange.
func FitClasses(ctx context.Context, x *mat.Dense, labels []int, classes int, weights []float64) *Classes {
	_, d := x.Dims()
	out := &Classes{mat.NewDense(classes, d, nil), mat.NewDense(classes, d, nil)}
	members := sampleClasses(labels, classes, weights)
	columns := make([]spreads, d)
	if linalg.ParallelUntil(ctx, d, func(j int) {
		columns[j].learn(x, j, members, out)
	}) != nil {
		return out // half of it, which the caller throws away
	}
	var rares []float64
	widest := 0.0
	for _, c := range columns {
		widest = max(widest, c.pooled)
		if c.rare > 0 {
			rares = append(rares, c.rare)
		}
	}
	rare := 0.0
	if rares != nil {
		rare = univariate.MedianOf(rares)
	}
	_ = linalg.ParallelUntil(ctx, d, func(j int) {
		columns[j].extend(j, members, out, rare, widest)
	})
	return out
}

// member is the part of a class from which its place is learned.
type member struct {
	rows    []int
	weights []float64 // nil: ones; of all classes or of none
	count   float64   // rows of the class, as often as they count
}

// sampleClasses lists the rows of each class, or as many as are needed of large ones.
func sampleClasses(labels []int, classes int, weights []float64) []member {
	out := make([]member, classes)
	for i, l := range labels {
		if weights == nil {
			out[l].rows = append(out[l].rows, i)
			out[l].count++
		} else if weights[i] > 0 {
			out[l].rows, out[l].weights = append(out[l].rows, i), append(out[l].weights, weights[i])
			out[l].count += weights[i]
		}
	}
	most := max(classSample/max(classes, 1), leastClassSample)
	large := false
	for _, m := range out {
		large = large || m.count > float64(most)
	}
	if !large {
		return out
	}
	for l, m := range out {
		sample := univariate.NewRows(len(m.rows), m.weights).Spaced(min(most, int(math.Ceil(m.count))), univariate.Staggered())
		for k, at := range sample {
			sample[k] = m.rows[at]
		}
		out[l] = member{rows: sample, count: m.count}
	}
	return out
}

// spreads is what is known of one column.
type spreads struct {
	away, weights []float64 // distances of rows from the middle of their class; weights nil: ones
	from          []int     // class of each
	pooled        float64   // robust deviation within classes
	equal         bool      // many rows have one value
	rare          float64   // median distance of the others, where that is so
}

// learn finds the middle of each class, writes its own deviation to where its reach will
// be, and pools the distances from there.
func (s *spreads) learn(x *mat.Dense, j int, members []member, out *Classes) {
	size := 0
	for _, m := range members {
		size += len(m.rows)
	}
	column := make([]float64, 0, size)
	s.away, s.from = make([]float64, 0, size), make([]int, 0, size)
	for l, m := range members {
		if len(m.rows) == 0 {
			out.Reach.Set(l, j, -1)
			continue
		}
		column = column[:0]
		for _, i := range m.rows {
			column = append(column, x.At(i, j))
		}
		center, deviation := univariate.WeightedDeviation(column, m.weights)
		out.Center.Set(l, j, min(max(center, -math.MaxFloat64), math.MaxFloat64))
		// a deviation of few rows may be small by chance
		out.Reach.Set(l, j, min(deviation*(1+classReach/m.count), math.MaxFloat64))
		if m.count < fewestPooled {
			continue
		}
		for _, v := range column {
			s.away = append(s.away, min(math.Abs(v-center), math.MaxFloat64))
		}
		s.counted(l, m)
	}
	if len(s.away) == 0 { // all classes are tiny
		column = column[:0]
		for l, m := range members {
			for _, i := range m.rows {
				column = append(column, x.At(i, j))
			}
			s.counted(l, m)
		}
		center := univariate.WeightedMedian(column, s.weights)
		for _, v := range column {
			s.away = append(s.away, min(math.Abs(v-center), math.MaxFloat64))
		}
	}
	s.pooled = univariate.Normal * univariate.WeightedMedian(s.away, s.weights)
	if s.equal = s.middle() > equalShare; s.equal {
		s.rare, _ = rare(s.away, s.weights, 0)
		s.rare = max(s.rare, s.pooled)
	}
}

// middle is the share of the rows in the very middle of their class.
func (s *spreads) middle() float64 {
	there, total := 0.0, 0.0
	for i, v := range s.away {
		a := 1.0
		if s.weights != nil {
			a = s.weights[i]
		}
		if total += a; v == 0 {
			there += a
		}
	}
	return there / total
}

// counted notes the class of its rows and how often they count.
func (s *spreads) counted(l int, m member) {
	for range m.rows {
		s.from = append(s.from, l)
	}
	s.weights = append(s.weights, m.weights...)
}

// extend turns the deviations of the classes into reaches. rare is the deviation of columns
// in which many rows are equal, widest the largest of all.
func (s *spreads) extend(j int, members []member, out *Classes, rare, widest float64) {
	least, reach := s.pooled, float64(classReach)
	if s.equal {
		least, reach = max(s.rare, rare), rareClassReach
	}
	unit := make([]float64, len(members))
	for l, m := range members {
		if len(m.rows) == 0 {
			continue
		}
		if unit[l] = max(out.Reach.At(l, j), least); unit[l] == 0 { // nothing is known
			unit[l] = max(widest, math.Abs(out.Center.At(l, j))) * (absurd / reach)
		}
		if unit[l] == 0 {
			unit[l] = math.MaxFloat64
		}
	}
	for i, v := range s.away {
		s.away[i] = v / unit[s.from[i]]
	}
	beyond := func(c float64) float64 {
		sum := 0.0
		for i, v := range s.away {
			if v > c && s.weights != nil {
				sum += s.weights[i]
			} else if v > c {
				sum++
			}
		}
		return sum
	}
	total := beyond(-1)
	few := tailShare * total
	for {
		outside, before := beyond(reach), beyond(reach/tailStep)
		if group := outside > dirtShare*total; !group && (reach > absurd || outside > tailFall*before || outside == 0 && before <= few) {
			break
		}
		reach *= tailStep
		few = 0 // a tail: the last stretch is empty
	}
	for l, m := range members {
		if len(m.rows) > 0 {
			out.Reach.Set(l, j, min(unit[l]*reach, math.MaxFloat64))
		}
	}
}

// Far tells whether a row is far from every class: in each, some value is out of reach.
func (c *Classes) Far(row []float64) bool {
	if c == nil {
		return false
	}
	classes, _ := c.Center.Dims()
next:
	for l := range classes {
		center, reach := c.Center.RawRowView(l), c.Reach.RawRowView(l)
		for j, v := range row {
			if math.Abs(v-center[j]) > reach[j] {
				continue next
			}
		}
		return false
	}
	return true
}

// FarRows tells which rows are far from every class; nil: none is.
func (c *Classes) FarRows(x *mat.Dense) []bool {
	n, _ := x.Dims()
	out := make([]bool, n)
	linalg.Spans(n, func(from, to int) {
		for i := from; i < to; i++ {
			out[i] = c.Far(x.RawRowView(i))
		}
	})
	if !slices.Contains(out, true) {
		return nil
	}
	return out
}

// middles gives those of the classes that have rows enough, as often as they count, column by column.
func (c *Classes) middles(labels []int, weights []float64) func(j int) []float64 {
	classes, _ := c.Center.Dims()
	count := make([]float64, classes)
	counts, _ := univariate.Counted(len(labels), weights)
	for i, l := range labels {
		if counts == nil {
			count[l]++
		} else {
			count[l] += counts[i]
		}
	}
	return func(j int) []float64 {
		var out []float64
		for l, rows := range count {
			if rows >= fewestTogether {
				out = append(out, c.Center.At(l, j))
			}
		}
		return out
	}
}

// reaching widens limits so that no class is pulled in as a whole, which would tell it from the others no longer. What lies
// much farther out is bounded as before: a column in which a class has a mark for missing values keeps its unit.
func reaching(middles []float64, low, high float64) (float64, float64) {
	middle, half := low/2+high/2, high/2-low/2
	least, most := middle-middleReach*half, middle+middleReach*half
	out := [2]float64{low, high}
	for _, v := range middles {
		if least <= v && v <= most {
			out[0], out[1] = min(out[0], v), max(out[1], v)
		}
	}
	return out[0], out[1]
}
