package tensor

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
)

// array is a dense array of any order.
type array struct {
	shape []int
	data  []float64
}

func newArray(shape ...int) array {
	n := 1
	for _, m := range shape {
		n *= m
	}
	return array{shape: append([]int(nil), shape...), data: make([]float64, n)}
}

// eachIndex visits every index of a shape in row-major order.
func eachIndex(shape []int, visit func(at int, index []int)) {
	index := make([]int, len(shape))
	for at := 0; ; at++ {
		visit(at, index)
		k := len(shape) - 1
		for ; k >= 0; k-- {
			if index[k]++; index[k] < shape[k] {
				break
			}
			index[k] = 0
		}
		if k < 0 {
			return
		}
	}
}

// offset is the place of an index.
func (a array) offset(index []int) int {
	at := 0
	for k, i := range index {
		at = at*a.shape[k] + i
	}
	return at
}

// timesMode is the mode product with m, which has as many rows as the result's mode is long.
func (a array) timesMode(mode int, m mat.Matrix) array {
	rows, cols := m.Dims()
	shape := append([]int(nil), a.shape...)
	if shape[mode] != cols {
		panic("mode product of different lengths")
	}
	shape[mode] = rows
	out := newArray(shape...)
	eachIndex(shape, func(at int, index []int) {
		i := append([]int(nil), index...)
		sum := 0.0
		for j := range cols {
			i[mode] = j
			sum += m.At(index[mode], j) * a.data[a.offset(i)]
		}
		out.data[at] = sum
	})
	return out
}

// unfold is the matrix whose columns are the fibres of a mode.
func (a array) unfold(mode int) *mat.Dense {
	n := a.shape[mode]
	out := mat.NewDense(n, len(a.data)/n, nil)
	column := map[int]int{}
	eachIndex(a.shape, func(at int, index []int) {
		i := append([]int(nil), index...)
		i[mode] = 0
		key := a.offset(i)
		c, seen := column[key]
		if !seen {
			c = len(column)
			column[key] = c
		}
		out.Set(index[mode], c, a.data[at])
	})
	return out
}

func (a array) minus(b []float64) array {
	out := newArray(a.shape...)
	for i, v := range a.data {
		out.data[i] = v - b[i]
	}
	return out
}

// textbookFit is what a slow reference returns.
type textbookFit struct {
	mean    []float64
	factors []*mat.Dense
	squared []float64
	weights []float64
	trace   []float64
}

func arraysOf(x *mat.Dense, shape []int) []array {
	n, _ := x.Dims()
	out := make([]array, n)
	for i := range out {
		out[i] = array{shape: shape, data: x.RawRowView(i)}
	}
	return out
}

func textbookMean(samples []array, w []float64) []float64 {
	mean := make([]float64, len(samples[0].data))
	total := 0.0
	for i, s := range samples {
		total += w[i]
		for j, v := range s.data {
			mean[j] += w[i] * v
		}
	}
	for j := range mean {
		mean[j] /= total
	}
	return mean
}

// textbookLeading returns the leading eigenvectors of a symmetric matrix.
func textbookLeading(c *mat.SymDense, r int) *mat.Dense {
	n := c.SymmetricDim()
	var eigen mat.EigenSym
	if !eigen.Factorize(c, true) {
		panic("no eigenvalues")
	}
	var all mat.Dense
	eigen.VectorsTo(&all)
	out := mat.NewDense(n, r, nil)
	for j := range r {
		out.SetCol(j, mat.Col(nil, n-1-j, &all))
	}
	return out
}

// textbookGram is sum_i w_i A_i A_i' with A_i the unfolding of X_i - mean after the other
// modes were multiplied by their factors transposed; nil factors leave a mode as it is.
func textbookGram(samples []array, w, mean []float64, factors []*mat.Dense, mode int) *mat.SymDense {
	n := samples[0].shape[mode]
	sum := mat.NewDense(n, n, nil)
	for i, s := range samples {
		y := s.minus(mean)
		for k, u := range factors {
			if k != mode && u != nil {
				y = y.timesMode(k, u.T())
			}
		}
		a := y.unfold(mode)
		var aa mat.Dense
		aa.Mul(a, a.T())
		aa.Scale(w[i], &aa)
		sum.Add(sum, &aa)
	}
	out := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			out.SetSym(i, j, sum.At(i, j))
		}
	}
	return out
}

// textbookResiduals forms X - mean - (X - mean) x_k U_k U_k' entry by entry.
func textbookResiduals(samples []array, mean []float64, factors []*mat.Dense) ([]float64, []array) {
	s := make([]float64, len(samples))
	rest := make([]array, len(samples))
	for i, x := range samples {
		y := x.minus(mean)
		z := y
		for k, u := range factors {
			if u == nil {
				continue
			}
			var p mat.Dense
			p.Mul(u, u.T())
			z = z.timesMode(k, &p)
		}
		rest[i] = y.minus(z.data)
		for _, v := range rest[i].data {
			s[i] += v * v
		}
	}
	return s, rest
}

