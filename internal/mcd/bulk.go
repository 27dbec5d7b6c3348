package mcd

import (
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/internal/outlying"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

// Bulk is where most points lie.
type Bulk struct {
	Centre  []float64
	Scatter *mat.SymDense

	inverse *mat.Dense // of L in Scatter = L L', lower triangular
	logDet  float64
}

// worstCondition is the condition number from which a scatter without ridge counts as singular.
const worstCondition = 1e13

// At is a bulk that is known otherwise; nil where the scatter is singular.
func At(centre []float64, scatter *mat.SymDense) *Bulk { return newBulk(centre, scatter, false) }

// newBulk is nil where the scatter is singular.
func newBulk(centre []float64, scatter *mat.SymDense, ridged bool) *Bulk {
	factor, ok := linalg.NewCholesky(scatter)
	if !ok || !ridged && factor.Cond() > worstCondition {
		return nil
	}
	return &Bulk{Centre: centre, Scatter: scatter, inverse: factor.InverseLower(), logDet: factor.LogDet()}
}

// scale multiplies the scatter.
func (b *Bulk) scale(factor float64) {
	b.Scatter.ScaleSym(factor, b.Scatter)
	b.inverse.Scale(1/math.Sqrt(factor), b.inverse)
	b.logDet += float64(len(b.Centre)) * math.Log(factor)
}

// Whitening returns the upper triangular W for which |v'W|^2 is the squared distance of a
// deviation v from the centre.
func (b *Bulk) Whitening() *mat.Dense { return mat.DenseCopyOf(b.inverse.T()) }

// squared distances of the points, (x - centre)' scatter^-1 (x - centre).
func (p *Points) squared(at *Bulk) []float64 {
	// The centre goes by way of the ones.
	white := make([]float64, p.wide*p.wide)
	for i := range p.k {
		for j := i; j < p.k; j++ {
			v := at.inverse.At(j, i)
			white[(1+i)*p.wide+j] = v
			white[j] -= (at.Centre[i] - p.origin[i]) * v
		}
	}
	d := make([]float64, p.n)
	const block = 512
	linalg.Parallel((p.n+block-1)/block, func(piece int) {
		first, last := piece*block, min((piece+1)*block, p.n)
		var buffer []float64
		out := make([]float64, (last-first)*p.wide)
		fastblas.Gemm(1, false, false, last-first, p.wide, p.wide, 1, p.slab(first, last, &buffer), p.wide, white, p.wide, 0, out, p.wide)
		for i := first; i < last; i++ {
			sum := 0.0
			for _, v := range out[(i-first)*p.wide : (i-first)*p.wide+p.k] {
				sum += v * v
			}
			d[i] = sum
		}
	})
	return d
}

// Limit is the squared distance that normal points of k coordinates stay below with
// probability [outlying.Level].
func Limit(k int) float64 { return distuv.ChiSquared{K: float64(k)}.Quantile(outlying.Level) }

// Consistency makes the scatter of the normal points of k coordinates within [Limit] that of all of
// them (Croux and Haesbroeck 1999).
func Consistency(k int) float64 {
	return outlying.Level / distuv.ChiSquared{K: float64(k + 2)}.CDF(Limit(k))
}
