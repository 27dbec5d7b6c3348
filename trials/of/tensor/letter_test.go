package tensor

import (
	"fmt"
	"math"
	"sort"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/tensor"
)

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

// gkmpe is the loss of the p-order extension and its weight, section VI of corr-tensor.
func gkmpe(alpha, beta, p float64) (rho, weight func(s float64) float64) {
	g := func(s float64) float64 { return math.Exp(-math.Pow(math.Sqrt(s)/beta, alpha)) }
	return func(s float64) float64 { return math.Pow(1-g(s), p/2) },
		func(s float64) float64 { return math.Pow(1-g(s), (p-2)/2) * g(s) * math.Pow(s, alpha/2-1) }
}

func TestCorrEqualsTextbook(t *testing.T) {
	for _, c := range shapes {
		x := textbookSamples(24, c.shape, 3)
		for _, l := range [][3]float64{{2, 4, 2}, {1.6, 3, 2}, {1, 5, 1.5}, {2, 6, 4}, {3, 5, 2}} {
			t.Run(fmt.Sprint(c.shape, l), func(t *testing.T) {
				rho, weight := gkmpe(l[0], l[1], l[2])
				want := textbookCorr(arraysOf(x, c.shape), c.ranks, rho, weight, 4, false)
				m := mustFit(t, tensor.Corr{Options: letter(c.shape, c.ranks, 4), Alpha: l[0], Beta: loss.FixedAt(l[1]), P: l[2]}, x)
				compare(t, m, want, x)
			})
		}
	}
}

func TestR1EqualsTextbook(t *testing.T) {
	for _, c := range shapes {
		x := textbookSamples(24, c.shape, 5)
		for _, mean := range []tensor.Mean{tensor.MeanWeighted, tensor.MeanSample} {
			t.Run(fmt.Sprint(c.shape, mean), func(t *testing.T) {
				want := textbookCorr(arraysOf(x, c.shape), c.ranks, math.Sqrt, func(s float64) float64 { return 1 / math.Sqrt(s) }, 5, mean == tensor.MeanSample)
				o := letter(c.shape, c.ranks, 5)
				o.Mean = mean
				compare(t, mustFit(t, tensor.R1SVD2D{o}, x), want, x)
			})
		}
	}
}

func TestSVDEqualsTextbook(t *testing.T) {
	for _, c := range shapes {
		t.Run(fmt.Sprint(c.shape), func(t *testing.T) {
			x := textbookSamples(20, c.shape, 6)
			ones := make([]float64, 20)
			for i := range ones {
				ones[i] = 1
			}
			samples := arraysOf(x, c.shape)
			once := mustFit(t, tensor.SVD2D{Options: tensor.Options{Shape: c.shape, Rank: c.ranks}, Once: true}, x)
			compare(t, once, textbookOnce(samples, ones, c.ranks), x)
			want := textbookCorr(samples, c.ranks, func(s float64) float64 { return s }, func(float64) float64 { return 1 }, 6, false)
			compare(t, mustFit(t, tensor.SVD2D{Options: letter(c.shape, c.ranks, 6)}, x), want, x)
		})
	}
}

func TestNPPEqualsTextbook(t *testing.T) {
	for _, shape := range [][]int{{6, 5}, {4, 5, 3}, {3, 6}} {
		for _, norm := range []tensor.Norm{tensor.Nuclear, tensor.Sparse} {
			t.Run(fmt.Sprint(shape, norm), func(t *testing.T) {
				x := textbookSamples(25, shape, 8)
				want, trace := textbookNPP(arraysOf(x, shape), 4, 2, 5, norm == tensor.Nuclear)
				if len(shape) == 3 {
					want.factors = append(want.factors, nil)
				}
				m := mustFit(t, tensor.NPP2D{Options: tensor.Options{Shape: shape, Rank: []int{2}, MaxSteps: 5, Tol: 1e-300}, Norm: norm, Neighbors: 4}, x)
				want.trace = trace
				compare(t, m, want, x)
				for i := 1; i < len(trace); i++ {
					if trace[i] > trace[i-1]*(1+1e-12) {
						t.Errorf("the objective rises: %v", trace)
					}
				}
			})
		}
	}
}
