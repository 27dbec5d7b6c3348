package pca

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
)

// agree compares a model with a slow reference: mean, subspace, weights, trace.
func agree(t *testing.T, m *Model, want textbookFit, tolerance float64) {
	t.Helper()
	for j, v := range m.Mean() {
		if d := math.Abs(v - want.mean[j]); d > tolerance {
			t.Errorf("mean of column %d differs by %.2g", j+1, d)
		}
	}
	var ours, theirs mat.Dense
	ours.Mul(m.Basis(), m.Basis().T())
	theirs.Mul(want.basis, want.basis.T())
	if d := largestDifference(&ours, &theirs); d > tolerance {
		t.Errorf("projector differs by %.2g", d)
	}
	for i, w := range m.Weights() {
		if d := math.Abs(w - want.weights[i]); d > tolerance {
			t.Errorf("weight of row %d differs by %.2g", i+1, d)
		}
	}
	if len(m.Steps()) != len(want.trace) {
		t.Fatalf("%d steps, reference %d", len(m.Steps()), len(want.trace))
	}
	for k, s := range m.Steps() {
		if d := math.Abs(s.Objective - want.trace[k]); d > tolerance*(1+math.Abs(want.trace[k])) {
			t.Errorf("objective of step %d differs by %.2g", k, d)
		}
	}
}

// paperOptions are the papers' start, scatter and plain iteration. Without step control
// the rounding of an objective that stands still cannot shorten a step.
func paperOptions(components int) Options {
	return Options{Components: components, Start: StartClassic, Scatter: ScatterWeighted, LearnRank: -1, MaxSteps: 60, Tol: 1e-10, Plain: true}
}

// PCA-GM with the printed delta: Algorithm 1 for the mean, Algorithm 2 about it.
func TestGeneralizedMeanAgreesWithTheTextbook(t *testing.T) {
	x := textbookTable(60, 6, 2, 8)
	src := linalg.FromDense(x)
	for _, p := range []float64{0.3, 0.6} {
		_, start, err := linalg.WeightedMean(t.Context(), src, nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := annealed(t.Context(), irls.Problem[[]float64](&location{src: src}), start, p, DeltaPaper, irls.Settings{Tol: 1e-10, MaxSteps: 200})
		if err != nil {
			t.Fatal(err)
		}
		want := textbookSampleMean(x, p, len(res.Steps)-1)
		for j := range want {
			if d := math.Abs(res.State[j] - want[j]); d > 1e-8 {
				t.Errorf("p=%g: generalised sample mean of column %d differs by %.2g after %d steps", p, j+1, d, len(res.Steps)-1)
			}
		}
		got, err := GeneralizedSampleMean(t.Context(), src, p, DeltaPaper, nil)
		if err != nil {
			t.Fatal(err)
		}
		want = textbookSampleMean(x, p, 5000)
		spread := math.Sqrt(textbookMedian(textbookDistances(x, want, nil)))
		for j := range want {
			if d := math.Abs(got[j] - want[j]); d > 3e-8*spread {
				t.Errorf("p=%g: generalised sample mean of column %d is %.2g off where the iteration leads", p, j+1, d)
			}
		}
		m, err := GeneralizedMean{Options: paperOptions(2), P: p, Delta: DeltaPaper}.Fit(t.Context(), src)
		if err != nil {
			t.Fatal(err)
		}
		ones := make([]float64, 60)
		for i := range ones {
			ones[i] = 1
		}
		_, basis, _ := textbookPCA(x, ones, nil, 2)
		least := math.Inf(1)
		for _, s := range textbookDistances(x, got, basis) {
			least = math.Min(least, s)
		}
		l := textbookLoss{
			rho:    func(s float64) float64 { return math.Pow(s+0.01*least, p) },
			weight: func(s float64) float64 { return math.Pow(s+0.01*least, p-1) },
		}
		agree(t, m, textbookIRLS(x, 2, l, got, len(m.Steps())-1), 1e-8)
	}
}
