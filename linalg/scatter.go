package linalg

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// ScatterTimes returns S v, where S is the sum of w (x-mean)(x-mean)' over the rows and
// v is d x m, without forming S: one reading of the source and 4 n d m operations. w nil
// means ones, mean nil zeros.
func ScatterTimes(ctx context.Context, src Source, w, mean []float64, v *mat.Dense) (*mat.Dense, error) {
	n, d := src.Dims()
	if err := checkWeights(w, n); err != nil {
		return nil, err
	}
	if err := checkMean(mean, d); err != nil {
		return nil, err
	}
	if err := checkBasis(v, d); err != nil {
		return nil, err
	}
	if columnsOf(v) == 0 || d == 0 {
		return &mat.Dense{}, nil
	}
	p := newProjection(mean, v, d)
	acc, err := Pass(ctx, src,
		func() *scatterSum {
			return &scatterSum{projection: p, product: make([]float64, d*p.m), sums: make([]float64, p.m)}
		},
		func(a *scatterSum, first int, block *mat.Dense) { a.add(block, weightsOf(w, first, block)) },
		func(into, from *scatterSum) {
			axpy(1, from.product, into.product)
			axpy(1, from.sums, into.sums)
		})
	if err != nil {
		return nil, err
	}
	for j, x := range p.mean {
		axpy(-x, acc.sums, acc.product[j*p.m:(j+1)*p.m])
	}
	return mat.NewDense(d, p.m, acc.product), nil
}

// scatterSum accumulates the product of scatter and basis over some rows.
type scatterSum struct {
	*projection
	product []float64 // d x m: X' (w * coordinates), less mean sums' at the end
	sums    []float64 // of w * coordinates over the rows that were not centred first
	coords  []float64
	centre  []float64 // the centred block where that is needed
}

func (a *scatterSum) add(block *mat.Dense, w []float64) {
	raw := block.RawMatrix()
	x, ldx := raw.Data, raw.Stride
	far := a.far(x, ldx, raw.Rows)
	if far {
		a.centre = grown(a.centre, raw.Rows*a.d)
		for i := range raw.Rows {
			row, out := x[i*ldx:i*ldx+a.d], a.centre[i*a.d:(i+1)*a.d]
			for j, y := range row {
				out[j] = y - a.mean[j]
			}
		}
		x, ldx = a.centre, a.d
	}
	a.coords = grown(a.coords, raw.Rows*a.m)
	gemm(1, false, false, raw.Rows, a.m, a.d, 1, x, ldx, a.basis, a.stride, 0, a.coords, a.m)
	for i := range raw.Rows {
		row, weight := a.coords[i*a.m:(i+1)*a.m], weightAt(w, i)
		if far {
			for c := range row {
				row[c] *= weight
			}
			continue
		}
		for c := range row {
			row[c] = weight * (row[c] - a.centred[c])
			a.sums[c] += row[c]
		}
	}
	gemm(1, true, false, a.d, a.m, raw.Rows, 1, x, ldx, a.coords, a.m, 1, a.product, a.m)
}

// far reports whether the rows, of which a few are looked at, lie so close together
// far from zero that subtracting the mean after the product would lose digits.
func (a *scatterSum) far(x []float64, ldx, rows int) bool {
	if a.norm == 0 {
		return false
	}
	const golden = 0.6180339887498949 // its multiples are spread evenly, and meet no period of the rows
	var spread [9]float64             // the median of a few: some may be far off
	for k := range spread {
		_, place := math.Modf(golden * float64(k+1))
		i := int(place * float64(rows))
		spread[k] = SquaredDistance(x[i*ldx:i*ldx+a.d], a.mean)
	}
	slices.Sort(spread[:])
	return a.norm*a.norm > 100*spread[len(spread)/2]
}
