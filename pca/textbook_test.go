package pca

import (
	"math"
	"math/rand/v2"
	"sort"

	"gonum.org/v1/gonum/mat"
)

// Slow references, written from the papers' formulas with plain loops and gonum's dense
// eigensolver alone: nothing here calls packages loss, irls or linalg. They are what the
// methods of this package are compared with (compare_test.go).

// textbookLoss is a loss and its weight (derivative up to a constant) as functions of s.
type textbookLoss struct {
	rho, weight func(s float64) float64
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

// textbookSampleMean is Algorithm 1 of pca-gm: the generalised sample mean, with delta =
// 0.01 times the smallest squared distance from the sample mean.
func textbookSampleMean(x *mat.Dense, p float64, steps int) []float64 {
	n, d := x.Dims()
	mean := make([]float64, d)
	for i := range n {
		for j := range d {
			mean[j] += x.At(i, j) / float64(n)
		}
	}
	s := textbookDistances(x, mean, nil)
	least := math.Inf(1)
	for _, v := range s {
		least = math.Min(least, v)
	}
	delta := 0.01 * least
	for range steps {
		next, total := make([]float64, d), 0.0
		for i, v := range s {
			w := p * math.Pow(v+delta, p-1)
			total += w
			for j := range d {
				next[j] += w * x.At(i, j)
			}
		}
		for j := range next {
			mean[j] = next[j] / total
		}
		s = textbookDistances(x, mean, nil)
	}
	return mean
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
