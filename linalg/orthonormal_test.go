package linalg

import (
	"math"
	"testing"
)

func TestExp(t *testing.T) {
	src := []float64{0, 1, -1, 0.3, 700, 709.7, 710, 1000, -700, -745, -746, -1e300, 1e300, math.Inf(1), math.Inf(-1), math.NaN(), 1e-300, math.Copysign(0, -1)}
	for i := range 1000 {
		src = append(src, float64(i-500)*1.3713)
	}
	dst := make([]float64, len(src))
	Exp(dst, src)
	for i, x := range src {
		want := math.Exp(x)
		if dst[i] == want || math.IsNaN(want) && math.IsNaN(dst[i]) {
			continue
		}
		if !(math.Abs(dst[i]-want) <= 4*epsilon*want+5e-324*4) {
			t.Errorf("exp(%v) = %v, want %v", x, dst[i], want)
		}
	}
	Exp(src, src)
	for i := range src {
		if src[i] != dst[i] && !math.IsNaN(src[i]) {
			t.Fatalf("in place: %v, want %v", src[i], dst[i])
		}
	}
}