// textbookOnce is the one-shot decomposition about the weighted mean.
func textbookOnce(samples []array, w []float64, ranks []int) textbookFit {
	f := textbookFit{mean: textbookMean(samples, w), factors: make([]*mat.Dense, len(ranks))}
	none := make([]*mat.Dense, len(ranks))
	for k, r := range ranks {
		f.factors[k] = textbookLeading(textbookGram(samples, w, f.mean, none, k), r)
	}
	return f
}

// textbookCorr is Algorithm 1 of corr-tensor with any loss: the given number of steps from
// the one-shot decomposition. A fixed mean stays the sample mean.
func textbookCorr(samples []array, ranks []int, rho, weight func(s float64) float64, steps int, fixedMean bool) textbookFit {
	ones := make([]float64, len(samples))
	for i := range ones {
		ones[i] = 1
	}
	f := textbookOnce(samples, ones, ranks)
	meanRho := func() float64 {
		sum := 0.0
		for _, v := range f.squared {
			sum += rho(v)
		}
		return sum / float64(len(f.squared))
	}
	w := make([]float64, len(samples))
	weigh := func() {
		largest := 0.0
		for i, v := range f.squared {
			w[i] = weight(v)
			largest = math.Max(largest, w[i])
		}
		for i := range w {
			w[i] /= largest
		}
	}
	f.squared, _ = textbookResiduals(samples, f.mean, f.factors)
	f.trace = []float64{meanRho()}
	for range steps {
		weigh()
		if !fixedMean {
			f.mean = textbookMean(samples, w)
		}
		for k, r := range ranks {
			f.factors[k] = textbookLeading(textbookGram(samples, w, f.mean, f.factors, k), r)
		}
		f.squared, _ = textbookResiduals(samples, f.mean, f.factors)
		f.trace = append(f.trace, meanRho())
	}
	weigh()
	f.weights = w
	return f
}

// textbookL1 is the greedy sign algorithm on all rows of all (centred) images, with real
// deflation.
func textbookL1(samples []array, r int) textbookFit {
	ones := make([]float64, len(samples))
	for i := range ones {
		ones[i] = 1
	}
	f := textbookOnce(samples, ones, samples[0].shape)
	b := samples[0].shape[1]
	var rows [][]float64
	for _, s := range samples {
		m := s.minus(f.mean).unfold(1)
		_, c := m.Dims()
		for j := range c {
			rows = append(rows, mat.Col(nil, j, m))
		}
	}
	start := f.factors[1]
	basis := mat.NewDense(b, r, nil)
	for k := range r {
		v := mat.Col(nil, k, start)
		for c := range k {
			u := mat.Col(nil, c, basis)
			along := dot(u, v)
			for j := range v {
				v[j] -= along * u[j]
			}
		}
		signs := make([]float64, len(rows))
		for changed := true; changed; {
			changed = false
			next := make([]float64, b)
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
		for _, row := range rows {
			along := dot(v, row)
			for j := range row {
				row[j] -= along * v[j]
			}
		}
	}
	f.factors = []*mat.Dense{nil, basis}
	f.squared, _ = textbookResiduals(samples, f.mean, f.factors)
	return f
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for j := range a {
		sum += a[j] * b[j]
	}
	return sum
}

// textbookSamples are low-rank samples with noise of very different spreads along each
// mode, not centred, some of them outlying.
func textbookSamples(n int, shape []int, seed uint64) *mat.Dense {
	random := rand.New(rand.NewPCG(seed, 77))
	d := 1
	for _, m := range shape {
		d *= m
	}
	turns := make([]*mat.Dense, len(shape))
	for k, m := range shape {
		var qr mat.QR
		a := mat.NewDense(m, m, nil)
		a.Apply(func(_, _ int, _ float64) float64 { return random.NormFloat64() }, a)
		qr.Factorize(a)
		turns[k] = new(mat.Dense)
		qr.QTo(turns[k])
	}
	x := mat.NewDense(n, d, nil)
	for i := range n {
		y := newArray(shape...)
		eachIndex(shape, func(at int, index []int) {
			size := 4.0
			for _, j := range index {
				size *= math.Pow(0.55, float64(j))
			}
			y.data[at] = size * random.NormFloat64()
		})
		for k := range shape {
			y = y.timesMode(k, turns[k])
		}
		for j := range d {
			v := 2 + y.data[j]
			if i%7 == 3 {
				v += 1.5 * random.NormFloat64()
			}
			x.Set(i, j, v)
		}
	}
	return x
}
