package cluster

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
)

// result is where one start led.
type result struct {
	start   int         // number of the start
	centers []float64   // k x d, less the origin
	steps   []irls.Step // none: the search ended before there was a whole state
	status  irls.Status
	// objective is what starts are compared by; for a robust loss it is known only when
	// all of them agree on a bandwidth, so the squared distances are kept for that.
	objective float64
	scale     float64
	squared   []float64
}

// lloyd is ordinary k-means from one start. The nearest center of most rows does not
// change in a step, and most of these rows need not even be looked at: with upper >= the
// distance of a row from its center and lower <= that from any other one, kept up by how
// far centers move, nothing changes while upper <= lower (Hamerly 2010). The rows that
// remain are compared with all centers by one matrix product for each block. Sums of rows
// follow the rows that change groups.
type lloyd struct {
	*table
	k       int
	centers []float64
	moved   []float64 // how far each center moved in the last step
	drift   []drift   // of the rows of each center; nil before the first step

	labels       []int32
	upper, lower []float64
	sums         []float64
	mass         []float64
	count        []int
}

// drift is how the bounds of the rows of a center change.
type drift struct {
	rise float64 // how far the center moved in the last step
	fall float64 // by how much the nearest other center may have come nearer
	half float64 // half the distance of the center from the nearest other one
}

// tally is what one stripe of rows reports.
type tally struct {
	*groups
	changed int
	far     bool    // a row far off changed groups
	inertia float64 // of the rows that were compared
}

func (t *table) lloyd(ctx context.Context, start []float64, maxSteps int, tol float64, onStep func(irls.Step)) (result, error) {
	k := len(start) / t.d
	l := &lloyd{
		table: t, k: k, centers: append([]float64(nil), start...), moved: make([]float64, k),
		labels: make([]int32, t.n), upper: make([]float64, t.n), lower: make([]float64, t.n),
		sums: make([]float64, k*t.d), mass: make([]float64, k), count: make([]int, k),
	}
	for i := range l.labels {
		l.labels[i] = -1
	}
	r := result{status: irls.StepLimit}
	record := func(objective, change float64) {
		s := irls.Step{Number: len(r.steps), Objective: objective, Effective: float64(t.counted), Change: change, Damping: 1}
		r.steps = append(r.steps, s)
		if onStep != nil {
			onStep(s)
		}
	}
	var err error
	for step := 1; step <= maxSteps; step++ {
		var found *tally
		if found, err = l.assign(ctx); err != nil {
			break
		}
		if step == 1 {
			record(found.inertia/t.total, 0)
		}
		if err = l.update(ctx); err != nil {
			break
		}
		shift := 0.0
		for _, m := range l.moved {
			shift += m * m
		}
		var now float64
		if now, err = l.objective(ctx); err != nil {
			break
		}
		record(now, math.Sqrt(shift/math.Max(t.variance(), math.SmallestNonzeroFloat64)))
		if step > 1 && found.changed == 0 || shift <= tol*t.variance() {
			r.status = irls.Converged
			break
		}
	}
	return r.ended(ctx, err, l.centers)
}

// ended makes of what a search has when it stops, with or without an error, a result.
func (r result) ended(ctx context.Context, err error, centers []float64) (result, error) {
	if err != nil {
		if ctx.Err() == nil || len(r.steps) == 0 {
			return r, err
		}
		r.status = irls.Cancelled
	}
	r.centers = centers
	r.objective = r.steps[len(r.steps)-1].Objective
	return r, nil
}

// update moves the centers to the means of their rows and fills groups that ran empty.
func (l *lloyd) update(ctx context.Context) error {
	for c := range l.k {
		if l.count[c] == 0 {
			if err := l.refill(ctx); err != nil {
				return err
			}
			break
		}
	}
	most, mover := [2]float64{}, 0 // the largest movement, and that of all others
	for c := range l.k {
		center := l.centers[c*l.d : (c+1)*l.d]
		l.moved[c] = 0
		if l.count[c] == 0 { // fewer different rows than centers
			continue
		}
		squared := 0.0
		for j := range center {
			v := l.sums[c*l.d+j] / l.mass[c]
			squared += (v - center[j]) * (v - center[j])
			center[j] = v
		}
		l.moved[c] = math.Sqrt(squared)
		if l.moved[c] > most[0] {
			most, mover = [2]float64{l.moved[c], most[0]}, c
		} else if l.moved[c] > most[1] {
			most[1] = l.moved[c]
		}
	}
	l.drift = make([]drift, l.k)
	for c, m := range l.moved {
		l.drift[c] = drift{rise: m, fall: most[0]}
		if c == mover {
			l.drift[c].fall = most[1]
		}
	}
	return nil
}

// refill gives every empty group the row that is furthest from its center, among groups
// of more than one row. That lowers the objective, as the row is then at its center.
func (l *lloyd) refill(ctx context.Context) error {
	squared, labels := make([]float64, l.n), make([]int32, l.n)
	if err := l.nearest(ctx, l.centers, labels, squared); err != nil {
		return err
	}
	for c := range l.k {
		if l.count[c] > 0 {
			continue
		}
		l.mass[c] = 0
		clear(l.sums[c*l.d : (c+1)*l.d])
		far := -1
		for i, s := range squared {
			if s > 0 && l.weight(i) > 0 && l.count[l.labels[i]] > 1 && (far < 0 || s > squared[far]) {
				far = i
			}
		}
		if far < 0 {
			continue
		}
		x, err := l.pick(ctx, []int{far})
		if err != nil {
			return err
		}
		g := groups{sums: l.sums, mass: l.mass, count: l.count}
		g.add(int(l.labels[far]), -l.weight(far), x)
		g.add(c, l.weight(far), x)
		l.labels[far], squared[far] = int32(c), 0
	}
	for i := range l.upper { // all rows meet the new centers
		l.upper[i] = math.Inf(1)
	}
	return nil
}

// objective is the mean squared distance of rows from the means of their groups: the mean
// square of the rows less that of the means, or measured directly where that cancels.
func (l *lloyd) objective(ctx context.Context) (float64, error) {
	kept := 0.0
	for c := range l.k {
		center := l.centers[c*l.d : (c+1)*l.d]
		if l.count[c] > 0 {
			kept += l.mass[c] * kernel.Ddot(l.d, center, 1, center, 1)
		}
	}
	if left := l.scatter - kept; left > 1e-4*l.scatter {
		return left / l.total, nil
	}
	return l.within(ctx, l.centers, l.labels)
}

// within is the mean squared distance of the rows from their own centers, measured directly.
func (t *table) within(ctx context.Context, centers []float64, labels []int32) (float64, error) {
	sum, err := linalg.Pass(ctx, t.src,
		func() *groups { return &groups{mass: make([]float64, 1), room: t.room()} },
		func(g *groups, first int, block *mat.Dense) {
			rows, _ := block.Dims()
			g.rows = grown(g.rows, t.d)
			for i := range rows {
				if w := t.weight(first + i); w > 0 {
					c := int(labels[first+i]) * t.d
					subtract(g.rows, block.RawRowView(i), t.origin)
					g.mass[0] += w * linalg.SquaredDistance(g.rows, centers[c:c+t.d])
				}
			}
		},
		func(into, from *groups) { into.mass[0] += from.mass[0]; t.rooms.Put(from.room) })
	if err != nil {
		return 0, err
	}
	t.rooms.Put(sum.room)
	return sum.mass[0] / t.total, nil
}

// epsilon is the distance from 1 to the next larger float64.
const epsilon = 0x1p-52
