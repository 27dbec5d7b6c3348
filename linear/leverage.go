package linear

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

const (
	// leverageRows bounds the sample from which the raw estimate comes, cloudRows the one
	// on which it is reweighted.
	leverageRows = 1000
	cloudRows    = 10000
	// leverageStarts is the number of random subsets tried.
	leverageStarts = 20
	// leverageLevel is the share of normal rows inside the cut-off.
	leverageLevel = 0.975
)

// leverage measures how far a row is out in the columns, by the reweighted minimum
// covariance determinant (Rousseeuw and Van Driessen 1999): centre and covariance of the
// half of the rows that lie closest together, then of all rows near those.
type leverage struct {
	columns []int      // of x that take part: those that are not mostly one value
	offset  []float64  // of every column of x that takes part
	whiten  *mat.Dense // k x k, upper triangular: distance = |(row - offset) whiten|
	cutoff  float64    // 0: no row counts as far out
}

// newLeverage learns where the bulk of the rows is; of o it needs weights and seed.
func newLeverage(ctx context.Context, x *mat.Dense, o Robust) (*leverage, error) {
	n, _ := x.Dims()
	o.Weights, _ = univariate.Counted(n, o.Weights)
	return leverageOf(ctx, x, o, describe(x, o.Weights))
}

// leverageOf is newLeverage for columns that are described already.
func leverageOf(ctx context.Context, x *mat.Dense, o Robust, columns []column) (*leverage, error) {
	n, _ := x.Dims()
	l := &leverage{}
	var taken []column
	for j, c := range columns {
		if c.constant(1e-13) || c.mostlyOne {
			continue
		}
		l.columns, taken = append(l.columns, j), append(taken, c)
	}
	k, units := len(l.columns), unitsOf(n, o.Weights)
	if k == 0 || units.count < 3*(k+1) {
		l.columns = nil
		return l, nil
	}
	cloud := newCloud(x, l.columns, taken, o.Weights, max(cloudRows, 20*k), o.Seed)
	sample := cloud
	if rows := max(leverageRows, 20*k); cloud.units.count > 2*rows {
		sample = cloud.sample(rows, o.Seed)
	}
	mean, scatter, err := sample.densest(ctx, o.Seed)
	if err != nil {
		return nil, err
	}
	mean, scatter = cloud.reweighted(mean, scatter)
	whiten, _, ok := whitener(scatter)
	if !ok {
		l.columns = nil
		return l, nil
	}
	l.offset = make([]float64, k)
	for i := range k {
		l.offset[i] = taken[i].centre + taken[i].spread*mean[i]
		for j := range k {
			whiten.Set(i, j, whiten.At(i, j)/taken[i].spread)
		}
	}
	l.whiten = whiten
	l.cutoff = math.Sqrt(distuv.ChiSquared{K: float64(k)}.Quantile(leverageLevel))
	return l, nil
}

// distances of the rows of x.
func (l *leverage) distances(x *mat.Dense) []float64 {
	n, _ := x.Dims()
	out := make([]float64, n)
	k := len(l.columns)
	if k == 0 {
		return out
	}
	wide := padded(k)
	white := make([]float64, wide*wide)
	for i := range k {
		copy(white[i*wide:], l.whiten.RawRowView(i))
	}
	linalg.Parallel((n+passRows-1)/passRows, func(piece int) {
		const block = 256
		v, z := make([]float64, block*wide), make([]float64, block*wide)
		last := min((piece+1)*passRows, n)
		for first := piece * passRows; first < last; first += block {
			rows := min(block, last-first)
			for i := range rows {
				row, to := x.RawRowView(first+i), v[i*wide:i*wide+k]
				for a, j := range l.columns {
					to[a] = row[j] - l.offset[a]
				}
			}
			fastblas.Gemm(1, false, false, rows, wide, wide, 1, v, wide, white, wide, 0, z, wide)
			for i := range rows {
				d := math.Sqrt(squaredNorm(z[i*wide : i*wide+k]))
				if d-d != 0 {
					d = l.huge(v[i*wide : i*wide+k])
				}
				out[first+i] = d
			}
		}
	})
	return out
}

// huge is the distance of a deviation whose square overflows, the largest number there is
// where the distance does so itself, and NaN for one that is not a number.
func (l *leverage) huge(v []float64) float64 {
	large := 0.0
	for _, x := range v {
		large = max(large, math.Abs(x))
	}
	if large-large != 0 {
		return math.Min(large, math.MaxFloat64)
	}
	sum := 0.0
	for j := range v {
		z := 0.0
		for i, x := range v[:j+1] {
			z += x / large * l.whiten.At(i, j)
		}
		sum = math.Hypot(sum, z)
	}
	return math.Min(sum*large, math.MaxFloat64)
}

// padded is a number of columns that suits the matrix kernel.
func padded(k int) int { return (k + 7) / 8 * 8 }

// whitener returns the upper triangular W with |v'W|^2 = v' S^-1 v, and
// log det S; false if S is not positive definite.
func whitener(s *mat.SymDense) (w *mat.Dense, logDet float64, ok bool) {
	k := s.SymmetricDim()
	u := make([]float64, k*k)
	for i := range k {
		for j := i; j < k; j++ {
			u[i*k+j] = s.At(i, j)
		}
	}
	// S = U'U, so S^-1 = U^-1 U^-T and |v'U^-1| is the distance
	if _, ok := factorise(u, k); !ok {
		return nil, 0, false
	}
	for i := range k {
		logDet += 2 * math.Log(u[i*k+i])
	}
	return mat.NewDense(k, k, invertFactor(u, k)), logDet, true
}

// squaredNorm is the squared length of a vector.
func squaredNorm(v []float64) float64 { return dot(v, v) }
