package fastblas

import (
	"math"
	"math/rand/v2"
	"testing"
)

// eachKernel runs a test with every kernel this machine supports.
func eachKernel(t *testing.T, test func(t *testing.T)) {
	before := Kernel()
	t.Cleanup(func() {
		if err := Force(before); err != nil {
			t.Fatal(err)
		}
	})
	for _, k := range supported() {
		t.Run(k.name, func(t *testing.T) {
			if err := Force(k.name); err != nil {
				t.Fatal(err)
			}
			if Kernel() != k.name {
				t.Fatalf("kernel %s after Force(%s)", Kernel(), k.name)
			}
			test(t)
		})
	}
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 77)) }

// numbers returns n normal deviates.
func numbers(rnd *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rnd.NormFloat64()
	}
	return x
}

func clone(x []float64) []float64 { return append([]float64(nil), x...) }

// checkClose compares all elements, those between the rows of a matrix included: a
// routine must not touch what is not its own. tolerance is absolute.
func checkClose(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	for i, v := range got {
		if !(math.Abs(v-want[i]) <= tolerance) && !(math.IsNaN(v) && math.IsNaN(want[i])) && v != want[i] {
			t.Fatalf("%s: element %d of %d is %v, want %v", what, i, len(got), v, want[i])
		}
	}
}

func checkSame(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i, v := range got {
		if math.Float64bits(v) != math.Float64bits(want[i]) {
			t.Fatalf("%s: element %d of %d is %v, want exactly %v", what, i, len(got), v, want[i])
		}
	}
}
