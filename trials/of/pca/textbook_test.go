package pca

import (
	"math"
	"math/rand/v2"
	"sort"

	"gonum.org/v1/gonum/mat"
)

// textbookLoss is a loss and its weight (derivative up to a constant) as functions of s.
type textbookLoss struct {
	text        string // how package loss names it
	rho, weight func(s float64) float64
}

// textbookLosses writes out every loss at a fixed bandwidth.
func textbookLosses(scale float64) []textbookLoss {
	q := 2 * scale * scale
	c2 := scale * scale
	return []textbookLoss{
		{"welsch:sigma=", func(s float64) float64 { return 1 - math.Exp(-s/q) }, func(s float64) float64 { return math.Exp(-s / q) }},
		{"kmpe:p=1.5,sigma=",
			func(s float64) float64 { return math.Pow(1-math.Exp(-s/q), 0.75) },
			func(s float64) float64 { return math.Pow(1-math.Exp(-s/q), -0.25) * math.Exp(-s/q) }},
		{"huber:c=",
			func(s float64) float64 {
				if s <= c2 {
					return s
				}
				return 2*scale*math.Sqrt(s) - c2
			},
			func(s float64) float64 { return math.Min(1, scale/math.Sqrt(s)) }},
		{"cauchy:c=", func(s float64) float64 { return c2 * math.Log(1+s/c2) }, func(s float64) float64 { return 1 / (1 + s/c2) }},
		{"tukey:c=",
			func(s float64) float64 { return c2 / 3 * (1 - math.Pow(math.Max(0, 1-s/c2), 3)) },
			func(s float64) float64 { return math.Pow(math.Max(0, 1-s/c2), 2) }},
		{"l1", math.Sqrt, func(s float64) float64 { return 1 / math.Sqrt(s) }},
		{"lp:p=1.3", func(s float64) float64 { return math.Pow(math.Sqrt(s), 1.3) }, func(s float64) float64 { return math.Pow(math.Sqrt(s), -0.7) }},
		{"gm:p=0.4,delta=0.05", func(s float64) float64 { return math.Pow(s+0.05, 0.4) }, func(s float64) float64 { return math.Pow(s+0.05, -0.6) }},
		{"gcorr:alpha=1.5,beta=",
			func(s float64) float64 { return 1 - math.Exp(-math.Pow(math.Sqrt(s)/scale, 1.5)) },
			func(s float64) float64 { return math.Exp(-math.Pow(math.Sqrt(s)/scale, 1.5)) * math.Pow(s, -0.25) }},
		{"square", func(s float64) float64 { return s }, func(float64) float64 { return 1 }},
	}
}

// textbookFit is what a slow reference returns.
type textbookFit struct {
	mean    []float64
	basis   *mat.Dense // d x m
	values  []float64  // eigenvalues of the weighted covariance
	squared []float64  // s at the end
	weights []float64  // weights at the end, the largest 1
	trace   []float64  // mean loss at the start and after each step
}

