package pca

import (
	"bytes"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/pca"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// The components are Kwak's, one by one: not only their span is that of the greedy algorithm
// written out, and the first of a larger fit are a smaller fit.
func TestL1KeepsItsComponents(t *testing.T) {
	for _, x := range []*mat.Dense{textbookTable(60, 6, 3, 9), textbookTable(25, 40, 3, 10)} {
		large := fit(t, pca.L1{Options: paperOptions(4), Starts: 1}, x)
		basis, _ := textbookL1(x, 4)
		linalg.FixSigns(basis)
		if d := largestDifference(large.Basis(), basis); d > 1e-8 {
			t.Errorf("components differ from the greedy algorithm's by %.2g", d)
		}
		for _, starts := range []int{1, 5} {
			large := fit(t, pca.L1{Options: paperOptions(4), Starts: starts}, x).Basis()
			for m := 1; m < 4; m++ {
				small := fit(t, pca.L1{Options: paperOptions(m), Starts: starts}, x).Basis()
				d, _ := small.Dims()
				if e := largestDifference(large.Slice(0, d, 0, m).(*mat.Dense), small); e > 1e-8 {
					t.Errorf("%d starts: the first %d of 4 components differ from a fit of %d by %.2g", starts, m, m, e)
				}
			}
		}
	}
}

// Scores along the components are correlated; score distances and variances are right all
// the same: those of the scores' covariance, row by row and from a file.
func TestL1JudgesCorrelatedScores(t *testing.T) {
	x := textbookTable(200, 6, 3, 11)
	m := fit(t, pca.L1{Options: pca.Options{Components: 3, Start: pca.StartClassic}}, x)
	scores, err := m.Transform(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	n, k := scores.Dims()
	covariance := mat.NewSymDense(k, nil)
	for a := range k {
		for b := a; b < k; b++ {
			covariance.SetSym(a, b, mat.Dot(scores.ColView(a), scores.ColView(b))/float64(n-1))
		}
	}
	correlation := 0.0
	for a := range k {
		if v, want := m.Eigenvalues()[a], covariance.At(a, a); math.Abs(v-want) > 1e-9*want {
			t.Errorf("variance %g along component %d, of its scores %g", v, a+1, want)
		}
		for b := range a {
			correlation = math.Max(correlation, math.Abs(covariance.At(a, b))/math.Sqrt(covariance.At(a, a)*covariance.At(b, b)))
		}
	}
	if correlation < 0.01 {
		t.Fatalf("scores are not correlated (%g): this shows nothing", correlation)
	}
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	again, err := pca.Read(&file)
	if err != nil {
		t.Fatal(err)
	}
	var inverse mat.Dense
	if err := inverse.Inverse(covariance); err != nil {
		t.Fatal(err)
	}
	for name, model := range map[string]*pca.Model{"fitted": m, "restored": again} {
		judged, err := model.Judge(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			z := scores.RowView(i)
			want := math.Sqrt(mat.Inner(z, &inverse, z))
			for what, got := range map[string]float64{"among others": judged.ScoreDistance[i], "alone": model.JudgeRow(x.RawRowView(i)).ScoreDistance} {
				if math.Abs(got-want) > 1e-9*want {
					t.Fatalf("%s model, row %d %s: score distance %g, by the covariance %g", name, i+1, what, got, want)
				}
			}
		}
	}
	if a := testing.AllocsPerRun(100, func() { m.JudgeRow(x.RawRowView(0)) }); a > 0 && !workspace.Forgets {
		t.Errorf("%g allocations for a row", a)
	}
}

// With a robust scatter inside the subspace the components are Kwak's all the same, and score
// distances are those of that scatter: on clean rows nearly those of the scores' covariance.
func TestL1WithARobustScatter(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 5))
	x := mat.NewDense(400, 4, nil)
	for i := range 400 { // two correlated directions, in which a long one is not the one with large values
		a, b := draw.NormFloat64(), draw.NormFloat64()
		x.SetRow(i, []float64{3*a + b, 3*a - b + 0.5*b*b*b, a + 2*b, 0})
		for j := range 4 {
			x.Set(i, j, x.At(i, j)+0.05*draw.NormFloat64())
		}
	}
	plain := fit(t, pca.L1{Options: pca.Options{Components: 2}}, x)
	m := fit(t, pca.L1{Options: pca.Options{Components: 2, Scatter: pca.ScatterRobust}}, x)
	if d := largestDifference(plain.Basis(), m.Basis()); d > 1e-9 {
		t.Errorf("components differ by %.2g", d)
	}
	scores, err := m.Transform(t.Context(), x)
	if err != nil {
		t.Fatal(err)
	}
	var covariance mat.SymDense
	stat.CovarianceMatrix(&covariance, scores, nil)
	var inverse mat.Dense
	if err := inverse.Inverse(&covariance); err != nil {
		t.Fatal(err)
	}
	judged, want := m.Training(), make([]float64, 400)
	for i := range want {
		z := scores.RowView(i)
		want[i] = math.Sqrt(mat.Inner(z, &inverse, z))
	}
	if r := stat.Correlation(judged.ScoreDistance, want, nil); r < 0.97 {
		t.Errorf("score distances and those of the covariance correlate by %g", r)
	}
}
