package mcd

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

const (
	// mostStarts and fewestStarts bound the number of simplices that are tried; in between it
	// is what the work allows: points times squared columns, with so many more for selecting.
	mostStarts, fewestStarts = 300, 20
	mostWork, selecting      = 2e7, 50
	// Starts are tried on firstPoints, the better ones on morePoints, at least so many per column.
	firstPoints, firstEach = 120, 6
	morePoints, moreEach   = 400, 10
	// semifinalists take a step among more points, finalists go on until they stand still
	// there, and those of the last that differ among all points.
	semifinalists, finalists, last = 60, 10, 3
	// pieces is how many parts trials are dealt into.
	pieces = 16
)

// Search returns the half of the points with the smallest determinant found from simplices
// drawn at random, some of which should be free of outliers, and from the points near their
// coordinatewise median, of which the coordinates should have like spread. As in Rousseeuw and
// Van Driessen 1999 starts are cheap and few go on, here from few points to all. The half is as
// [Points.Densest] makes it.
func (p *Points) Search(ctx context.Context, seed uint64) (*Bulk, error) {
	few, more := p.trial(firstPoints, firstEach, seed), p.trial(morePoints, moreEach, seed)
	count := max(fewestStarts, min(mostStarts, mostWork/(few.rows*(p.k*p.k+selecting))))
	starts := few.simplices(count, seed)
	places := make([]place, count+1)
	err := few.each(ctx, places, 1, func(d *desk, s int) {
		if s == count {
			d.move(few.middle())
			d.half()
			return
		}
		d.chosen = append(d.chosen[:0], starts[s]...)
	})
	for _, round := range []struct{ places, steps int }{{semifinalists, 0}, {finalists, mostSteps}} {
		if err != nil {
			return nil, err
		}
		places = best(places, round.places)
		err = more.each(ctx, places, round.steps, func(d *desk, s int) {
			d.move(places[s])
			d.half()
		})
	}
	if err != nil {
		return nil, err
	}
	var found *Bulk
	for _, at := range best(places, last) {
		next := p.concentrate(p.bulkOf(at))
		if next == nil {
			continue
		}
		if err := p.settle(ctx, &next); err != nil {
			return nil, err
		}
		if found == nil || next.logDet < found.logDet {
			found = next
		}
	}
	if found == nil {
		return nil, nil
	}
	return p.consistent(found), nil
}

// each replaces every place by where so many steps lead from the points that choose chooses.
func (t *trial) each(ctx context.Context, places []place, steps int, choose func(d *desk, s int)) error {
	linalg.Parallel(min(pieces, len(places)), func(piece int) {
		d := newDesk(t)
		for s := piece; s < len(places) && ctx.Err() == nil; s += pieces {
			choose(d, s)
			places[s] = d.steps(steps)
		}
	})
	return ctx.Err()
}

// trial are the points that starts are tried on, a column after the other, about the origin: all,
// each as often as it counts, or a sample of about most, and at least each per column.
type trial struct {
	rows, k int
	inHalf  int
	ridge   float64
	columns []float64 // k x rows
}

func (p *Points) trial(most, each int, seed uint64) *trial {
	size := int(max(1, min(math.Ceil(p.total*(1-1e-12)), float64(max(most, each*p.k)))))
	rows := univariate.NewRows(p.n, p.w).Spaced(size, random.New(seed, "trial points").Float64)
	t := &trial{rows: size, k: p.k, ridge: p.ridge, inHalf: min(size, (size+p.k+1)/2), columns: make([]float64, p.k*size)}
	for a, i := range rows {
		for j, v := range p.x.RawRowView(i) {
			t.columns[j*size+a] = v - p.origin[j]
		}
	}
	return t
}

// middle is the origin, where the half nearest to it is another start.
func (t *trial) middle() place {
	at := place{centre: make([]float64, t.k), inverse: make([]float64, t.k*t.k)}
	for j := range t.k {
		at.inverse[j*t.k+j] = 1
	}
	return at
}

func (t *trial) column(j int) []float64 { return t.columns[j*t.rows : (j+1)*t.rows] }

// simplices lists the corners of so many.
func (t *trial) simplices(count int, seed uint64) [][]int {
	draw := random.New(seed, "simplices")
	corners := min(t.k+1, t.rows)
	out := make([][]int, count)
	for s := range out {
		list := make([]int, 0, corners)
		for len(list) < corners {
			if i := draw.IntN(t.rows); !slices.Contains(list, i) {
				list = append(list, i)
			}
		}
		out[s] = list
	}
	return out
}

// place is where some points are: their centre about the origin and the inverse of L in
// scatter = L L'. The logarithm of the determinant is +Inf where there is no place.
type place struct {
	centre, inverse []float64
	logDet          float64
}

// best are so many different places, those of the smallest volume first.
func best(places []place, count int) []place {
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(a.logDet, b.logDet) })
	var out []place
	for _, at := range places {
		if math.IsInf(at.logDet, 1) || len(out) == count {
			break
		}
		if len(out) == 0 || at.logDet > out[len(out)-1].logDet+still {
			out = append(out, at)
		}
	}
	return out
}

// bulkOf is the bulk at a place.
func (p *Points) bulkOf(at place) *Bulk {
	b := &Bulk{Centre: make([]float64, p.k), inverse: mat.NewDense(p.k, p.k, at.inverse), logDet: at.logDet}
	for j, v := range at.centre {
		b.Centre[j] = p.origin[j] + v
	}
	return b
}
