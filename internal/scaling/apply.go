package scaling

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
)

// Identity leaves d columns as they are.
func Identity(d int) Scaling {
	return Scaling{Offset: make([]float64, d), Scale: slices.Repeat([]float64{1}, d)}
}

// Constant is the number of columns that never changed.
func (s Scaling) Constant() int {
	n := 0
	for j, v := range s.Scale {
		if math.IsInf(v, 1) || s.Low != nil && s.Low[j] == s.High[j] {
			n++
		}
	}
	return n
}

// identity tells whether Apply would change nothing.
func (s Scaling) identity() bool {
	for j, v := range s.Scale {
		if v != 1 || s.Offset[j] != 0 {
			return false
		}
	}
	return s.Low == nil
}

// farthest is the largest scaled value: beyond, squares would overflow.
const farthest = 1e100

// huge tells whether a number of x is beyond it.
func huge(x *mat.Dense) bool {
	n, _ := x.Dims()
	for i := range n {
		for _, v := range x.RawRowView(i) {
			if math.Abs(v) > farthest {
				return true
			}
		}
	}
	return false
}

// Apply returns scaled rows, no number beyond 1e100; x itself when there is nothing to do.
func (s Scaling) Apply(x *mat.Dense) *mat.Dense {
	if s.identity() && !huge(x) {
		return x
	}
	n, d := x.Dims()
	out := mat.NewDense(n, d, nil)
	factor := make([]float64, d)
	for j, v := range s.Scale {
		factor[j] = 1 / v
	}
	const block = 2048
	linalg.Parallel((n+block-1)/block, func(b int) {
		for i := b * block; i < min((b+1)*block, n); i++ {
			to := out.RawRowView(i)
			for j, v := range x.RawRowView(i) {
				if s.Low != nil {
					v = min(max(v, s.Low[j]), s.High[j])
				}
				to[j] = min(max((v-s.Offset[j])*factor[j], -farthest), farthest)
			}
		}
	})
	return out
}

// ApplyRow writes a scaled row to dst, no number beyond 1e100.
func (s Scaling) ApplyRow(dst, row []float64) {
	dst, offset, scale := dst[:len(row)], s.Offset[:len(row)], s.Scale[:len(row)]
	for j, v := range row {
		if s.Low != nil {
			if v < s.Low[j] {
				v = s.Low[j]
			} else if v > s.High[j] {
				v = s.High[j]
			}
		}
		z := (v - offset[j]) * (1 / scale[j])
		if !(z >= -farthest && z <= farthest) {
			z = min(max(z, -farthest), farthest)
		}
		dst[j] = z
	}
}

// Valid tells whether the arrays have d columns and every number is usable: offsets
// finite, scales above 0.
func (s Scaling) Valid(d int) bool {
	if len(s.Offset) != d || len(s.Scale) != d || (s.Low == nil) != (s.High == nil) || s.Low != nil && (len(s.Low) != d || len(s.High) != d) {
		return false
	}
	for j, v := range s.Scale {
		if !(v > 0) || math.IsNaN(s.Offset[j]) || math.IsInf(s.Offset[j], 0) {
			return false
		}
		if s.Low != nil && !(s.Low[j] <= s.High[j]) {
			return false
		}
	}
	return true
}
