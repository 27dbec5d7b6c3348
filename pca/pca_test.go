package pca

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

type method interface {
	Fit(context.Context, linalg.Source) (*Model, error)
}

// all lists every subspace method with the given options.
func all(o Options) map[string]method {
	return map[string]method{
		"pca": Classic{o}, "pca-l1": L1{Options: o}, "r1-pca": R1{Options: o}, "hq-pca": HQ{Options: o}, "pca-gm": GeneralizedMean{Options: o},
		"pca-kmpe p=1": KMPE{Options: o, P: 1}, "pca-kmpe p=4": KMPE{Options: o, P: 4},
		"pca-robust tukey": Robust{Options: o, Loss: loss.MustParse("tukey")}, "pca-robust gcorr": Robust{Options: o, Loss: loss.MustParse("gcorr:alpha=1,beta=auto")},
	}
}

func lowRank(t testing.TB, n, d int, fraction float64, seed uint64) *synthetic.Generated {
	t.Helper()
	c := synthetic.DefaultLowRank()
	c.N, c.D, c.Fraction, c.Offset = n, d, fraction, 20
	g, err := c.Generate(seed)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func fit(t testing.TB, m method, x *mat.Dense) *Model {
	t.Helper()
	model, err := m.Fit(context.Background(), linalg.FromDense(x))
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// Every model is an orthonormal basis whose transform and inverse belong together.
func TestModelLaws(t *testing.T) {
	for _, size := range [][2]int{{1000, 8}, {150, 8}, {30, 60}} {
		g := lowRank(t, size[0], size[1], 0.15, 2)
		x := g.Set.X
		for name, m := range all(Options{Components: 3}) {
			model := fit(t, m, x)
			var gram mat.Dense
			gram.Mul(model.basis.T(), model.basis)
			if !mat.EqualApprox(&gram, identity(3), 1e-12) {
				t.Errorf("%s: components are not orthonormal", name)
			}
			scores, err := model.Transform(context.Background(), x)
			if err != nil {
				t.Fatal(err)
			}
			kept, err := model.Inverse(t.Context(), scores)
			if err != nil {
				t.Fatal(err)
			}
			again, err := model.Transform(context.Background(), kept)
			if err != nil {
				t.Fatal(err)
			}
			if !mat.EqualApprox(scores, again, 1e-9) {
				t.Errorf("%s: scores of the reconstruction differ from the scores", name)
			}
			judged, err := model.Judge(context.Background(), x)
			if err != nil {
				t.Fatal(err)
			}
			nearer := 0.0 // what training rows gain by having had a part in the fit
			for i := range judged.Kind {
				var rest mat.VecDense
				rest.SubVec(x.RowView(i), kept.RowView(i))
				if got, want := judged.OrthogonalDistance[i], mat.Norm(&rest, 2); math.Abs(got-want) > 1e-8*(1+want) {
					t.Fatalf("%s: orthogonal distance of row %d is %v, want %v", name, i, got, want)
				}
				if size[0] < 1000 { // few rows are measured without themselves
					if judged.Outlier[i] {
						continue
					}
					nearer += model.Training().OrthogonalDistance[i] - judged.OrthogonalDistance[i]
					continue
				}
				if got, want := judged.OrthogonalDistance[i], model.Training().OrthogonalDistance[i]; math.Abs(got-want) > 1e-8*(1+want) {
					t.Fatalf("%s: row %d: judged %v, in training %v", name, i, got, want)
				}
				if got, want := judged.ScoreDistance[i], model.Training().ScoreDistance[i]; math.Abs(got-want) > 1e-7*(1+want) {
					t.Fatalf("%s: row %d: score distance %v, in training %v", name, i, got, want)
				}
				if judged.Kind[i] != model.Training().Kind[i] && math.Abs(judged.OrthogonalDistance[i]-judged.OrthogonalCutoff) > 1e-6 {
					t.Errorf("%s: row %d is %v, in training %v", name, i, judged.Kind[i], model.Training().Kind[i])
				}
			}
			if nearer < -1e-9 {
				t.Errorf("%s, %v: rows are farther from a subspace that they had a part in: %g", name, size, nearer)
			}
			for j := 1; j < 3; j++ {
				if model.eigenvalues[j] > model.eigenvalues[j-1]*(1+1e-9) && name != "pca-l1" {
					t.Errorf("%s: eigenvalues %v are not in order", name, model.eigenvalues)
				}
			}
			if e := model.Explained(); !(e.Robust > 0 && e.Robust <= 1 && e.Classical > 0 && e.Classical <= 1+1e-12) {
				t.Errorf("%s: explained variance %+v", name, e)
			}
		}
	}
}

// Rotating, shifting and scaling the data rotates, shifts and scales the model.
func TestInvariance(t *testing.T) {
	g := lowRank(t, 150, 6, 0.2, 3)
	x := g.Set.X
	random := rand.New(rand.NewPCG(9, 9))
	turn := mat.NewDense(6, 6, nil)
	turn.Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() }, turn)
	linalg.Orthonormalize(turn)
	for _, scale := range []float64{1e-6, 1, 1e6} {
		var y mat.Dense
		y.Mul(x, turn)
		y.Apply(func(_, j int, v float64) float64 { return scale * (v + 100*float64(j)) }, &y)
		for name, m := range all(Options{Components: 3, Tol: 1e-10, MaxSteps: 400}) {
			if name == "pca-l1" { // its greedy signs may tie
				continue
			}
			a, b := fit(t, m, x), fit(t, m, &y)
			var turned mat.Dense
			turned.Mul(turn.T(), a.basis)
			if angle := largestAngle(&turned, b.basis); angle > 0.01 {
				t.Errorf("%s, scale %g: the subspace of the turned data is %.2g degrees off", name, scale, angle)
			}
			for j := range a.eigenvalues {
				if r := b.eigenvalues[j] / (scale * scale) / a.eigenvalues[j]; math.Abs(r-1) > 1e-3 {
					t.Errorf("%s, scale %g: eigenvalue %d has ratio %v", name, scale, j, r)
				}
			}
		}
	}
}

