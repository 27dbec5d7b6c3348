package pca

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// count adds the block to the normal equations of the columns, at scores z and weights w of
// the rows. The weights of cells are those of the last weigh.
func (k *cellDesk) count(z *mat.Dense, w []float64) {
	q := (k.m + 1) * (k.m + 2) / 2
	if k.grams == nil {
		k.grams, k.sides, k.sums = mat.NewDense(k.d, q, nil), mat.NewDense(k.d, k.m+1, nil), make([]float64, k.m+1)
		k.room = [2]*mat.Dense{mat.NewDense(k.d, q, nil), mat.NewDense(k.d, k.m+1, nil)}
	}
	k.features, k.products = roomFor(k.features, k.rows, k.m+1), roomFor(k.products, k.rows, q)
	for i := range k.rows {
		f := k.features.RawRowView(i)
		f[0] = 1
		copy(f[1:], z.RawRowView(i))
		products(k.products.RawRowView(i), f)
		for l, v := range f {
			k.sums[l] += w[i] * v
		}
		each := w[i] / math.Max(float64(k.d-k.holes[i]), 1)
		cells, e, off := k.v.RawRowView(i), k.e.RawRowView(i), k.off.RawRowView(i)
		for j := range cells {
			cells[j] *= each
			e[j] = cells[j] * off[j]
		}
	}
	linalg.Mul(k.room[0], k.v.T(), k.products)
	linalg.Mul(k.room[1], k.e.T(), k.features)
	k.grams.Add(k.grams, k.room[0])
	k.sides.Add(k.sides, k.room[1])
}

// join adds the sums of a later part.
func (k *cellDesk) join(part *cellDesk) {
	if part.grams == nil {
		return
	}
	k.grams.Add(k.grams, part.grams)
	k.sides.Add(k.sides, part.sides)
	for l, v := range part.sums {
		k.sums[l] += v
	}
}

// columns moves centre and loadings of out, those of the state before, to the weighted least
// squares of their columns.
func (k *cellDesk) columns(d int, out cellState) {
	for j := range d {
		triangle := k.grams.RawRowView(j)
		step := k.step[:k.m+1]
		copy(step, k.sides.RawRowView(j))
		p := 0
		now := func(l int) float64 { // about the centre before
			if l == 0 {
				return 0
			}
			return out.a.At(j, l-1)
		}
		for i := range step { // what is left at the present place
			for l := i; l < len(step); l++ {
				step[i] -= triangle[p] * now(l)
				if l != i {
					step[l] -= triangle[p] * now(i)
				}
				p++
			}
		}
		if !k.solve(triangle, step) {
			continue
		}
		out.mu[j] += step[0]
		for l, s := range step[1:] {
			out.a.Set(j, l, out.a.At(j, l)+s)
		}
	}
}
