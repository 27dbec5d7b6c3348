package linalg

import (
	"fmt"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

// Every spectrum, with and without starts, below and above the sizes at which methods
// change, against the decomposition of the whole matrix.
func TestTopEigenAgreesWithTheWholeSpectrum(t *testing.T) {
	for _, d := range []int{1, 30, 270} {
		for _, spectrum := range spectra {
			wanted := make([]float64, d)
			for i := range wanted {
				wanted[i] = math.Abs(spectrum.value(i, d))
			}
			a := withSpectrum(uint64(d), wanted)
			all, whole, err := linalg.SymEigen(t.Context(), a)
			if err != nil {
				t.Fatal(err)
			}
			for _, k := range []int{1, 12, 150} {
				if k > d {
					continue
				}
				starts := map[string]*mat.Dense{
					"none":   nil,
					"random": random(3, d, 2),
					"zero":   mat.NewDense(d, 1, nil),
					"answer": mat.DenseCopyOf(whole.Slice(0, d, 0, k)),
					// invariant, but the wrong end of the spectrum
					"wrong": mat.DenseCopyOf(whole.Slice(0, d, d-k, d)),
				}
				for name, start := range starts {
					t.Run(fmt.Sprintf("%s/%d/%d/%s", spectrum.name, d, k, name), func(t *testing.T) {
						values, vectors, err := linalg.TopEigen(t.Context(), a, k, start)
						if err != nil {
							t.Fatal(err)
						}
						checkPairs(t, a, values, vectors, 1e-12)
						for i, v := range values {
							if math.Abs(v-all[i]) > 1e-12*all[0] {
								t.Errorf("value %d: %v, want %v", i, v, all[i])
							}
						}
					})
				}
			}
		}
	}
}

func TestTopEigenDoesNotDependOnThreads(t *testing.T) {
	a := decaying(300)
	start := random(7, 300, 12)
	var first *mat.Dense
	underThreads(t, func(t *testing.T, threads int) {
		_, vectors, err := linalg.TopEigen(t.Context(), a, 12, start)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = vectors
		}
		near(t, "vectors", vectors, first, 0)
	})
}
