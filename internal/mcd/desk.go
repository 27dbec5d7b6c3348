package mcd

import (
	"math"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

var kernels fastblas.Implementation

// desk is the room for steps among the points of a trial: the points chosen, and where they are.
type desk struct {
	*trial
	chosen        []int
	packed        []float64 // k x chosen: their coordinates
	squared, room []float64 // of rows: distances; what is needed for them
	lower         []float64 // k x k, L
	place
}

func newDesk(t *trial) *desk {
	d := &desk{trial: t, chosen: make([]int, 0, t.rows), packed: make([]float64, t.k*t.rows)}
	d.squared, d.room = make([]float64, t.rows), make([]float64, t.rows)
	d.centre, d.inverse, d.lower = make([]float64, t.k), make([]float64, t.k*t.k), make([]float64, t.k*t.k)
	return d
}

// move goes to a place.
func (d *desk) move(to place) {
	copy(d.centre, to.centre)
	copy(d.inverse, to.inverse)
	d.logDet = to.logDet
}

// steps goes from the chosen points to the half near them, so many times or until it stands still.
func (d *desk) steps(count int) place {
	before := math.Inf(1)
	if d.locate(); !math.IsInf(d.logDet, 1) {
		for s := range count {
			d.half()
			if d.locate(); s > 0 && !(d.logDet < before-still) {
				break
			}
			before = d.logDet
		}
	}
	out := place{make([]float64, d.k), make([]float64, d.k*d.k), d.logDet}
	copy(out.centre, d.centre)
	copy(out.inverse, d.inverse)
	return out
}

// locate finds where the chosen points are.
func (d *desk) locate() {
	d.logDet = math.Inf(1)
	h, k := len(d.chosen), d.k
	for i := range k {
		from, to := d.column(i), d.packed[i*h:(i+1)*h]
		even, odd := 0.0, 0.0
		for a, row := range d.chosen {
			v := from[row]
			to[a] = v
			even, odd = odd, even+v
		}
		d.centre[i] = (even + odd) / float64(h)
		for j := range i + 1 {
			d.lower[i*k+j] = kernels.Ddot(h, to, 1, d.packed[j*h:], 1)/float64(h) - d.centre[i]*d.centre[j]
		}
		d.lower[i*k+i] += d.ridge
	}
	logDet := 0.0
	for i := range k { // Cholesky, and the inverse row by row
		row := d.lower[i*k : i*k+i+1]
		for j := range i {
			row[j] = (row[j] - inner(row[:j], d.lower[j*k:])) / d.lower[j*k+j]
		}
		pivot := row[i] - inner(row[:i], row)
		if !(pivot > pivotPart*row[i]) && d.ridge == 0 || !(pivot > 0) {
			return
		}
		row[i] = math.Sqrt(pivot)
		logDet += math.Log(pivot)
		for j := range i + 1 {
			s := 0.0
			if j == i {
				s = 1
			}
			for l := j; l < i; l++ {
				s -= row[l] * d.inverse[l*k+j]
			}
			d.inverse[i*k+j] = s / row[i]
		}
	}
	d.logDet = logDet
}

// pivotPart is the part of a variance that other columns must leave where there is no ridge.
const pivotPart = 1e-12

// half chooses the half of the points nearest to where the desk is.
func (d *desk) half() {
	for i := range d.k {
		row := d.inverse[i*d.k : i*d.k+i+1]
		shift, first := -inner(row, d.centre), row[0]
		room := d.room
		for a, v := range d.column(0)[:len(room)] {
			room[a] = shift + first*v
		}
		for j, v := range row[1:] {
			kernels.Daxpy(d.rows, v, d.column(j+1), 1, d.room, 1)
		}
		if i == 0 {
			clear(d.squared)
		}
		squared := d.squared[:len(room)]
		for a, v := range room {
			squared[a] += v * v
		}
	}
	copy(d.room, d.squared)
	limit := univariate.Select(d.room, d.inHalf-1)
	ties := d.inHalf // of the points at the limit, those that come first
	for _, v := range d.room[:d.inHalf] {
		if v < limit {
			ties--
		}
	}
	d.chosen = d.chosen[:0]
	for a, v := range d.squared {
		if v > limit {
			continue
		}
		if v == limit {
			if ties == 0 {
				continue
			}
			ties--
		}
		d.chosen = append(d.chosen, a)
	}
}

func inner(x, y []float64) float64 {
	s := 0.0
	for i, v := range x {
		s += v * y[i]
	}
	return s
}
