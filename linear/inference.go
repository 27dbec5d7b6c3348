package linear

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/linalg"
)

// Coefficient is one line of the regression table.
type Coefficient struct {
	Value, Error float64 // estimate and standard error; the error is NaN for dropped columns
	T, P         float64 // Value/Error and its two-sided p value by Student's t
}

// infer fills covariance, table and R2 into the model.
func (f *fitting) infer(ctx context.Context, m *Model) error {
	g := f.g
	if err := g.measure(ctx, f.beta, nil); err != nil {
		return err
	}
	m.freedom = g.total - float64(g.p)
	m.r2, m.adjusted = f.rSquared()
	var e *evidence
	if !m.exact {
		if e = f.gather(ctx, g, f.start); e == nil {
			m.covariance = nil
			return nil
		}
	}
	f.errors(m, e)
	if m.past = f.remember(m, e.slopes()); m.past == nil { // the loss is not curved upwards
		w := make([]float64, g.n)
		linalg.Spans(g.n, func(from, to int) {
			for i := from; i < to; i++ {
				w[i] = g.weight(i) * f.loss.Weight(g.r[i]*g.r[i])
			}
		})
		if weighted, _, _, err := g.sums(ctx, w, nil, nil); err == nil {
			m.past = f.remember(m, weighted)
		}
	}
	return nil
}

// errors fills in the covariance; without evidence the fit is exact.
func (f *fitting) errors(m *Model, e *evidence) {
	g := f.g
	inside := mat.NewSymDense(g.p, nil)
	if e != nil {
		inside = f.covariance(e)
	}
	if inside == nil { // the weights leave no curvature: nothing can be said
		m.covariance = nil
		return
	}
	jacobian := g.jacobian()
	var half, whole mat.Dense
	linalg.Mul(&half, jacobian, inside)
	linalg.Mul(&whole, &half, jacobian.T())
	size := 1 + len(m.coef)
	m.covariance = mat.NewSymDense(size, nil)
	for i := range size {
		for j := i; j < size; j++ {
			m.covariance.SetSym(i, j, (whole.At(i, j)+whole.At(j, i))/2)
		}
	}
	if !finite(m.covariance) { // columns so small that their coefficients' squares overflow
		m.covariance = nil
	}
}

// derivative returns psi, r weight(r^2), half the derivative of the loss up to its slope,
// and psi's derivative, by differences: wide ones where the loss has a corner, which is
// then smoothed as a kernel density estimate would (Powell 1984).
func (f *fitting) derivative() func(r float64) (value, slope float64) {
	h := 1e-5 * f.scale
	if !f.smooth() {
		h = 1.06 * f.scale * math.Pow(f.g.total, -0.2)
	}
	at := func(r float64) float64 { return r * f.loss.Weight(r*r) }
	return func(r float64) (value, slope float64) { return at(r), (at(r+h) - at(r-h)) / (2 * h) }
}

// smooth tells whether psi has a derivative at 0.
func (f *fitting) smooth() bool {
	tiny := 1e-7 * f.scale
	return f.loss.Weight(tiny*tiny) <= 1e3*f.loss.Weight(f.scale*f.scale)+1e3
}

// covariance of the coefficients in the design. With S-estimation it is that of Croux,
// Dhaene and Hoorelbeke (2003): the estimating equations of coefficients, start and scale
// taken together,
//
//	(A S_pp A' n - a S_pc' A' - A S_pc a' + (mean chi^2 - 1/4) a a') / n,
//
// where A = scale (sum psi' z z')^-1, a = A sum psi' u z / mean(chi' u0), S_pp = sum psi^2
// z z' and S_pc = sum psi chi z, with u = r/scale and u0 = start's r/scale. Otherwise the
// scale counts as known and only the first term stays, times n/(n-p).
func (f *fitting) covariance(e *evidence) *mat.SymDense {
	g := f.g
	p, n := g.p, g.total
	bread, meat := g.symmetric(e.Slopes), g.symmetric(e.Squares)
	mixed := make([]float64, p)
	for j := range mixed {
		mixed[j] = e.Slopes[j*g.stride+p]
	}
	for j := g.ones; j < p; j++ {
		bread.SetSym(j, j, bread.At(j, j)+g.lambda)
	}
	a := inverse(bread)
	if a == nil {
		return nil
	}
	a.Scale(f.scale, a)
	var half, u1 mat.Dense
	linalg.Mul(&half, a, meat)
	linalg.Mul(&u1, &half, a)
	out := mat.NewSymDense(p, nil)
	plain := f.Covariance == CovarianceSandwich || f.Start != StartS || f.Votes != nil
	var shift, back mat.VecDense
	linalg.MulVec(&shift, a, mat.NewVecDense(p, mixed))
	shift.ScaleVec(n/(e.ChiSlopes*f.scale), &shift)
	linalg.MulVec(&back, a, mat.NewVecDense(p, e.Cross))
	fill := func(plain bool) (ok bool) {
		ok = true
		for i := range p {
			for j := i; j < p; j++ {
				v := (u1.At(i, j) + u1.At(j, i)) / 2
				if plain {
					v *= n / (n - float64(p))
				} else {
					v += (-shift.AtVec(i)*back.AtVec(j) - back.AtVec(i)*shift.AtVec(j) + e.ChiSquares/n*shift.AtVec(i)*shift.AtVec(j)) / n
				}
				ok = ok && !math.IsNaN(v) && !math.IsInf(v, 0)
				out.SetSym(i, j, v)
			}
			ok = ok && out.At(i, i) > 0
		}
		return ok
	}
	if !fill(plain) && !fill(true) {
		return nil
	}
	return out
}

