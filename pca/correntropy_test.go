package pca

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"github.com/inlier-ml/inlier/linalg"
)

// plainCorrentropy computes what Correntropy means by its definition: double loops over
// columns and rows, no expansions. power is the exponent of N in the centring term.
func plainCorrentropy(x *mat.Dense, sigma float64, power int) *mat.SymDense {
	n, l := x.Dims()
	kappa := func(u float64) float64 { return math.Exp(-u * u / (2 * sigma * sigma)) }
	v := mat.NewSymDense(l, nil)
	for i := range l {
		for j := i; j < l; j++ {
			same, pairs := 0.0, 0.0
			for k := range n {
				same += kappa(x.At(k, i) - x.At(k, j))
				for m := range n {
					pairs += kappa(x.At(k, i) - x.At(m, j))
				}
			}
			v.SetSym(i, j, same/float64(n)-pairs/math.Pow(float64(n), float64(power)))
		}
	}
	return v
}

// plainScores projects rows on the model's coefficients by the definition.
func plainScores(train, rows, beta *mat.Dense, sigma float64) *mat.Dense {
	n, l := train.Dims()
	r, _ := rows.Dims()
	m, _ := beta.Dims()
	density := func(i int, t float64) float64 {
		sum := 0.0
		for k := range n {
			u := (train.At(k, i) - t) / sigma
			sum += math.Exp(-u*u/2) / float64(n)
		}
		return sum
	}
	out := mat.NewDense(r, m, nil)
	for i := range l {
		mean := 0.0
		for k := range n {
			mean += density(i, train.At(k, i)) / float64(n)
		}
		for k := range r {
			for j := range m {
				out.Set(k, j, out.At(k, j)+beta.At(j, i)*(density(i, rows.At(k, i))-mean))
			}
		}
	}
	return out
}

// correlated makes rows whose columns share a factor, with centred columns.
func correlated(n, l int, seed uint64) *mat.Dense {
	random := rand.New(rand.NewPCG(seed, 7))
	x := mat.NewDense(n, l, nil)
	for k := range n {
		common := random.NormFloat64()
		for i := range l {
			x.Set(k, i, common*float64(i%3)+random.NormFloat64()*(0.5+0.3*float64(i)))
		}
	}
	return centredCopy(x)
}

func centredCopy(x *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(x)
	n, l := x.Dims()
	for i := range l {
		mean := stat.Mean(mat.Col(nil, i, x), nil)
		for k := range n {
			out.Set(k, i, x.At(k, i)-mean)
		}
	}
	return out
}

func largestDifference(a, b mat.Matrix) float64 {
	r, c := a.Dims()
	worst := 0.0
	for i := range r {
		for j := range c {
			if d := math.Abs(a.At(i, j) - b.At(i, j)); d > worst || math.IsNaN(d) {
				worst = d
			}
		}
	}
	return worst
}

func TestCorrentropyAgreesWithItsDefinition(t *testing.T) {
	far := correlated(120, 4, 3)
	far.Set(5, 1, 900)
	far.Set(9, 1, 905)
	far.Set(17, 2, -4000)
	for _, c := range []struct {
		name  string
		x     *mat.Dense
		sigma float64
	}{
		{"fourier", correlated(150, 5, 1), 0.7},
		{"hermite", correlated(150, 5, 1), 40},
		{"window", correlated(60, 5, 2), 0.01},
		{"far outliers", far, 0.6},
		{"two rows", correlated(2, 3, 4), 1},
		{"one column", correlated(40, 1, 5), 0.5},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := Correntropy{Sigma: c.sigma, Scaling: ScaleNone}.Fit(t.Context(), linalg.FromDense(c.x))
			if err != nil {
				t.Fatal(err)
			}
			want := plainCorrentropy(c.x, c.sigma, 2)
			if d := largestDifference(m.Matrix(), want); d > 1e-13 {
				t.Errorf("matrix differs from the definition by %.2g", d)
			}
			_, l, k := m.dims()
			beta, values := m.Components(), m.Eigenvalues()
			var bv, bvb mat.Dense
			bv.Mul(beta, want)
			bvb.Mul(&bv, beta.T())
			for j := range k {
				for i := range l {
					if d := math.Abs(bv.At(j, i) - values[j]*beta.At(j, i)); d > 1e-10 {
						t.Errorf("component %d is not an eigenvector: off by %.2g", j, d)
					}
				}
				if d := math.Abs(bvb.At(j, j) - 1); d > 1e-9 {
					t.Errorf("beta' V beta of component %d is off one by %.2g", j, d)
				}
			}
			// Training rows, and rows in between, near the ends and far outside.
			rows := mat.DenseCopyOf(c.x)
			r, _ := rows.Dims()
			for i := range l {
				rows.Set(0, i, rows.At(0, i)+0.3*c.sigma)
				rows.Set(r-1, i, mat.Max(c.x)+float64(i)*4*c.sigma)
			}
			got, err := m.Transform(t.Context(), rows)
			if err != nil {
				t.Fatal(err)
			}
			if d := largestDifference(got, plainScores(c.x, rows, beta, c.sigma)); d > 1e-10 {
				t.Errorf("scores differ from the definition by %.2g", d)
			}
		})
	}
}

