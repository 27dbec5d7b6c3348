package cluster

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// rescaled is a table in other units, with numbers beyond a limit put there, made while it
// is read.
type rescaled struct {
	linalg.Source
	unit  float64 // what a number of the table counts here, a power of two
	limit float64
}

func (r rescaled) Scan(ctx context.Context, visit func(first int, block *mat.Dense) error) error {
	var room []float64
	return r.Source.Scan(ctx, func(first int, block *mat.Dense) error {
		rows, d := block.Dims()
		room = grown(room, rows*d)
		for i := range rows {
			for j, v := range block.RawRowView(i) {
				room[i*d+j] = math.Max(-r.limit, math.Min(r.limit, v*r.unit))
			}
		}
		return visit(first, mat.NewDense(rows, d, room))
	})
}

// farLimit is where far numbers are put that will have no vote.
const farLimit = 0x1p450

// inRange gives a table whose squares overflow, or vanish, in units in which they do not.
// Where far rows lose their vote anyway (clip) and most rows are not far, only they are moved,
// to a place that is still absurdly far, so that the others keep all their digits; otherwise
// the whole table is rescaled, by a power of two, which costs no digit of numbers that are not 1e300 times smaller than the largest.
func inRange(ctx context.Context, src linalg.Source, clip, mostFar bool) (rescaled, error) {
	most := 0.0
	err := src.Scan(ctx, func(_ int, block *mat.Dense) error {
		rows, _ := block.Dims()
		for i := range rows {
			for _, v := range block.RawRowView(i) {
				most = math.Max(most, math.Abs(v))
			}
		}
		return nil
	})
	out := rescaled{Source: src, unit: 1, limit: math.Inf(1)}
	switch {
	case most == 0 || err != nil:
	case clip && !mostFar && most > farLimit:
		out.limit = farLimit
	case !clip && most > farLimit: // as large as a sum of all squares allows: small numbers need the room
		n, d := src.Dims()
		_, e := math.Frexp(most / math.Sqrt(math.MaxFloat64/64/float64(n)/float64(d)))
		out.unit = math.Ldexp(1, -e)
	default:
		_, e := math.Frexp(most)
		out.unit = math.Ldexp(1, min(-e, 1020))
	}
	return out, err
}
