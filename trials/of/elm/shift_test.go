package elm

import (
	"bytes"
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/elm"
	"github.com/inlier-ml/inlier/linalg"
	"gonum.org/v1/gonum/mat"
)

type fitter interface {
	Fit(ctx context.Context, src linalg.Source, t *mat.Dense) (*elm.Model, error)
}

// bends makes n rows of d inputs and a target with two bends, noise of 0.05 and a few far off.
func bends(n, d int, seed uint64) (x, y *mat.Dense) {
	r := rand.New(rand.NewPCG(seed, 5))
	x, y = mat.NewDense(n, d, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, r.NormFloat64())
		}
		y.Set(i, 0, math.Sin(x.At(i, 0))+0.5*x.At(i, 1)+0.05*r.NormFloat64())
		if i%17 == 3 {
			y.Set(i, 0, y.At(i, 0)+9)
		}
	}
	return x, y
}

// A penalty that was given is the papers' letter: it acts on targets as they are.
func TestGivenPenaltyTakesTargetsAsTheyAre(t *testing.T) {
	x, y := bends(60, 2, 2)
	y.Apply(func(_, _ int, v float64) float64 { return v + 5 }, y)
	for _, scaling := range []elm.Scaling{"", elm.ScaleNone} {
		o := elm.Options{Hidden: 9, Lambda: 0.1, Scaling: scaling}
		m, err := elm.Ridge{o}.Fit(t.Context(), linalg.FromDense(x), y)
		if err != nil {
			t.Fatal(err)
		}
		h, _ := m.Layer().Outputs(x)
		var gram, right, want mat.Dense
		gram.Mul(h.T(), h)
		for j := range 9 {
			gram.Set(j, j, gram.At(j, j)+0.1)
		}
		right.Mul(h.T(), y)
		if err := want.Solve(&gram, &right); err != nil {
			t.Fatal(err)
		}
		if got := m.OutputWeights(); !mat.EqualApprox(got, &want, 1e-8) {
			t.Errorf("scaling %q: output weights %v, the normal equations say %v", scaling, got.RawMatrix().Data, want.RawMatrix().Data)
		}
	}
}

// Outputs of unlike units have a bandwidth and a penalty each: together they are what each is
// alone, through a file as well.
func TestOutputsOfUnlikeUnits(t *testing.T) {
	x, y := bends(80, 2, 3)
	both := mat.NewDense(80, 2, nil)
	for i := range 80 {
		both.SetRow(i, []float64{y.At(i, 0), 1e4 * (math.Cos(2*x.At(i, 1)) + 3)})
	}
	for name, f := range map[string]fitter{"relm": elm.Ridge{elm.Options{Hidden: 15}}, "elm-rcc": elm.RCC{Options: elm.Options{Hidden: 15}}} {
		m, err := f.Fit(t.Context(), linalg.FromDense(x), both)
		if err != nil {
			t.Fatal(name, err)
		}
		out, _ := m.Predict(t.Context(), x)
		for c := range 2 {
			alone := mat.NewDense(80, 1, mat.Col(nil, c, both))
			one, err := f.Fit(t.Context(), linalg.FromDense(x), alone)
			if err != nil {
				t.Fatal(name, err)
			}
			want, _ := one.Predict(t.Context(), x)
			for i := range 80 {
				if d := math.Abs(out.At(i, c) - want.At(i, 0)); d > 1e-9*(1+math.Abs(want.At(i, 0))) {
					t.Fatalf("%s, output %d, row %d: %g, alone %g", name, c, i, out.At(i, c), want.At(i, 0))
				}
			}
			if m.LambdaOf(c) != one.Lambda() || m.LossOf(c).Scale() != one.Loss().Scale() || m.Scale()[c] != one.Scale()[0] {
				t.Errorf("%s, output %d: penalty %g, bandwidth %g; alone %g and %g", name, c, m.LambdaOf(c), m.LossOf(c).Scale(), one.Lambda(), one.Loss().Scale())
			}
		}
		var file bytes.Buffer
		if _, err := m.WriteTo(&file); err != nil {
			t.Fatal(name, err)
		}
		again, err := elm.Read(&file)
		if err != nil {
			t.Fatal(name, err)
		}
		a, _ := m.Judge(t.Context(), x, both)
		b, err := again.Judge(t.Context(), x, both)
		if err != nil {
			t.Fatal(name, err)
		}
		for i := range 80 {
			if a.Row(i) != b.Row(i) {
				t.Fatalf("%s, row %d: %+v, from the file %+v", name, i, a.Row(i), b.Row(i))
			}
			if one := again.JudgeRow(x.RawRowView(i), both.RawRowView(i)); math.Abs(one.Weight-a.Weight[i]) > 1e-9 {
				t.Fatalf("%s, row %d: weight %g, alone %g", name, i, a.Weight[i], one.Weight)
			}
		}
	}
}

// Radial nodes of many columns are not all out of reach of every row.
func TestRadialNodesOfManyColumns(t *testing.T) {
	x, y := bends(60, 2000, 5)
	for i := range 60 {
		for j := 1; j < 400; j++ {
			y.Set(i, 0, y.At(i, 0)+x.At(i, j)/20)
		}
	}
	for name, f := range map[string]fitter{"relm": elm.Ridge{elm.Options{Activation: elm.Gaussian}}, "elm-rcc": elm.RCC{Options: elm.Options{Activation: elm.Gaussian, Hidden: 40}}, "elm": elm.Plain{elm.Options{Activation: elm.Gaussian, Hidden: 10}}} {
		m, err := f.Fit(t.Context(), linalg.FromDense(x), y)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		h, _ := m.Layer().Outputs(x)
		if v := mat.Norm(h, 2) / math.Sqrt(float64(60*m.Layer().Weights.RawMatrix().Rows)); !(v > 0.05) {
			t.Errorf("%s: outputs of the nodes of size %g", name, v)
		}
	}
}
