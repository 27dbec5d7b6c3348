package classify

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/verdict"
)

func rowData() (*mat.Dense, []int) {
	r := rand.New(rand.NewPCG(1, 2))
	x, labels := mat.NewDense(90, 20, nil), make([]int, 90)
	for i := range 90 {
		labels[i] = i % 3
		for j := range 20 {
			x.Set(i, j, r.NormFloat64())
		}
		x.Set(i, labels[i], x.At(i, labels[i])+4)
	}
	labels[0], labels[1] = 1, 2 // wrong
	return x, labels
}

// One row at a time is told what it is told among others, far ones included, without
// allocation and beside other goroutines.
func TestRowsOneAtATime(t *testing.T) {
	rbf := kernel.Kernel{Kind: kernel.RBF}
	for name, fit := range map[string]func(x *mat.Dense, labels []int) (*classify.Model, error){
		"linear": func(x *mat.Dense, l []int) (*classify.Model, error) {
			return classify.Square{Options: classify.Options{}}.Fit(t.Context(), linalg.FromDense(x), l, 3)
		},
		"logistic": func(x *mat.Dense, l []int) (*classify.Model, error) {
			return classify.Logistic{Options: classify.Options{}}.Fit(t.Context(), linalg.FromDense(x), l, 3)
		},
		"regmaxcem": func(x *mat.Dense, l []int) (*classify.Model, error) {
			return classify.RegMaxCEM{}.Fit(t.Context(), linalg.FromDense(x), l, 3)
		},
		"kernel": func(x *mat.Dense, l []int) (*classify.Model, error) {
			return classify.Square{Options: classify.Options{Kernel: rbf}}.Fit(t.Context(), linalg.FromDense(x), l, 3)
		},
		"fourier": func(x *mat.Dense, l []int) (*classify.Model, error) {
			return classify.Square{Options: classify.Options{Kernel: rbf, Approximation: classify.Fourier, Features: 40}}.Fit(t.Context(), linalg.FromDense(x), l, 3)
		},
	} {
		x, labels := rowData()
		m, err := fit(x, labels)
		if err != nil {
			t.Fatal(name, err)
		}
		x.Set(8, 2, 1e300)
		x.Set(9, 2, -1e95)
		want, err := m.Predict(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		all, err := m.Judge(t.Context(), x, labels)
		if err != nil {
			t.Fatal(err)
		}
		alone, err := m.Judge(t.Context(), x, nil)
		if err != nil {
			t.Fatal(err)
		}
		same := func(i int, got, want verdict.Row) {
			if got.Label != want.Label || got.Kind != want.Kind || got.Outlier != want.Outlier || math.Abs(got.Residual-want.Residual) > 1e-9*(1+math.Abs(want.Residual)) || math.Abs(got.Weight-want.Weight) > 1e-9 {
				t.Errorf("%s, row %d: %+v, among others %+v", name, i, got, want)
			}
		}
		var side sync.WaitGroup
		for range 3 {
			side.Go(func() {
				scores := make([]float64, 3)
				for i := range 90 {
					if label := m.PredictRow(scores, x.RawRowView(i)); label != want.Labels[i] {
						t.Errorf("%s, row %d: class %d, among others %d", name, i, label, want.Labels[i])
					}
					for l, f := range scores {
						if w := want.Scores.At(i, l); math.Abs(f-w) > 1e-9*(1+math.Abs(w)) {
							t.Errorf("%s, row %d, class %d: score %v, among others %v", name, i, l, f, w)
						}
					}
					same(i, m.JudgeRow(x.RawRowView(i), labels[i]), all.Row(i))
					same(i, m.JudgeRow(x.RawRowView(i), -1), alone.Row(i))
				}
			})
		}
		side.Wait()
		if n := testing.AllocsPerRun(100, func() { m.PredictRow(nil, x.RawRowView(20)); m.JudgeRow(x.RawRowView(0), 1) }); n >= 1 && !workspace.Forgets {
			t.Errorf("%s: %v allocations", name, n)
		}
		x.Set(0, 0, math.NaN())
		if got := m.JudgeRow(x.RawRowView(0), 0); got.Kind != verdict.Missing || m.PredictRow(nil, x.RawRowView(0)) != -1 {
			t.Errorf("%s: a missing number: %+v", name, got)
		}
	}
}

func BenchmarkJudgeRow(b *testing.B) {
	x, labels := rowData()
	m, err := classify.Square{Options: classify.Options{}}.Fit(b.Context(), linalg.FromDense(x), labels, 3)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		m.JudgeRow(x.RawRowView(20), 1)
	}
}

// loud is a loss of one's own whose weights begin at 100.
type loud struct{}

func (loud) Rho(s float64) float64    { return 100 * math.Log1p(s) }
func (loud) Weight(s float64) float64 { return 100 / (1 + s) }

// Weights of rows lie between 0 and 1 whatever the loss, and wrong labels are found.
func TestWeightsOfAnyLoss(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	x, labels := mat.NewDense(90, 2, nil), make([]int, 90)
	for i := range labels {
		labels[i] = i % 3
		x.SetRow(i, []float64{5*float64(labels[i]/2) + r.NormFloat64(), 5*float64(labels[i]%2) + r.NormFloat64()})
	}
	labels[0], labels[1] = 1, 2
	losses := map[string]loss.Loss{"own": loud{}}
	for _, text := range []string{"welsch", "l1", "lp:p=1.5", "huber", "kmpe:p=1", "tukey"} {
		losses[text] = loss.MustParse(text)
	}
	for name, l := range losses {
		m, err := classify.RegMaxCEM{Loss: l}.Fit(t.Context(), linalg.FromDense(x), labels, 3)
		if err != nil {
			t.Fatal(err)
		}
		judged := m.Training()
		for i, w := range judged.Weight {
			if !(w >= 0 && w <= 1) {
				t.Errorf("%s: row %d has weight %g", name, i+1, w)
				break
			}
		}
		if name != "l1" && name != "lp:p=1.5" && name != "huber" && (!judged.Outlier[0] || !judged.Outlier[1]) {
			t.Errorf("%s: weights %v of wrong labels", name, judged.Weight[:2])
		}
	}
}
