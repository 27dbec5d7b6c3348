package linear

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// dirty makes y = 3 + 2 x1 - x2 + x3 ... + noise; the share of rows at the end has wrong
// targets, every second of them also far out in the columns.
func dirty(n, d int, share float64, seed uint64) (x *mat.Dense, y, truth []float64) {
	random := rand.New(rand.NewPCG(seed, 2))
	truth = []float64{3}
	for j := range d {
		truth = append(truth, []float64{2, -1, 1}[j%3])
	}
	x, y = mat.NewDense(n, d, nil), make([]float64, n)
	for i := range n {
		row := x.RawRowView(i)
		y[i] = truth[0] + random.NormFloat64()
		for j := range row {
			row[j] = random.NormFloat64()
			y[i] += truth[1+j] * row[j]
		}
		if float64(i) >= (1-share)*float64(n) {
			y[i] += 60 + 5*random.NormFloat64()
			if i%2 == 0 {
				y[i] += 140
				for j := range row {
					row[j] += 10
				}
			}
		}
	}
	return x, y, truth
}

func estimates(m *Model) []float64 { return append([]float64{m.Intercept()}, m.Coef()...) }

// distance is |a - b| / |b|.
func distance(a, b []float64) float64 {
	d := slices.Clone(a)
	axpy(-1, b, d)
	return norm(d) / norm(b)
}

// Least squares, coefficients and standard errors, against the normal equations.
func TestSquareLossIsLeastSquares(t *testing.T) {
	x, y, _ := dirty(60, 3, 0, 1)
	m, err := Robust{Loss: loss.Spec{}, Start: StartClassic}.Fit(context.Background(), linalg.FromDense(x), y)
	if err != nil {
		t.Fatal(err)
	}
	z := mat.NewDense(60, 4, nil)
	for i := range 60 {
		z.SetRow(i, append([]float64{1}, x.RawRowView(i)...))
	}
	var qr mat.QR
	qr.Factorize(z)
	var want mat.VecDense
	if err := qr.SolveVecTo(&want, false, mat.NewVecDense(60, y)); err != nil {
		t.Fatal(err)
	}
	if d := distance(estimates(m), mat.Col(nil, 0, &want)); d > 1e-12 {
		t.Errorf("coefficients are %.2g off", d)
	}
	// White's covariance with n/(n-p): (Z'Z)^-1 sum r^2 z z' (Z'Z)^-1
	var gram, inverse, meat, out mat.Dense
	gram.Mul(z.T(), z)
	if err := inverse.Inverse(&gram); err != nil {
		t.Fatal(err)
	}
	weighted := mat.DenseCopyOf(z)
	for i := range 60 {
		r := y[i] - mat.Dot(z.RowView(i), &want)
		for j := range 4 {
			weighted.Set(i, j, z.At(i, j)*r*r)
		}
	}
	meat.Mul(z.T(), weighted)
	out.Product(&inverse, &meat, &inverse)
	out.Scale(60.0/56, &out)
	for i := range 4 {
		for j := range 4 {
			if math.Abs(out.At(i, j)-m.Covariance().At(i, j)) > 1e-6*math.Abs(out.At(i, i)) {
				t.Errorf("covariance %d, %d is %g instead of %g", i, j, m.Covariance().At(i, j), out.At(i, j))
			}
		}
	}
}

// The M-scale solves its equation, and its constant makes it consistent: the mean of
// rho over a large normal sample of scale 3 is one half at 3.
func TestScale(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 4))
	r := make([]float64, 200001)
	for i := range r {
		r[i] = 3 * random.NormFloat64()
	}
	s := mScale(r, nil, float64(len(r)), 0)
	if mean, _ := meanChi(r, nil, s, float64(len(r))); math.Abs(mean-0.5) > 1e-12 || math.Abs(s-3) > 0.03 {
		t.Errorf("scale %g, mean %g", s, mean)
	}
	for _, u := range []float64{0.1, 0.7, 1.5, 1.6, -1.2} {
		const h = 1e-6
		if slope := (chi(u+h) - chi(u-h)) / (2 * h); math.Abs(slope-chiSlope(u)) > 1e-8 {
			t.Errorf("derivative at %g: %g and %g", u, chiSlope(u), slope)
		}
	}
	if got := mScale([]float64{0, 0, 0, 0, 5, 6}, nil, 6, 0); got != 0 {
		t.Errorf("four of six residuals vanish: scale %g", got)
	}
	for guess, want := range map[float64]float64{1e-9: s, 1e9: s} {
		if got := mScale(r, nil, float64(len(r)), guess); math.Abs(got/want-1) > 1e-9 {
			t.Errorf("from %g: %g instead of %g", guess, got, want)
		}
	}
}

func TestRidgeShrinks(t *testing.T) {
	x, y, _ := dirty(100, 3, 0.1, 12)
	before := math.Inf(1)
	for _, lambda := range []float64{0, 10, 1000} {
		for _, start := range []Start{StartS, StartClassic} {
			m, err := Robust{Loss: DefaultLoss, Lambda: lambda, Start: start, Seed: 1}.Fit(context.Background(), linalg.FromDense(x), y)
			if err != nil {
				t.Fatal(err)
			}
			if start == StartS {
				if n := norm(m.Coef()); n >= before {
					t.Errorf("lambda %g: norm %g", lambda, n)
				} else {
					before = n
				}
			}
		}
	}
}

func TestPartsComeBack(t *testing.T) {
	x, y, _ := dirty(50, 2, 0.2, 14)
	m := fitDefault(t, x, y)
	back, err := fromParts(m.parts())
	if err != nil {
		t.Fatal(err)
	}
	a, err := m.Judge(context.Background(), x, y)
	if err != nil {
		t.Fatal(err)
	}
	b, err := back.Judge(context.Background(), x, y)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(a.Kind, b.Kind) || !slices.Equal(a.Weight, b.Weight) || !slices.Equal(a.ScoreDistance, b.ScoreDistance) {
		t.Error("the model judges differently")
	}
	for i, w := range m.Weights() {
		if math.Abs(w-a.Weight[i]) > 1e-9 {
			t.Errorf("row %d: weight %g in the fit, %g judged", i+1, w, a.Weight[i])
		}
	}
	parts := m.parts()
	parts.LeverageCentre = nil
	if _, err := fromParts(parts); err == nil {
		t.Error("a leverage without centre is accepted")
	}
}
