package classify

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// step is Newton's change of the coefficients.
func (b *many) step(now *manyLook, k int) *mat.Dense {
	p, _ := b.theta.Dims()
	right := mat.NewDense(p, k, append([]float64(nil), now.Pull...))
	for j := range p - 1 {
		for l := range k {
			right.Set(j, l, right.At(j, l)-2*b.penalty*b.theta.At(j, l))
		}
	}
	if b.m.parts.Joint {
		centre(right, b.absent)
	}
	if b.form.curvature == equal {
		change := mat.DenseCopyOf(right)
		b.solve(now.Grams, p, 1, change)
		return change
	}
	// All classes at once: unknown l*p+j is coefficient j of class l.
	whole := make([]float64, p*k*p*k)
	at := 0
	for l := range k {
		for m := l; m < k; m++ {
			if b.form.curvature == single && m > l {
				continue
			}
			part := now.Grams[at*p*p : (at+1)*p*p]
			at++
			for i := range p {
				for j := i; j < p; j++ {
					whole[(l*p+i)*p*k+m*p+j] = part[i*p+j]
					whole[(l*p+j)*p*k+m*p+i] = part[i*p+j]
				}
			}
		}
	}
	change := mat.NewDense(p*k, 1, nil)
	for l := range k {
		for j := range p {
			change.Set(l*p+j, 0, right.At(j, l))
		}
	}
	b.solve(whole, p, k, change)
	out := mat.NewDense(p, k, nil)
	for l := range k {
		for j := range p {
			out.Set(j, l, change.At(l*p+j, 0))
		}
	}
	if b.m.parts.Joint { // nothing but the differences of classes is determined
		centre(out, b.absent)
	}
	return out
}

// solve divides the right-hand sides by curvature and penalty of k classes, upper triangle. What the rows leave open, as the mean of
// intercepts of classes that are learned together, stays where it is. Unknowns are taken in units of their own curvature, so that one
// whose column is of another size, or holds a value far from all others, leaves the others their digits.
func (b *many) solve(curvature []float64, p, k int, right *mat.Dense) {
	n := p * k
	largest := 0.0
	for i := range n {
		if i%p != p-1 {
			curvature[i*n+i] += 2 * b.penalty
		}
		for j := i; j < n; j++ {
			largest = math.Max(largest, math.Abs(curvature[i*n+j]))
		}
	}
	unit := make([]float64, n)
	for i := range unit {
		unit[i] = 1 / math.Sqrt(math.Max(math.Abs(curvature[i*n+i]), math.Max(largest*0x1p-900, math.SmallestNonzeroFloat64)))
	}
	largest = 0
	for i := range n {
		for j := i; j < n; j++ {
			curvature[i*n+j] *= unit[i] * unit[j]
			largest = math.Max(largest, math.Abs(curvature[i*n+j]))
		}
	}
	scale := func() {
		for i, u := range unit {
			row := right.RawRowView(i)
			for l := range row {
				row[l] *= u
			}
		}
	}
	for part := 0x1p-46; part <= 64*float64(n); part *= 64 { // at the end it outweighs the sum of any row: losses that level off bend downwards too
		sym := mat.NewSymDense(n, nil)
		for i := range n {
			for j := i; j < n; j++ {
				sym.SetSym(i, j, curvature[i*n+j])
			}
			sym.SetSym(i, i, curvature[i*n+i]+part*largest)
		}
		if f, ok := linalg.NewCholesky(sym); ok {
			scale()
			f.Solve(right)
			scale()
			return
		}
	}
	right.Zero() // a curvature that is no number moves nothing
}