// The three ways to compute the same double sum agree.
func TestCorrentropyBranchesAgree(t *testing.T) {
	x := correlated(400, 3, 6)
	columns := [][]float64{mat.Col(nil, 0, x), mat.Col(nil, 1, x), mat.Col(nil, 2, x)}
	mass := make([]float64, 400)
	for k := range mass {
		mass[k] = 1.0 / 400
	}
	lo, hi := mat.Min(x), mat.Max(x)
	for _, sigma := range []float64{0.15, 0.5, 3, (hi - lo) / 2, hi - lo} {
		fourier := expansion{lo: lo, hi: hi, mid: (lo + hi) / 2, half: (hi - lo) / 2, sigma: sigma, period: hi - lo + 18*sigma}
		fourier.count = 1 + 2*int(math.Ceil(9*fourier.period/(2*math.Pi*sigma)))
		branches := map[string][]expansion{"fourier": {fourier}, "window": nil}
		if hi-lo <= 2*sigma {
			branches["hermite"] = []expansion{newExpansion(lo, hi, sigma)}
		}
		var first []float64
		for _, name := range []string{"window", "fourier", "hermite"} {
			e, ok := branches[name]
			if !ok {
				continue
			}
			s := &smoother{sigma: sigma, expansions: e, points: make([][]float64, 3), pointMass: make([][]float64, 3)}
			if f := s.features(); f > 0 {
				s.means = mat.NewDense(3, f, nil)
			}
			for i := range columns {
				s.take(i, columns[i], mass)
			}
			var values []float64
			for i := range 3 {
				for j := range 3 {
					values = append(values, s.cross(i, j))
				}
			}
			read := s.reader()
			buffer := make([]float64, read.widest)
			for _, v := range []float64{lo - 8.9*sigma, lo - 3*sigma, lo, 0.1, hi, hi + sigma, hi + 8.9*sigma, hi + 30*sigma, 1e300} {
				values = append(values, read.at(1, v, buffer))
			}
			if first == nil {
				first = values
				continue
			}
			for k := range values {
				if d := math.Abs(values[k] - first[k]); !(d <= 1e-13) {
					t.Errorf("sigma %g: %s and window differ by %.2g in value %d", sigma, name, d, k)
				}
			}
		}
	}
}

// The number of frequencies follows from range and kernel size alone.
func TestCorrentropyCostDoesNotGrowWithRows(t *testing.T) {
	counts := map[int]int{}
	for _, n := range []int{400, 4000} {
		x := correlated(n, 2, 8)
		x.Set(0, 0, -9)
		x.Set(0, 1, 9)
		s, err := newSmoother(t.Context(), [][]float64{mat.Col(nil, 0, x), mat.Col(nil, 1, x)}, make([]float64, n), 0.8)
		if err != nil {
			t.Fatal(err)
		}
		if len(s.expansions) != 1 {
			t.Fatalf("%d expansions for one stretch", len(s.expansions))
		}
		counts[n] = s.features()
	}
	if counts[400] != counts[4000] || float64(counts[400]) > 2*9*(18/0.8+18)/(2*math.Pi)+3 {
		t.Errorf("features: %v", counts)
	}
}