// An integer weight acts like repeating the row, and weight 0 like leaving it out.
func TestWeightsAreRepetitions(t *testing.T) {
	x := lowRank(t, 90, 5, 0.2, 4).Set.X
	var rows []float64
	w := make([]float64, 90)
	n := 0
	for i := range w {
		w[i] = float64(i % 3)
		for k := 0; k < i%3; k++ {
			rows = append(rows, x.RawRowView(i)...)
			n++
		}
	}
	repeated := mat.NewDense(n, 5, rows)
	o := Options{Components: 2, Start: StartClassic, Tol: 1e-12, MaxSteps: 500}
	for name, m := range all(o) {
		if name == "pca-l1" {
			continue
		}
		o := o
		o.Weights = w
		a, b := fit(t, all(o)[name], x), fit(t, m, repeated)
		if angle := largestAngle(a.basis, b.basis); angle > 1e-4 {
			t.Errorf("%s: weights and repeated rows differ by %.2g degrees", name, angle)
		}
	}
}

// Results do not depend on the number of workers.
func TestWorkers(t *testing.T) {
	defer linalg.SetThreads(0)
	for _, size := range [][2]int{{700, 20}, {30, 100}} { // three stripes; more columns than rows
		x := lowRank(t, size[0], size[1], 0.1, 5).Set.X
		for name := range all(Options{}) {
			var first *Model
			for _, workers := range []int{1, 3} {
				linalg.SetThreads(workers)
				m := fit(t, all(Options{Components: 3, MaxSteps: 5})[name], x)
				if first == nil {
					first = m
					continue
				}
				if !mat.EqualApprox(first.basis, m.basis, 1e-10) {
					t.Errorf("%s: %d workers give another basis", name, workers)
				}
			}
		}
	}
}

// More columns than rows: working with the rows' coordinates changes nothing.
func TestManyColumns(t *testing.T) {
	g := lowRank(t, 60, 40, 0.1, 6)
	wide := mat.NewDense(60, 90, nil) // 50 columns of zeros: same geometry, d > n
	wide.Slice(0, 60, 0, 40).(*mat.Dense).Copy(g.Set.X)
	o := Options{Components: 3, LearnRank: -1, Start: StartClassic, Tol: 1e-11, MaxSteps: 300}
	for _, text := range []string{"square", "welsch:sigma=5", "huber:c=3", "cauchy:c=3"} {
		a := fit(t, Robust{Options: o, Loss: loss.MustParse(text)}, g.Set.X)
		b := fit(t, Robust{Options: o, Loss: loss.MustParse(text)}, wide)
		if angle := largestAngle(mat.DenseCopyOf(b.basis.Slice(0, 40, 0, 3)), a.basis); angle > 1e-4 {
			t.Errorf("%s: %g degrees between the two ways", text, angle)
		}
	}
}

