package tensor

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// Samples for tests; the slow references that methods are compared with stand in trials/of/tensor.

// array is a dense array of any order.
type array struct {
	shape []int
	data  []float64
}

func newArray(shape ...int) array {
	n := 1
	for _, m := range shape {
		n *= m
	}
	return array{shape: append([]int(nil), shape...), data: make([]float64, n)}
}

// eachIndex visits every index of a shape in row-major order.
func eachIndex(shape []int, visit func(at int, index []int)) {
	index := make([]int, len(shape))
	for at := 0; ; at++ {
		visit(at, index)
		k := len(shape) - 1
		for ; k >= 0; k-- {
			if index[k]++; index[k] < shape[k] {
				break
			}
			index[k] = 0
		}
		if k < 0 {
			return
		}
	}
}

// offset is the place of an index.
func (a array) offset(index []int) int {
	at := 0
	for k, i := range index {
		at = at*a.shape[k] + i
	}
	return at
}

// timesMode is the mode product with m, which has as many rows as the result's mode is long.
func (a array) timesMode(mode int, m mat.Matrix) array {
	rows, cols := m.Dims()
	shape := append([]int(nil), a.shape...)
	if shape[mode] != cols {
		panic("mode product of different lengths")
	}
	shape[mode] = rows
	out := newArray(shape...)
	eachIndex(shape, func(at int, index []int) {
		i := append([]int(nil), index...)
		sum := 0.0
		for j := range cols {
			i[mode] = j
			sum += m.At(index[mode], j) * a.data[a.offset(i)]
		}
		out.data[at] = sum
	})
	return out
}

// textbookSamples are low-rank samples with noise of very different spreads along each
// mode, not centred, some of them outlying.
func textbookSamples(n int, shape []int, seed uint64) *mat.Dense {
	random := rand.New(rand.NewPCG(seed, 77))
	d := 1
	for _, m := range shape {
		d *= m
	}
	turns := make([]*mat.Dense, len(shape))
	for k, m := range shape {
		var qr mat.QR
		a := mat.NewDense(m, m, nil)
		a.Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() }, a)
		qr.Factorize(a)
		turns[k] = new(mat.Dense)
		qr.QTo(turns[k])
	}
	x := mat.NewDense(n, d, nil)
	for i := range n {
		y := newArray(shape...)
		eachIndex(shape, func(at int, index []int) {
			size := 4.0
			for _, j := range index {
				size *= math.Pow(0.55, float64(j))
			}
			y.data[at] = size * random.NormFloat64()
		})
		for k := range shape {
			y = y.timesMode(k, turns[k])
		}
		for j := range d {
			v := 2 + y.data[j]
			if i%7 == 3 {
				v += 1.5 * random.NormFloat64()
			}
			x.Set(i, j, v)
		}
	}
	return x
}