// A centred Gram matrix has no negative eigenvalue; with the 1/N of the slides it has.
func TestCorrentropyMatrixIsPositiveSemidefinite(t *testing.T) {
	x := correlated(80, 6, 9)
	for _, sigma := range []float64{0.05, 0.5, 2, 50} {
		m, err := Correntropy{Sigma: sigma}.Fit(t.Context(), linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		values, _, err := descendingEigen(t.Context(), m.Matrix())
		if err != nil {
			t.Fatal(err)
		}
		if low := values[len(values)-1]; low < -1e-14 {
			t.Errorf("sigma %g: eigenvalue %g", sigma, low)
		}
	}
	printed, _, err := descendingEigen(t.Context(), plainCorrentropy(x, 0.5, 1))
	if err != nil {
		t.Fatal(err)
	}
	if low := printed[len(printed)-1]; low > -1 {
		t.Errorf("the slides' 1/N should make the matrix indefinite; its smallest eigenvalue is %g", low)
	}
}

func TestCorrentropyWeightsActLikeRepeatedRows(t *testing.T) {
	x := correlated(40, 3, 14)
	weights := make([]float64, 40)
	var repeated []float64
	for k := range weights {
		weights[k] = float64(k % 4)
		for range k % 4 {
			repeated = append(repeated, x.RawRowView(k)...)
		}
	}
	for _, sigma := range []float64{0.01, 0.5, 100} {
		a, err := Correntropy{Sigma: sigma, Components: 2, Weights: weights}.Fit(t.Context(), linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		b, err := Correntropy{Sigma: sigma, Components: 2}.Fit(t.Context(), linalg.FromDense(mat.NewDense(len(repeated)/3, 3, repeated)))
		if err != nil {
			t.Fatal(err)
		}
		if d := largestDifference(a.Matrix(), b.Matrix()); d > 1e-13 {
			t.Errorf("sigma %g: matrices differ by %.2g", sigma, d)
		}
		if d := math.Abs(a.below[0] - b.below[0]); d > 1e-9 {
			t.Errorf("sigma %g: spreads differ by %.2g", sigma, d)
		}
	}
}

func TestCorrentropyDoesNotDependOnWorkers(t *testing.T) {
	defer linalg.SetThreads(linalg.Threads())
	x := correlated(300, 7, 15)
	x.Set(3, 3, 500)
	var first *CorrentropyModel
	var firstScores *mat.Dense
	for _, workers := range []int{1, 2, 8} {
		linalg.SetThreads(workers)
		m, err := Correntropy{Components: 4}.Fit(t.Context(), linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		scores, err := m.Transform(t.Context(), x)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first, firstScores = m, scores
		} else if !mat.Equal(first.matrix, m.matrix) || !mat.Equal(first.beta, m.beta) || !mat.Equal(firstScores, scores) {
			t.Errorf("%d workers give another result than one", workers)
		}
	}
}

func TestCorrentropyInputIsNotModified(t *testing.T) {
	x := correlated(30, 3, 16)
	before := mat.DenseCopyOf(x)
	m, err := Correntropy{Scaling: ScaleStandard}.Fit(t.Context(), linalg.FromDense(x))
	if err != nil {
		t.Fatal(err)
	}
	m.Matrix().SetSym(0, 0, 7)
	m.Components().Set(0, 0, 7)
	if !mat.Equal(before, x) || m.matrix.At(0, 0) == 7 || m.beta.At(0, 0) == 7 {
		t.Error("input or model was modified")
	}
}

func TestCorrentropyPartsRestoreTheModel(t *testing.T) {
	x := correlated(200, 3, 17)
	x.Set(4, 1, 77)
	x.Set(5, 2, -99)
	rows := correlated(20, 3, 18)
	for _, sigma := range []float64{0.02, 0, 60} {
		m, err := Correntropy{Sigma: sigma, Components: 2}.Fit(t.Context(), linalg.FromDense(x))
		if err != nil {
			t.Fatal(err)
		}
		again, err := correntropyFromParts(m.parts())
		if err != nil {
			t.Fatal(err)
		}
		want, _ := m.Transform(t.Context(), rows)
		got, err := again.Transform(t.Context(), rows)
		if err != nil || !mat.Equal(want, got) {
			t.Errorf("sigma %g: restored scores differ (%v)", sigma, err)
		}
		for name, spoil := range map[string]func(p *correntropyParts){
			"sigma":    func(p *correntropyParts) { p.Sigma = math.NaN() },
			"offset":   func(p *correntropyParts) { p.Offset = p.Offset[1:] },
			"scale":    func(p *correntropyParts) { p.Scale[0] = 0 },
			"matrix":   func(p *correntropyParts) { p.Matrix = mat.NewDense(2, 3, nil) },
			"nothing":  func(p *correntropyParts) { *p = correntropyParts{} },
			"counts":   func(p *correntropyParts) { p.PointCount[0] += 1e9 },
			"features": func(p *correntropyParts) { p.Features = nil; p.Points = append(p.Points, 1) },
		} {
			p := m.parts()
			spoil(&p)
			if _, err := correntropyFromParts(p); err == nil {
				t.Errorf("sigma %g: spoilt %s was accepted", sigma, name)
			}
		}
	}
}
