package score

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// PrincipalAngles are the angles in degrees between the column spaces of a and b, the
// largest first; their number is the smaller of the two dimensions. The columns need not
// be orthonormal.
//
// Small angles are taken from their sines and large ones from their cosines (Bjorck and
// Golub), so angles near 0 and near 90 degrees have their full relative accuracy.
func PrincipalAngles(a, b *mat.Dense) ([]float64, error) {
	qa, qb, err := bases("PrincipalAngles", a, b)
	if err != nil {
		return nil, err
	}
	// The smaller space is projected onto the larger one.
	if qa.width() < qb.width() {
		qa, qb = qb, qa
	}
	k := qb.width()
	cosines, err := singularValues(qa.times(qb))
	if err != nil {
		return nil, err
	}
	sines, err := singularValues(qb.without(qa))
	if err != nil {
		return nil, err
	}
	// Singular values fall: the largest angle has the first sine and the last cosine.
	angles := make([]float64, k)
	for i := range angles {
		sine, cosine := sines[i], cosines[k-1-i]
		if cosine > math.Sqrt2/2 {
			angles[i] = math.Asin(min(sine, 1))
		} else {
			angles[i] = math.Acos(min(cosine, 1))
		}
		angles[i] *= 180 / math.Pi
	}
	return angles, nil
}

// LargestAngle is the largest principal angle in degrees between the column spaces of a
// and b: 0 when one contains the other, 90 when a direction of the smaller one is
// orthogonal to the larger one.
func LargestAngle(a, b *mat.Dense) (float64, error) {
	angles, err := PrincipalAngles(a, b)
	if err != nil {
		return 0, err
	}
	return slices.Max(angles), nil
}

// ProjectorDistance is ||P_a - P_b||_F / sqrt2 with the orthogonal projectors onto the
// column spaces of a and b. For spaces of equal dimension k it is the root of the sum of
// the squared sines of the principal angles, between 0 and sqrt(k); dimensions that only
// one space has add 1/2 each under the root.
func ProjectorDistance(a, b *mat.Dense) (float64, error) {
	qa, qb, err := bases("ProjectorDistance", a, b)
	if err != nil {
		return 0, err
	}
	// ||P_a - P_b||^2 = ||(I-P_a)Q_b||^2 + ||(I-P_b)Q_a||^2 cancels nothing.
	return math.Hypot(mat.Norm(qb.without(qa), 2), mat.Norm(qa.without(qb), 2)) / math.Sqrt2, nil
}

// basis is an orthonormal basis, one vector per row of the slice.
type basis [][]float64

func (q basis) width() int { return len(q) }

// times is the matrix of inner products q'other.
func (q basis) times(other basis) *mat.Dense {
	out := mat.NewDense(len(q), len(other), nil)
	for i := range q {
		for j := range other {
			out.Set(i, j, dot(q[i], other[j]))
		}
	}
	return out
}

// without is q with its part in the other space taken out, as columns.
func (q basis) without(other basis) *mat.Dense {
	out := mat.NewDense(len(q[0]), len(q), nil)
	for j, v := range q {
		rest := slices.Clone(v)
		takeOut(rest, other)
		out.SetCol(j, rest)
	}
	return out
}

func bases(name string, a, b *mat.Dense) (qa, qb basis, err error) {
	if a == nil || b == nil || a.IsEmpty() || b.IsEmpty() {
		return nil, nil, fmt.Errorf("score: %s: an empty matrix spans no space", name)
	}
	da, _ := a.Dims()
	db, _ := b.Dims()
	if da != db {
		return nil, nil, fmt.Errorf("score: %s: spaces of vectors with %d and with %d entries", name, da, db)
	}
	if qa, err = orthonormal(name, a); err != nil {
		return nil, nil, err
	}
	if qb, err = orthonormal(name, b); err != nil {
		return nil, nil, err
	}
	return qa, qb, nil
}

// orthonormal makes a basis of the column space by Gram-Schmidt with every projection
// repeated, which keeps it orthogonal to rounding. A column that depends on earlier ones
// (all but 1e-12 of its length) is left out.
func orthonormal(name string, a *mat.Dense) (basis, error) {
	d, k := a.Dims()
	var q basis
	for j := range k {
		v := mat.Col(make([]float64, d), j, a)
		top := 0.0
		for i, x := range v {
			if !finite(x) {
				return nil, fmt.Errorf("score: %s: entry in row %d and column %d is %v", name, i+1, j+1, x)
			}
			top = max(top, math.Abs(x))
		}
		if top == 0 {
			continue
		}
		for i := range v {
			v[i] /= top
		}
		length := norm(v)
		takeOut(v, q)
		takeOut(v, q)
		rest := norm(v)
		if rest <= 1e-12*length {
			continue
		}
		for i := range v {
			v[i] /= rest
		}
		takeOut(v, q)
		rest = norm(v)
		for i := range v {
			v[i] /= rest
		}
		q = append(q, v)
	}
	if len(q) == 0 {
		return nil, fmt.Errorf("score: %s: a matrix of zeros spans no space", name)
	}
	return q, nil
}

// takeOut subtracts from v its projections onto the vectors of q.
func takeOut(v []float64, q basis) {
	for _, u := range q {
		c := dot(u, v)
		for i := range v {
			v[i] -= c * u[i]
		}
	}
}

func dot(a, b []float64) float64 {
	var sum float64
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func norm(v []float64) float64 { return math.Sqrt(dot(v, v)) }

// singularValues of a matrix, falling.
func singularValues(a *mat.Dense) ([]float64, error) {
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDNone) {
		return nil, fmt.Errorf("score: the singular values of the projection did not converge")
	}
	return svd.Values(nil), nil
}
