package fastblas

import (
	"testing"

	"github.com/inlier-ml/inlier/linalg/fastblas"
)

func TestWeightedGramPanics(t *testing.T) {
	x := make([]float64, 12)
	for name, call := range map[string]func(){
		"rows":    func() { fastblas.WeightedGram(1, -1, 3, x, 3, nil, nil, x, 3) },
		"x":       func() { fastblas.WeightedGram(1, 5, 3, x, 3, nil, nil, x, 3) },
		"stride":  func() { fastblas.WeightedGram(1, 4, 3, x, 2, nil, nil, x, 3) },
		"weights": func() { fastblas.WeightedGram(1, 4, 3, x, 3, x[:3], nil, x, 3) },
		"shift":   func() { fastblas.WeightedGram(1, 4, 3, x, 3, nil, x[:2], x, 3) },
		"c":       func() { fastblas.WeightedGram(1, 3, 4, x, 4, nil, nil, x, 4) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			call()
		})
	}
}
