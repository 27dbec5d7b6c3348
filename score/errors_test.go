package score

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestErrorsInParts: the figures of many rows, given twice in parts, are those of all at once.
func TestErrorsInParts(t *testing.T) {
	defer func(n int) { heldErrors = n }(heldErrors)
	heldErrors = 300
	draw := rand.New(rand.NewPCG(3, 8))
	for name, make := range map[string]func(i int) (truth, predicted float64){
		"normal": func(int) (float64, float64) {
			v := draw.NormFloat64()
			return 100 + v, 100 + v + 0.1*draw.NormFloat64()
		},
		"ties":      func(i int) (float64, float64) { return float64(i % 5), float64(i % 3) },
		"constant":  func(int) (float64, float64) { return 7, 7 },
		"constants": func(int) (float64, float64) { return 7, 8 },
		"noughts":   func(int) (float64, float64) { return 0, 0 },
		"huge":      func(i int) (float64, float64) { return 1e300 * draw.NormFloat64(), -1e300 * float64(i%2) },
		"one far":   func(i int) (float64, float64) { return draw.NormFloat64(), map[bool]float64{true: 1e200}[i == 77] },
		"tiny":      func(int) (float64, float64) { return 1e-200 * draw.NormFloat64(), 1e-200 * draw.NormFloat64() },
	} {
		for _, n := range []int{1, 2, 299, 301, 1000, 1001, 5003} {
			truth, predicted := []float64{}, []float64{}
			for i := range n {
				a, b := make(i)
				truth, predicted = append(truth, a), append(predicted, b)
			}
			var e Errors
			for again := true; again; again = e.Again() {
				for first := 0; first < n; first += 250 {
					if err := e.Add(truth[first:min(first+250, n)], predicted[first:min(first+250, n)]); err != nil {
						t.Fatal(err)
					}
				}
			}
			got, err := e.Figures()
			if err != nil {
				t.Fatal(err)
			}
			want, err := ErrorsOf(truth, predicted).Figures()
			if err != nil {
				t.Fatal(err)
			}
			for figure, pair := range map[string][2]float64{"RMSE": {got.RMSE, want.RMSE}, "MAE": {got.MAE, want.MAE}, "median": {got.MedianAE, want.MedianAE},
				"trimmed": {got.Trimmed, want.Trimmed}, "R2": {got.R2, want.R2}} {
				if a, b := pair[0], pair[1]; a != b && !(math.Abs(a-b) <= 1e-12*math.Max(math.Abs(b), map[bool]float64{true: 1}[figure == "R2"])) {
					t.Errorf("%s, %d rows: %s %v in parts, %v at once", name, n, figure, a, b)
				}
			}
		}
	}
}
