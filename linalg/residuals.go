package linalg

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"
)

// Residuals writes to s[i] the squared distance of row i from the affine subspace
// mean + span(v), where v is d x m with orthonormal columns (nil: from the mean alone;
// mean nil: zeros), and to scores, if it is not nil, the n x m coordinates v'(x-mean).
//
// The distance is ||x-mean||^2 - ||v'(x-mean)||^2 where that is accurate; rows that
// lie almost in the subspace, where the difference would cancel, are projected and
// measured directly. The result is never negative.
func Residuals(ctx context.Context, src Source, mean []float64, v *mat.Dense, s []float64, scores *mat.Dense) error {
	n, d := src.Dims()
	if err := checkMean(mean, d); err != nil {
		return err
	}
	if err := checkBasis(v, d); err != nil {
		return err
	}
	m := columnsOf(v)
	if len(s) != n {
		return fmt.Errorf("linalg: room for %d distances of %d rows", len(s), n)
	}
	if m == 0 {
		scores = nil
	}
	if scores != nil {
		if r, c := scores.Dims(); r != n || c != m {
			return fmt.Errorf("linalg: room for %d x %d scores of %d rows and %d vectors", r, c, n, m)
		}
	}
	p := newProjection(mean, v, d)
	return EachBlock(ctx, src,
		func() *projector { return p.projector() },
		func(w *projector, first int, block *mat.Dense) {
			rows, _ := block.Dims()
			var out *mat.Dense
			if scores != nil {
				out = rowsOf(scores, first, first+rows)
			}
			w.project(block, s[first:first+rows], out)
		})
}

// projection is what all blocks of one call share.
type projection struct {
	d, m    int
	mean    []float64 // zeros if none was given
	norm    float64   // of mean
	basis   []float64 // d x m, nil if m is 0
	stride  int       // of basis
	centred []float64 // mean' basis, m entries
}

func newProjection(mean []float64, v *mat.Dense, d int) *projection {
	p := &projection{d: d, m: columnsOf(v), mean: mean}
	if mean == nil {
		p.mean = make([]float64, d)
	}
	p.norm = norm2(p.mean)
	if p.m > 0 {
		raw := v.RawMatrix()
		p.basis, p.stride = raw.Data, raw.Stride
		p.centred = make([]float64, p.m)
		kernels.Dgemv(blas.Trans, d, p.m, 1, p.basis, p.stride, p.mean, 1, 0, p.centred, 1)
	}
	return p
}

// projector is a projection with the working memory of one stripe.
type projector struct {
	*projection
	coords []float64 // of the rows of a block
	doubt  []int     // rows to be measured directly
	rest   []float64 // those rows
	inner  []float64 // their coordinates
}

func (p *projection) projector() *projector { return &projector{projection: p} }

// project measures the rows of one block.
func (p *projector) project(block *mat.Dense, s []float64, scores *mat.Dense) {
	raw := block.RawMatrix()
	for i := range s {
		s[i] = SquaredDistance(raw.Data[i*raw.Stride:i*raw.Stride+p.d], p.mean)
	}
	if p.m == 0 {
		return
	}
	var coords []float64
	stride := p.m
	if scores != nil {
		out := scores.RawMatrix()
		coords, stride = out.Data, out.Stride
	} else {
		p.coords = grown(p.coords, raw.Rows*p.m)
		coords = p.coords
	}
	gemm(1, false, false, raw.Rows, p.m, p.d, 1, raw.Data, raw.Stride, p.basis, p.stride, 0, coords, stride)
	p.doubt = p.doubt[:0]
	for i, whole := range s {
		row := coords[i*stride : i*stride+p.m]
		inside := 0.0
		for c := range row {
			row[c] -= p.centred[c]
			inside += row[c] * row[c]
		}
		rest := whole - inside
		// The coordinates carry an error of about eps ||x||, their squares one of
		// about eps ||x-mean|| ||x||: it must not exceed 1e-9 of what is left.
		length := math.Sqrt(whole)
		if !(rest > 1e9*epsilon*length*(length+2*p.norm)) {
			p.doubt = append(p.doubt, i)
		}
		s[i] = rest
	}
	if len(p.doubt) > 0 {
		p.direct(raw.Data, raw.Stride, s, coords, stride)
	}
}

// direct computes the rows in doubt as ||(x-mean) - v v'(x-mean)||^2.
func (p *projector) direct(x []float64, ldx int, s, coords []float64, stride int) {
	k := len(p.doubt)
	p.rest = grown(p.rest, k*p.d)
	p.inner = grown(p.inner, k*p.m)
	for a, i := range p.doubt {
		row, out := x[i*ldx:i*ldx+p.d], p.rest[a*p.d:(a+1)*p.d]
		for j, y := range row {
			out[j] = y - p.mean[j]
		}
	}
	far := p.shrinkFar(k)
	gemm(1, false, false, k, p.m, p.d, 1, p.rest, p.d, p.basis, p.stride, 0, p.inner, p.m)
	gemm(1, false, true, k, p.d, p.m, -1, p.inner, p.m, p.basis, p.stride, 1, p.rest, p.d)
	for a, i := range p.doubt {
		copy(coords[i*stride:i*stride+p.m], p.inner[a*p.m:(a+1)*p.m])
		rest := p.rest[a*p.d : (a+1)*p.d]
		s[i] = dot(rest, rest)
		if far != nil && far[a] {
			s[i] = math.Inf(1)
			if allFinite(rest) && norm2(rest) == 0 {
				s[i] = 0
			}
			for c, z := range coords[i*stride : i*stride+p.m] {
				coords[i*stride+c] = math.Max(-math.MaxFloat64, math.Min(math.MaxFloat64, z*farFactor))
			}
		}
	}
}

// farFactor divides rows of which the squares overflow.
const farFactor = 0x1p600

// shrinkFar divides those of the first k rows of rest whose square overflows, so that
// sums of their entries do not, and says which; nil if there are none. Their distance is
// infinite, their coordinates are not.
func (p *projector) shrinkFar(k int) []bool {
	var far []bool
	for a := range k {
		row := p.rest[a*p.d : (a+1)*p.d]
		if length := dot(row, row); length <= math.MaxFloat64 || !allFinite(row) {
			continue
		}
		if far == nil {
			far = make([]bool, k)
		}
		far[a] = true
		scale(1/farFactor, row)
	}
	return far
}