// The block steps that never form a d x d matrix agree with those that do.
func TestBlockStepsAgree(t *testing.T) {
	x := lowRank(t, 400, 60, 0, 7).Set.X
	w := make([]float64, 400)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range w {
		w[i] = random.Float64()
	}
	p := &problem{src: linalg.FromDense(x), m: 3}
	dense, err := p.Solve(context.Background(), subspace{}, w)
	if err != nil {
		t.Fatal(err)
	}
	start := mat.NewDense(60, 3, nil)
	for j := 0; j < 3; j++ {
		start.Set(j, j, 1)
	}
	thin, err := p.blockStep(context.Background(), subspace{basis: start}, w)
	if err != nil {
		t.Fatal(err)
	}
	if angle := largestAngle(dense.basis, thin.basis); angle > 1e-4 {
		t.Errorf("%g degrees apart", angle)
	}
}

// Missing values are filled by the low-rank fit: with exact low rank they are recovered.
func TestMissing(t *testing.T) {
	c := synthetic.DefaultLowRank()
	c.N, c.D, c.Fraction, c.Noise = 200, 10, 0.1, 0.01
	g, err := c.Generate(8)
	if err != nil {
		t.Fatal(err)
	}
	x := mat.DenseCopyOf(g.Set.X)
	random := rand.New(rand.NewPCG(3, 3))
	for i := 0; i < 200; i++ {
		for j := 0; j < 10; j++ {
			if random.Float64() < 0.1 {
				x.Set(i, j, math.NaN())
			}
		}
	}
	o := Options{Components: 3, Tol: 1e-9, MaxSteps: 500}
	var missing *refusal.CellError
	if _, err := (HQ{Options: o}).Fit(context.Background(), linalg.FromDense(x)); !errors.As(err, &missing) {
		t.Errorf("without being asked: %v", err)
	}
	o.Missing = true
	m := fit(t, HQ{Options: o}, x)
	if angle := largestAngle(g.Truth.Basis, m.basis); angle > 1 {
		t.Errorf("subspace is %.2f degrees off", angle)
	}
	stage := m.steps[0]
	for _, s := range m.steps[1:] {
		if s.Stage == stage.Stage && s.Number > 1 && s.Objective > stage.Objective*(1+1e-9) {
			t.Errorf("step %d: objective rose from %v to %v", s.Number, stage.Objective, s.Objective)
		}
		stage = s
	}
	kept, err := m.Reconstruct(context.Background(), x)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < 200; i++ {
		for j := 0; j < 10 && !g.Truth.Outlier[i]; j++ {
			if math.IsNaN(x.At(i, j)) && math.Abs(kept.At(i, j)-g.Set.X.At(i, j)) > 0.5 {
				t.Errorf("row %d, column %d: filled %v, was %v", i, j, kept.At(i, j), g.Set.X.At(i, j))
			}
		}
	}
}

// Exactly low-rank data and repeated rows must not produce NaN.
func TestDegenerate(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 11))
	exact := mat.NewDense(50, 6, nil)
	for i := 0; i < 50; i++ {
		a, b := random.NormFloat64(), random.NormFloat64()
		for j := 0; j < 6; j++ {
			exact.Set(i, j, a*float64(j)+b*float64(j*j))
		}
	}
	spiked := mat.DenseCopyOf(exact)
	for i := 0; i < 5; i++ {
		spiked.Set(i, 0, 100)
	}
	half := mat.NewDense(40, 3, nil) // more than half of the rows are one and the same point
	for i := 0; i < 18; i++ {
		half.SetRow(i, []float64{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()})
	}
	for what, x := range map[string]*mat.Dense{"rank two": exact, "rank two with spikes": spiked, "mostly one point": half} {
		for name, m := range all(Options{Components: 2}) {
			model, err := m.Fit(context.Background(), linalg.FromDense(x))
			if err != nil {
				t.Logf("%s on %s: %v", name, what, err)
				continue
			}
			bad := fmt.Sprint(model.eigenvalues, model.mean, mat.Sum(model.basis), model.explained)
			for _, v := range append(append([]float64{mat.Sum(model.basis), model.explained.Robust}, model.mean...), model.eigenvalues...) {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("%s on %s: %s", name, what, bad)
				}
			}
			if what == "rank two with spikes" && (name == "hq-pca" || name == "pca-robust tukey") {
				for i := 0; i < 5; i++ {
					if !model.Training().Outlier[i] {
						t.Errorf("%s does not flag spike %d", name, i)
					}
				}
			}
		}
	}
}
