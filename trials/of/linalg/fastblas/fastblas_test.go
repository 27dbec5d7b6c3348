package fastblas

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/linalg/fastblas"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 77)) }

// numbers returns n normal deviates.
func numbers(rnd *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rnd.NormFloat64()
	}
	return x
}

func checkSame(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i, v := range got {
		if math.Float64bits(v) != math.Float64bits(want[i]) {
			t.Fatalf("%s: element %d of %d is %v, want exactly %v", what, i, len(got), v, want[i])
		}
	}
}

func TestForceUnknownKernel(t *testing.T) {
	before := fastblas.Kernel()
	if err := fastblas.Force("abacus"); err == nil {
		t.Fatal("no error")
	}
	if fastblas.Kernel() != before {
		t.Fatalf("kernel changed from %s to %s", before, fastblas.Kernel())
	}
}