// inverse is that of a symmetric matrix, nil if there is none. It is positive definite unless
// more rows lie where the loss bends down than where it bends up.
func inverse(a *mat.SymDense) *mat.Dense {
	if c, ok := linalg.NewCholesky(a); ok {
		return mat.DenseCopyOf(c.Inverse())
	}
	var out mat.Dense
	if err := out.Inverse(a); err != nil {
		if _, poor := err.(mat.Condition); !poor {
			return nil
		}
	}
	return &out
}

// symmetric is the p x p part of a sum.
func (g *design) symmetric(c []float64) *mat.SymDense {
	s := mat.NewSymDense(g.p, nil)
	for i := range g.p {
		for j := i; j < g.p; j++ {
			s.SetSym(i, j, c[i*g.stride+j])
		}
	}
	return s
}

// rSquared is the robust coefficient of determination of Renaud and Victoria-Feser (2010)
// and its version adjusted for the number of coefficients: the weighted share of explained
// squares, with the factor that makes the residual part consistent for normal noise.
func (f *fitting) rSquared() (r2, adjusted float64) {
	g := f.g
	total, mean := inPieces(g.n, func(first, last int) (total, sum float64) {
		for i := first; i < last; i++ {
			w := g.weight(i) * f.weight[i]
			total += w
			sum += w * g.y[i]
		}
		return total, sum
	})
	if total == 0 {
		return math.NaN(), math.NaN()
	}
	mean /= total
	if g.ones == 0 {
		mean = 0
	}
	explained, rest := inPieces(g.n, func(first, last int) (explained, rest float64) {
		for i := first; i < last; i++ {
			w, r := g.weight(i)*f.weight[i], g.r[i]
			fitted := g.y[i] - r - mean
			explained += w * fitted * fitted
			rest += w * r * r
		}
		return explained, rest
	})
	return f.share(explained, rest)
}

// squares are sums over rows that the coefficient of determination follows from: of weights, and weighted of targets,
// of squared fitted values and of squared residuals.
type squares struct{ total, target, fitted, explained, rest float64 }

func (s *squares) add(w, y, r float64) {
	s.total += w
	s.target += w * y
	s.fitted += w * (y - r)
	s.explained += w * (y - r) * (y - r)
	s.rest += w * r * r
}

// determined is rSquared of rows of which these are the sums.
func (f *fitting) determined(seen *look) (r2, adjusted float64) {
	s := seen.Squared
	if s.total == 0 {
		return math.NaN(), math.NaN()
	}
	mean := s.target / s.total
	if f.g.ones == 0 {
		mean = 0
	}
	return f.share(s.explained-2*mean*s.fitted+mean*mean*s.total, s.rest)
}

// share is what squares explained are of all.
func (f *fitting) share(explained, rest float64) (r2, adjusted float64) {
	g := f.g
	if f.scale > 0 {
		rest *= f.consistency()
	}
	if explained+rest == 0 {
		return math.NaN(), math.NaN()
	}
	r2 = explained / (explained + rest)
	n, p := g.total, float64(g.p)
	return r2, 1 - (1-r2)*(n-float64(g.ones))/(n-p)
}

// consistency is E w / E w u^2 for standard normal u: how much too small the weighted
// mean of squared residuals is.
func (f *fitting) consistency() float64 {
	normal := distuv.UnitNormal
	var sum, squares float64
	const steps, reach = 4000, 8.0
	for k := range steps {
		u := reach * (2*(float64(k)+0.5)/steps - 1)
		w := f.loss.Weight(u*u*f.scale*f.scale) * normal.Prob(u)
		sum += w
		squares += w * u * u
	}
	if !(squares > 0) {
		return 1
	}
	return sum / squares
}

// table makes one line of the regression table for the intercept (index 0) or a column.
func (m *Model) line(k int) Coefficient {
	value := m.intercept
	if k > 0 {
		value = m.coef[k-1]
	}
	c := Coefficient{Value: value, Error: math.NaN(), T: math.NaN(), P: math.NaN()}
	if m.covariance == nil || m.isDropped(k-1) || k == 0 && !m.hasIntercept {
		return c
	}
	c.Error = math.Sqrt(math.Max(m.covariance.At(k, k), 0)) * m.unit
	if c.Error > 0 {
		c.T = c.Value / c.Error
		c.P = 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: m.freedom}.CDF(-math.Abs(c.T))
	}
	return c
}
