package nearest

import (
	"bytes"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/nearest"
	"gonum.org/v1/gonum/mat"
)

// Eq. (30) number by number, word by word: sum exp(-lambda sqrt(|M - C|^alpha)), the largest wins,
// for all powers, among others, alone, and from a file.
func TestElementwiseAgreesWithTheEquation(t *testing.T) {
	x, labels := classes(1, 90, 6, 3, 2)
	n, d := x.Dims()
	byNorm, err := nearest.Centers{}.Fit(t.Context(), linalg.FromDense(x), labels, 3)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := byNorm.Predict(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	differ := 0
	for _, alpha := range []float64{1, 2, 2.7, 3, 4, 5, 6} {
		const beta = 0.8
		m, err := nearest.Centers{Elementwise: true, Alpha: alpha, Beta: beta}.Fit(t.Context(), linalg.FromDense(x), labels, 3)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		if _, err := m.WriteTo(&file); err != nil {
			t.Fatal(err)
		}
		again, err := nearest.Read(&file)
		if err != nil {
			t.Fatal(err)
		}
		centers := m.Centers()
		for name, model := range map[string]*nearest.Model{"fitted": m, "restored": again} {
			got, err := model.Predict(t.Context(), x)
			if err != nil {
				t.Fatal(err)
			}
			judged, err := model.Judge(t.Context(), x, labels)
			if err != nil {
				t.Fatal(err)
			}
			for i := range n {
				best, most := 0, math.Inf(-1)
				for c := range 3 {
					sum := 0.0
					for j := range d {
						sum += math.Exp(-math.Pow(beta, -alpha) * math.Sqrt(math.Pow(math.Abs(x.At(i, j)-centers.At(c, j)), alpha)))
					}
					if e := math.Abs(got.Scores.At(i, c) - sum/float64(d)); e > 1e-12 {
						t.Fatalf("%s, alpha %g: score of row %d off by %.2g", name, alpha, i+1, e)
					}
					if sum > most {
						best, most = c, sum
					}
				}
				if got.Labels[i] != best || judged.Label[i] != best || model.PredictRow(x.RawRowView(i)) != best {
					t.Fatalf("%s, alpha %g, row %d: predicted %d, judged %d, alone %d; the equation says %d", name, alpha, i+1, got.Labels[i], judged.Label[i], model.PredictRow(x.RawRowView(i)), best)
				}
				if best != plain.Labels[i] {
					differ++
				}
			}
		}
		if a := testing.AllocsPerRun(50, func() { m.JudgeRow(x.RawRowView(0), -1) }); a > 0 && !workspace.Forgets {
			t.Errorf("%g allocations for a row", a)
		}
	}
	if differ == 0 {
		t.Error("labels are those of the norm throughout: this shows nothing")
	}
}

// A number far off costs a row little of its similarity, but the row is told to be far from
// its class; one that is similar to no class goes to the nearest. The bandwidth that is found
// follows the unit of the data.
func TestElementwiseFarAndScaled(t *testing.T) {
	x, labels := classes(2, 90, 6, 3, 0.5)
	m, err := nearest.Centers{Elementwise: true}.Fit(t.Context(), linalg.FromDense(x), labels, 3)
	if err != nil {
		t.Fatal(err)
	}
	row := append([]float64(nil), x.RawRowView(4)...)
	row[5] = 1e300
	if v := m.JudgeRow(row, -1); v.Label != labels[4] || !v.Outlier {
		t.Errorf("a row of class %d with one number far off: %+v", labels[4], v)
	}
	for j := range row {
		row[j] = -1e4
	}
	row[1] = 1e4 // nearest to the second center
	if v := m.JudgeRow(row, -1); v.Label != 1 || !v.Outlier {
		t.Errorf("a row far from every class: %+v", v)
	}
	large := mat.NewDense(90, 6, nil)
	large.Scale(1e6, x)
	same, err := nearest.Centers{Elementwise: true}.Fit(t.Context(), linalg.FromDense(large), labels, 3)
	if err != nil {
		t.Fatal(err)
	}
	a, err := m.Predict(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	b, err := same.Predict(t.Context(), large)
	if err != nil {
		t.Fatal(err)
	}
	if !mat.EqualApprox(a.Scores, b.Scores, 1e-9) {
		t.Error("similarities depend on the unit of the data")
	}
	if _, err := (nearest.Centers{Elementwise: true, Shape: []int{2, 3}}).Fit(t.Context(), linalg.FromDense(x), labels, 3); err == nil {
		t.Error("two ways to tell classes apart were taken at once")
	}
}

// However wide the bandwidth, classes are told apart: in the limit by the sum of |x - c|^(alpha/2).
func TestElementwiseStandsWideBandwidths(t *testing.T) {
	x, labels := classes(1, 90, 6, 3, 2)
	n, _ := x.Dims()
	for _, beta := range []float64{1e3, 1e9, 1e60} {
		m, err := nearest.Centers{Elementwise: true, Beta: beta}.Fit(t.Context(), linalg.FromDense(x), labels, 3)
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Predict(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			want, least := 0, math.Inf(1)
			for k := range 3 {
				sum := 0.0
				for j, v := range x.RawRowView(i) {
					sum += math.Abs(v - m.Centers().At(k, j))
				}
				if sum < least {
					want, least = k, sum
				}
			}
			if alone := m.JudgeRow(x.RawRowView(i), -1).Label; p.Labels[i] != want || alone != want {
				t.Fatalf("beta %g, row %d: class %d, alone %d, instead of %d", beta, i+1, p.Labels[i], alone, want)
			}
		}
	}
}

// Powers and bandwidths that mean nothing are refused.
func TestPowersAndBandwidthsAreChecked(t *testing.T) {
	x, labels := classes(1, 30, 3, 3, 2)
	for _, c := range []nearest.Centers{{Alpha: -1}, {Alpha: math.NaN()}, {Alpha: 1e3}, {Beta: -1}, {Beta: math.NaN()}, {Beta: math.Inf(1)}, {Beta: 1e-200}} {
		for _, elementwise := range []bool{false, true} {
			c.Elementwise = elementwise
			if _, err := c.Fit(t.Context(), linalg.FromDense(x), labels, 3); err == nil {
				t.Errorf("alpha %g and beta %g were taken", c.Alpha, c.Beta)
			}
		}
	}
}
