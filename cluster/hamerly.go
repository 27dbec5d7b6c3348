package cluster

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// assign gives every row its nearest center.
func (l *lloyd) assign(ctx context.Context) (*tally, error) {
	at := l.set(l.centers)
	if l.drift != nil {
		for c, g := range halfGaps(l.centers, l.d) {
			l.drift[c].half = g
		}
	}
	all, err := linalg.Pass(ctx, l.src,
		func() *tally { return &tally{groups: l.newGroups(l.k)} },
		func(a *tally, first int, block *mat.Dense) {
			l.choose(a.room, first, block)
			if len(a.wanted) > 0 {
				l.multiply(a.room, block, at)
				l.compare(a, first, block, at)
			}
		},
		func(into, from *tally) {
			into.merge(from.groups)
			into.changed += from.changed
			into.far = into.far || from.far
			into.inertia += from.inertia
			l.rooms.Put(from.room)
		})
	if err != nil {
		return nil, err
	}
	l.rooms.Put(all.room)
	if all.far { // sums would keep the rounding of rows that have left them
		again, err := l.sum(ctx, l.labels, nil, l.k)
		if err != nil {
			return nil, err
		}
		l.rooms.Put(again.room)
		l.sums, l.mass, l.count = again.sums, again.mass, again.count
		return all, nil
	}
	kernel.Daxpy(len(l.sums), 1, all.sums, 1, l.sums, 1)
	for c := range l.mass {
		l.mass[c] += all.mass[c]
		l.count[c] += all.count[c]
	}
	return all, nil
}

// choose lists the rows of a block that might have a new nearest center.
func (l *lloyd) choose(r *room, first int, block *mat.Dense) {
	rows, _ := block.Dims()
	if l.drift == nil { // the first step
		r.all(rows)
		return
	}
	if cap(r.wanted) < rows {
		r.wanted = make([]int, rows)
	}
	wanted, count := r.wanted[:rows], 0
	labels, upper, lower := l.labels[first:first+rows], l.upper[first:first+rows], l.lower[first:first+rows]
	for i, label := range labels {
		d := &l.drift[label]
		u, w := (upper[i]+d.rise)*(1+epsilon), (lower[i]-d.fall)*(1-epsilon)
		upper[i], lower[i] = u, w
		wanted[count] = i
		// Which rows are wanted is hard to foresee for a processor: no branches.
		count += above(u, w) & above(u, d.half)
	}
	r.wanted = wanted[:count]
}

// above is 1 where a > b.
func above(a, b float64) int {
	if a > b {
		return 1
	}
	return 0
}

// farOff is the squared distance from the origin, in those of most rows, from which sums are
// taken anew rather than corrected.
const farOff = 1e12

// compare finds the nearest and the second nearest center of the wanted rows.
func (l *lloyd) compare(a *tally, first int, block *mat.Dense, at *set) {
	factor, more := l.slack(a.room, at)
	for p, row := range a.wanted {
		i := first + row
		norm := l.norms[i]
		slack := factor * (norm + more)
		best, s, second := l.closest(a.room, p, block, at, norm, slack)
		// Bounds must hold in spite of rounding.
		l.upper[i] = math.Sqrt(s+slack) * (1 + 2*epsilon)
		if second < 0 {
			second = 0
		}
		l.lower[i] = math.Sqrt(second) * (1 - 2*epsilon) // +Inf with one center
		w := l.weight(i)
		a.inertia += w * s
		if old := int(l.labels[i]); old != best {
			l.labels[i] = int32(best)
			if w > 0 {
				a.changed++
				a.far = a.far || norm > farOff*l.typical
				x := a.row(p, block, l.origin)
				a.add(best, w, x)
				if old >= 0 {
					a.add(old, -w, x)
				}
			}
		}
	}
}

// halfGaps is half the distance of each center from the nearest other one: a row closer to
// its center than that has no nearer one.
func halfGaps(centers []float64, d int) []float64 {
	k := len(centers) / d
	out := make([]float64, k)
	for c := range out {
		out[c] = math.Inf(1)
	}
	for a := range k {
		for b := range a {
			g := math.Sqrt(linalg.SquaredDistance(centers[a*d:(a+1)*d], centers[b*d:(b+1)*d])) / 2 * (1 - 1e-12)
			out[a], out[b] = math.Min(out[a], g), math.Min(out[b], g)
		}
	}
	return out
}
