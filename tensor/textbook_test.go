package tensor

import (
	"math"
	"math/rand/v2"
	"sort"

	"gonum.org/v1/gonum/mat"
)

// Slow references, written from the papers' formulas with plain loops and gonum's dense
// eigensolver alone: nothing here calls packages loss, irls or linalg. They are what the
// methods of this package are compared with (compare_test.go).

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

func dot(a, b []float64) float64 {
	sum := 0.0
	for j := range a {
		sum += a[j] * b[j]
	}
	return sum
}

// textbookNPP is the neighbourhood preserving projection of the package's definition, with
// dense matrix functions: each D_i as (E W W' E' + eps I)^(-1/2) by an eigendecomposition.
func textbookNPP(samples []array, neighbours, r, steps int, nuclear bool) (textbookFit, []float64) {
	n, b := len(samples), samples[0].shape[1]
	ones := make([]float64, n)
	for i := range ones {
		ones[i] = 1
	}
	f := textbookFit{mean: textbookMean(samples, ones)}
	errors := make([]*mat.Dense, n) // E_i, a x b
	for i, x := range samples {
		type other struct {
			distance float64
			at       int
		}
		var list []other
		for j, y := range samples {
			if j != i {
				d := x.minus(y.data)
				list = append(list, other{dot(d.data, d.data), j})
			}
		}
		sort.Slice(list, func(p, q int) bool { return list[p].distance < list[q].distance })
		list = list[:neighbours]
		g := mat.NewDense(neighbours, neighbours, nil)
		trace := 0.0
		for p := range list {
			for q := range list {
				u, v := x.minus(samples[list[p].at].data), x.minus(samples[list[q].at].data)
				g.Set(p, q, dot(u.data, v.data))
			}
			trace += g.At(p, p)
		}
		for p := range list {
			g.Set(p, p, g.At(p, p)+1e-3*trace/float64(neighbours))
		}
		one := mat.NewVecDense(neighbours, nil)
		for p := range list {
			one.SetVec(p, 1)
		}
		var c mat.VecDense
		if err := c.SolveVec(g, one); err != nil {
			panic(err)
		}
		total := mat.Sum(&c)
		e := append([]float64(nil), x.data...)
		for p, o := range list {
			for k, v := range samples[o.at].data {
				e[k] -= c.AtVec(p) / total * v
			}
		}
		errors[i] = mat.DenseCopyOf(array{shape: x.shape, data: e}.unfold(1).T())
	}
	none := make([]*mat.Dense, len(samples[0].shape))
	g := textbookGram(samples, ones, f.mean, none, 1)
	var chol mat.Cholesky
	if !chol.Factorize(g) {
		panic("the columns do not vary")
	}
	var l, inverse mat.TriDense
	chol.LTo(&l)
	if err := inverse.InverseTri(&l); err != nil {
		panic(err)
	}
	// min tr(W'MW), W'GW = I: W = L^-T Y with the smallest eigenvectors Y of L^-1 M L^-T.
	smallest := func(m mat.Matrix) *mat.Dense {
		var t, full mat.Dense
		t.Mul(&inverse, m)
		full.Mul(&t, inverse.T())
		s := mat.NewSymDense(b, nil)
		for i := range b {
			for j := i; j < b; j++ {
				s.SetSym(i, j, -(full.At(i, j)+full.At(j, i))/2)
			}
		}
		var w mat.Dense
		w.Mul(inverse.T(), textbookLeading(s, r))
		return &w
	}
	sumOf := func(weigh func(e *mat.Dense) mat.Matrix) *mat.Dense {
		sum := mat.NewDense(b, b, nil)
		for _, e := range errors {
			var t, one mat.Dense
			t.Mul(weigh(e), e)
			one.Mul(e.T(), &t)
			sum.Add(sum, &one)
		}
		return sum
	}
	unit := func(e *mat.Dense) mat.Matrix {
		rows, _ := e.Dims()
		d := mat.NewDiagDense(rows, nil)
		for i := range rows {
			d.SetDiag(i, 1)
		}
		return d
	}
	// terms are the singular values, or the row norms, of E W.
	terms := func(e, w *mat.Dense) []float64 {
		var a mat.Dense
		a.Mul(e, w)
		rows, _ := a.Dims()
		if nuclear {
			var svd mat.SVD
			svd.Factorize(&a, mat.SVDNone)
			values := svd.Values(nil)
			for len(values) < r {
				values = append(values, 0)
			}
			return values
		}
		out := make([]float64, rows)
		for i := range out {
			out[i] = mat.Norm(a.RowView(i), 2)
		}
		return out
	}
	w := smallest(sumOf(unit))
	sum, count := 0.0, 0.0
	for _, e := range errors {
		for _, t := range terms(e, w) {
			sum += t
			count++
		}
	}
	eps := math.Pow(0.1*sum/count, 2)
	objective := func() float64 {
		sum := 0.0
		for _, e := range errors {
			for _, t := range terms(e, w) {
				sum += math.Sqrt(t*t + eps)
			}
		}
		return sum / float64(n)
	}
	trace := []float64{objective()}
	for range steps {
		w = smallest(sumOf(func(e *mat.Dense) mat.Matrix {
			var a mat.Dense
			a.Mul(e, w)
			rows, _ := a.Dims()
			if !nuclear {
				d := mat.NewDiagDense(rows, nil)
				for i := range rows {
					t := mat.Norm(a.RowView(i), 2)
					d.SetDiag(i, 1/math.Sqrt(t*t+eps))
				}
				return d
			}
			aa := mat.NewSymDense(rows, nil)
			for i := range rows {
				for j := i; j < rows; j++ {
					v := mat.Dot(a.RowView(i), a.RowView(j))
					if i == j {
						v += eps
					}
					aa.SetSym(i, j, v)
				}
			}
			var root mat.EigenSym
			root.Factorize(aa, true)
			var q, d mat.Dense
			root.VectorsTo(&q)
			scale := mat.NewDiagDense(rows, nil)
			for i, v := range root.Values(nil) {
				scale.SetDiag(i, 1/math.Sqrt(v))
			}
			d.Mul(&q, scale)
			d.Mul(&d, q.T())
			return &d
		}))
		trace = append(trace, objective())
	}
	var qr mat.QR
	qr.Factorize(w)
	var q mat.Dense
	qr.QTo(&q)
	f.factors = []*mat.Dense{nil, mat.DenseCopyOf(q.Slice(0, b, 0, r))}
	f.squared, _ = textbookResiduals(samples, f.mean, f.factors)
	return f, trace
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
