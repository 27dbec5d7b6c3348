package fastblas

import (
	"fmt"
	"testing"
)

// plainGram is the definition of WeightedGram.
func plainGram(n, d int, x []float64, ldx int, w, shift, c []float64, ldc int) {
	for p := range n {
		wp := 1.0
		if w != nil {
			wp = w[p]
		}
		for i := range d {
			for j := i; j < d; j++ {
				u, v := x[p*ldx+i], x[p*ldx+j]
				if shift != nil {
					u, v = u-shift[i], v-shift[j]
				}
				c[i*ldc+j] += wp * u * v
			}
		}
	}
}

func TestWeightedGram(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		for _, d := range []int{0, 1, 7, 8, 9, 25, 50, 73} {
			for _, n := range []int{0, 1, 2, 33, 257, 400} {
				rnd := newRand(uint64(n*1000 + d))
				ldx, ldc := d+2, d+1
				x, w, shift, c := numbers(rnd, n*ldx), numbers(rnd, n), numbers(rnd, d), numbers(rnd, d*ldc)
				for mask := range 4 {
					w, shift := w, shift
					if mask&1 != 0 {
						w = nil
					}
					if mask&2 != 0 {
						shift = nil
					}
					got, want := clone(c), clone(c)
					WeightedGram(1+mask, n, d, x, ldx, w, shift, got, ldc)
					plainGram(n, d, x, ldx, w, shift, want, ldc)
					checkClose(t, fmt.Sprintf("n=%d d=%d mask %d", n, d, mask), got, want, 1e-13*float64(n+10))
				}
			}
		}
	})
}

func TestWeightedGramDoesNotDependOnThreads(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		const n, d = 1000, 130
		x, w, shift := numbers(newRand(1), n*d), numbers(newRand(2), n), numbers(newRand(3), d)
		var want []float64
		for _, threads := range []int{1, 2, 3, 8} {
			got := make([]float64, d*d)
			WeightedGram(threads, n, d, x, d, w, shift, got, d)
			if want == nil {
				want = got
			}
			checkSame(t, fmt.Sprint(threads, " threads"), got, want)
		}
	})
}

// A weight of 3 is the same as the row three times, and a weight of 0 as its absence.
func TestWeightedGramWeightsAreMultiplicities(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		const n, d = 90, 40
		x, shift := numbers(newRand(1), n*d), numbers(newRand(3), d)
		w := make([]float64, n)
		var repeated []float64
		rows := 0
		for i := range w {
			w[i] = float64(i % 4)
			for range i % 4 {
				repeated = append(repeated, x[i*d:(i+1)*d]...)
				rows++
			}
		}
		got, want := make([]float64, d*d), make([]float64, d*d)
		WeightedGram(1, n, d, x, d, w, shift, got, d)
		WeightedGram(1, rows, d, repeated, d, nil, shift, want, d)
		checkClose(t, "scatter", got, want, 1e-11)
	})
}