// textbookPCA is the weighted mean and the leading eigenvectors of the weighted scatter
// about it, or about the given centre.
func textbookPCA(x *mat.Dense, w, centre []float64, m int) (mean []float64, basis *mat.Dense, values []float64) {
	n, d := x.Dims()
	mean = make([]float64, d)
	total := 0.0
	for i := range n {
		total += w[i]
		for j := range d {
			mean[j] += w[i] * x.At(i, j)
		}
	}
	for j := range mean {
		mean[j] /= total
	}
	if centre != nil {
		mean = centre
	}
	scatter := mat.NewSymDense(d, nil)
	for a := range d {
		for b := a; b < d; b++ {
			sum := 0.0
			for i := range n {
				sum += w[i] * (x.At(i, a) - mean[a]) * (x.At(i, b) - mean[b])
			}
			scatter.SetSym(a, b, sum)
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(scatter, true) {
		panic("no eigenvalues")
	}
	var all mat.Dense
	eigen.VectorsTo(&all)
	up := eigen.Values(nil)
	basis, values = mat.NewDense(d, m, nil), make([]float64, m)
	for j := range m {
		basis.SetCol(j, mat.Col(nil, d-1-j, &all))
		values[j] = up[d-1-j] / total
	}
	return mean, basis, values
}

// textbookDistances is ||x - mean - V V'(x - mean)||^2, formed as a vector and squared.
func textbookDistances(x *mat.Dense, mean []float64, basis *mat.Dense) []float64 {
	n, d := x.Dims()
	m := 0
	if basis != nil {
		_, m = basis.Dims()
	}
	s := make([]float64, n)
	for i := range n {
		rest := make([]float64, d)
		for j := range d {
			rest[j] = x.At(i, j) - mean[j]
		}
		scores := make([]float64, m)
		for k := range m {
			for j := range d {
				scores[k] += basis.At(j, k) * rest[j]
			}
		}
		for j := range d {
			for k := range m {
				rest[j] -= basis.At(j, k) * scores[k]
			}
			s[i] += rest[j] * rest[j]
		}
	}
	return s
}

func textbookMean(values []float64, f func(float64) float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += f(v)
	}
	return sum / float64(len(values))
}

// textbookIRLS makes the given number of reweighting steps from ordinary PCA. A given
// centre stays fixed.
func textbookIRLS(x *mat.Dense, m int, l textbookLoss, centre []float64, steps int) textbookFit {
	n, _ := x.Dims()
	w := make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	var f textbookFit
	f.mean, f.basis, f.values = textbookPCA(x, w, nil, m)
	if centre != nil { // Algorithm 2 of pca-gm starts at PCA about the sample mean
		f.mean = centre
	}
	f.squared = textbookDistances(x, f.mean, f.basis)
	f.trace = []float64{textbookMean(f.squared, l.rho)}
	for range steps {
		for i, s := range f.squared {
			w[i] = l.weight(s)
		}
		f.mean, f.basis, f.values = textbookPCA(x, w, centre, m)
		f.squared = textbookDistances(x, f.mean, f.basis)
		f.trace = append(f.trace, textbookMean(f.squared, l.rho))
	}
	f.weights = make([]float64, n)
	largest := 0.0
	for i, s := range f.squared {
		f.weights[i] = l.weight(s)
		largest = math.Max(largest, f.weights[i])
	}
	for i := range f.weights {
		f.weights[i] /= largest
	}
	return f
}

// textbookL1 is Kwak's greedy PCA-L1 about the sample mean, each component started at the
// ordinary one: flip signs until none changes, then deflate.
func textbookL1(x *mat.Dense, m int) (basis *mat.Dense, dispersion []float64) {
	n, d := x.Dims()
	w := make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	mean, start, _ := textbookPCA(x, w, nil, m)
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, d)
		for j := range d {
			rows[i][j] = x.At(i, j) - mean[j]
		}
	}
	dot := func(a, b []float64) float64 {
		sum := 0.0
		for j := range a {
			sum += a[j] * b[j]
		}
		return sum
	}
	basis = mat.NewDense(d, m, nil)
	for k := range m {
		v := mat.Col(nil, k, start)
		for c := range k { // into the space that is left
			u := mat.Col(nil, c, basis)
			along := dot(u, v)
			for j := range v {
				v[j] -= along * u[j]
			}
		}
		signs := make([]float64, n)
		for changed := true; changed; {
			changed = false
			next := make([]float64, d)
			for i, row := range rows {
				sign := 1.0
				if dot(v, row) < 0 {
					sign = -1
				}
				if sign != signs[i] {
					signs[i], changed = sign, true
				}
				for j := range next {
					next[j] += sign * row[j]
				}
			}
			size := math.Sqrt(dot(next, next))
			for j := range v {
				v[j] = next[j] / size
			}
		}
		basis.SetCol(k, v)
		sum := 0.0
		for _, row := range rows {
			along := dot(v, row)
			sum += math.Abs(along)
			for j := range row {
				row[j] -= along * v[j]
			}
		}
		dispersion = append(dispersion, sum/float64(n))
	}
	return basis, dispersion
}

// textbookMedian sorts a copy.
func textbookMedian(v []float64) float64 {
	s := append([]float64(nil), v...)
	sort.Float64s(s)
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}

// textbookTable is a low-rank table with some scattered outliers, not centred.
func textbookTable(n, d, rank int, seed uint64) *mat.Dense {
	random := rand.New(rand.NewPCG(seed, 99))
	axes := mat.NewDense(rank, d, nil)
	axes.Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() }, axes)
	x := mat.NewDense(n, d, nil)
	for i := range n {
		for j := range d {
			x.Set(i, j, 3+0.3*random.NormFloat64())
		}
		for k := range rank {
			f := random.NormFloat64() * float64(3+2*(rank-k))
			for j := range d {
				x.Set(i, j, x.At(i, j)+f*axes.At(k, j))
			}
		}
		if i%9 == 4 {
			for j := range d {
				x.Set(i, j, x.At(i, j)+6*random.NormFloat64())
			}
		}
	}
	return x
}
