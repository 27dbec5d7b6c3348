package pca

import (
	"math"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/pca"
	"gonum.org/v1/gonum/mat"
)

// agree compares a model with a slow reference: mean, subspace, weights, trace.
func agree(t *testing.T, m *pca.Model, want textbookFit, tolerance float64) {
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
func paperOptions(components int) pca.Options {
	return pca.Options{Components: components, Start: pca.StartClassic, Scatter: pca.ScatterWeighted, LearnRank: -1, MaxSteps: 60, Tol: 1e-10, Plain: true}
}

// withScale completes a loss text that ends in "=".
func withScale(text string, scale float64) string {
	if strings.HasSuffix(text, "=") {
		return text + loss.FixedAt(scale).String()
	}
	return text
}

func TestEveryLossAgreesWithTheTextbook(t *testing.T) {
	for _, shape := range []struct {
		name    string
		n, d, m int
		scale   float64
	}{{"tall", 70, 7, 2, 2.5}, {"wide", 30, 45, 3, 8}} {
		x := textbookTable(shape.n, shape.d, shape.m, 5)
		for _, l := range textbookLosses(shape.scale) {
			t.Run(shape.name+" "+l.text, func(t *testing.T) {
				spec, err := loss.Parse(withScale(l.text, shape.scale))
				if err != nil {
					t.Fatal(err)
				}
				m, err := pca.Robust{Options: paperOptions(shape.m), Loss: spec}.Fit(t.Context(), linalg.FromDense(x))
				if err != nil {
					t.Fatal(err)
				}
				steps := len(m.Steps()) - 1
				if steps < 3 && l.text != "square" {
					t.Errorf("only %d steps: the comparison would be hollow", steps)
				}
				agree(t, m, textbookIRLS(x, shape.m, l, nil, steps), 1e-8)
				// At a fixed bandwidth the trace of a concave loss falls.
				for k := 1; k <= steps; k++ {
					if before, now := m.Steps()[k-1].Objective, m.Steps()[k].Objective; now > before*(1+1e-11) {
						t.Errorf("objective rises in step %d: %g to %g", k, before, now)
					}
				}
			})
		}
	}
}

// PCA-KMPE with p > 2 and no step control is the printed fixed-point iteration.
func TestKMPEAsPrintedAgreesWithTheTextbook(t *testing.T) {
	x := textbookTable(60, 6, 2, 6)
	for _, p := range []float64{2, 4, 10} {
		const sigma = 3.0
		o := paperOptions(2)
		o.MaxSteps = 12
		m, err := pca.KMPE{Options: o, P: p, Sigma: loss.FixedAt(sigma)}.Fit(t.Context(), linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		g := func(s float64) float64 { return math.Exp(-s / (2 * sigma * sigma)) }
		l := textbookLoss{
			rho:    func(s float64) float64 { return math.Pow(1-g(s), p/2) },
			weight: func(s float64) float64 { return math.Pow(1-g(s), (p-2)/2) * g(s) },
		}
		agree(t, m, textbookIRLS(x, 2, l, nil, len(m.Steps())-1), 1e-8)
		if p != 2 {
			continue
		}
		hq, err := pca.HQ{Options: o, Sigma: loss.FixedAt(sigma)}.Fit(t.Context(), linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		agree(t, hq, textbookIRLS(x, 2, l, nil, len(hq.Steps())-1), 1e-8)
	}
}

// R1-PCA: Huber's weights with the median distance from ordinary PCA as cut-off.
func TestR1AgreesWithTheTextbook(t *testing.T) {
	x := textbookTable(60, 6, 2, 7)
	m, err := pca.R1{Options: paperOptions(2)}.Fit(t.Context(), linalg.FromDense(x))
	if err != nil {
		t.Fatal(err)
	}
	ones := make([]float64, 60)
	for i := range ones {
		ones[i] = 1
	}
	mean, basis, _ := textbookPCA(x, ones, nil, 2)
	cut := math.Sqrt(textbookMedian(textbookDistances(x, mean, basis)))
	for _, l := range textbookLosses(cut) {
		if l.text == "huber:c=" {
			agree(t, m, textbookIRLS(x, 2, l, nil, len(m.Steps())-1), 1e-8)
		}
	}
}

func TestL1AgreesWithTheTextbook(t *testing.T) {
	for _, x := range []*mat.Dense{textbookTable(60, 6, 3, 9), textbookTable(25, 40, 3, 10)} {
		m, err := pca.L1{Options: paperOptions(3), Starts: 1}.Fit(t.Context(), linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		basis, dispersion := textbookL1(x, 3)
		var ours, theirs mat.Dense
		ours.Mul(m.Basis(), m.Basis().T())
		theirs.Mul(basis, basis.T())
		if d := largestDifference(&ours, &theirs); d > 1e-8 {
			t.Errorf("projector differs by %.2g", d)
		}
		captured := 0.0
		for k, s := range m.Steps() {
			captured += dispersion[k]
			if d := math.Abs(-s.Objective - captured); d > 1e-8*captured {
				t.Errorf("dispersion of %d components differs by %.2g", k+1, d)
			}
		}
		several, err := pca.L1{Options: paperOptions(1), Starts: 12}.Fit(t.Context(), linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		if -several.Steps()[0].Objective < dispersion[0]*(1-1e-12) {
			t.Errorf("twelve starts reach %g, the first alone %g", -several.Steps()[0].Objective, dispersion[0])
		}
	}
}

// m_r: weights are learned with a small subspace, then all components are taken at once.
func TestLearnRankAgreesWithTheTextbook(t *testing.T) {
	x := textbookTable(60, 9, 4, 11)
	const sigma = 4.0
	o := paperOptions(4)
	o.LearnRank = 2
	m, err := pca.HQ{Options: o, Sigma: loss.FixedAt(sigma)}.Fit(t.Context(), linalg.FromDense(x))
	if err != nil {
		t.Fatal(err)
	}
	small := textbookIRLS(x, 2, textbookLosses(sigma)[0], nil, len(m.Steps())-1)
	mean, basis, _ := textbookPCA(x, small.weights, nil, 4)
	agree(t, m, textbookFit{mean: mean, basis: basis, weights: small.weights, trace: small.trace}, 1e-8)
}
