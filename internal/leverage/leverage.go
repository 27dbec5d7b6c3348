// Package leverage tells how far rows are out in the columns of a regression, and describes
// columns robustly.
package leverage

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/mcd"
	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
)

const (
	// leverageRows bounds the sample from which the raw estimate comes, cloudRows the one
	// on which it is reweighted.
	leverageRows = 1000
	cloudRows    = 10000
	// leverageRidge is added to the variances of standardised columns, so that rows in a
	// plane have a volume too; less of it when most rows count.
	leverageRidge = 1e-8
	// passRows is the largest number of rows that one goroutine takes at a time.
	passRows = 4096
)

// Leverage measures how far a row is out in the columns of a regression, linear or not, by the
// reweighted minimum covariance determinant (Rousseeuw and Van Driessen 1999): centre and
// covariance of the half of the rows that lie closest together, then of all rows near those. It
// does not change when columns are shifted, scaled or mixed. Where distances cannot be told (too
// few rows, or no column with a spread) no column takes part, and every distance is 0.
type Leverage struct {
	Columns []int      // of x that take part: those that are not mostly one value
	Offset  []float64  // the centre, in each of them
	Whiten  *mat.Dense // k x k, upper triangular: distance = |(row - offset) whiten|
	Cutoff  float64    // that 97.5 % of normal rows stay below; 0: no row counts as far out
}

// New learns where the bulk of the rows of x is; weights nil: ones.
func New(ctx context.Context, x *mat.Dense, weights []float64, seed uint64) (*Leverage, error) {
	n, _ := x.Dims()
	weights, _ = univariate.Counted(n, weights)
	return Of(ctx, x, weights, seed, Describe(x, weights))
}

// Of is New for columns that are described already.
func Of(ctx context.Context, x *mat.Dense, weights []float64, seed uint64, columns []Column) (*Leverage, error) {
	n, _ := x.Dims()
	l := &Leverage{}
	var taken []Column
	for j, c := range columns {
		if c.Constant(1e-13) || c.MostlyOne {
			continue
		}
		l.Columns, taken = append(l.Columns, j), append(taken, c)
	}
	k, units := len(l.Columns), univariate.NewRows(n, weights)
	if k == 0 || units.Units() < 3*(k+1) {
		l.Columns = nil
		return l, nil
	}
	cloud, prior := cloudOf(x, l.Columns, taken, weights, max(cloudRows, 20*k), seed)
	sample := mcd.New(cloud, prior, leverageRidge)
	rows, _ := cloud.Dims()
	if units := univariate.NewRows(rows, prior); units.Units() > 2*max(leverageRows, 20*k) {
		sample = mcd.New(rowsOf(cloud, units.Draw(max(leverageRows, 20*k), random.New(seed, "linear leverage rows"))), nil, leverageRidge)
	}
	bulk, err := sample.Search(ctx, seed)
	if err != nil {
		return nil, err
	}
	if bulk != nil {
		if bulk, _, err = mcd.New(cloud, prior, leverageRidge/100).Reweighted(ctx, bulk, 1); err != nil {
			return nil, err
		}
	}
	if bulk == nil {
		l.Columns = nil
		return l, nil
	}
	whiten := bulk.Whitening()
	l.Offset = make([]float64, k)
	for i := range k {
		l.Offset[i] = taken[i].Centre + taken[i].Spread*bulk.Centre[i]
		for j := range k {
			whiten.Set(i, j, whiten.At(i, j)/taken[i].Spread)
		}
	}
	l.Whiten = whiten
	l.Cutoff = math.Sqrt(mcd.Limit(k))
	return l, nil
}

// cloudOf standardises some columns of at most so many rows, drawn at random. A weight
// counts repetitions: many are drawn one by one, and then each drawn row weighs one.
func cloudOf(x *mat.Dense, columns []int, as []Column, prior []float64, most int, seed uint64) (*mat.Dense, []float64) {
	n, _ := x.Dims()
	all := univariate.NewRows(n, prior)
	var rows []int
	if all.Units() > most {
		rows, prior = all.Draw(most, random.New(seed, "linear cloud")), nil
	} else {
		rows = make([]int, n)
		for i := range rows {
			rows[i] = i
		}
	}
	z := mat.NewDense(len(rows), len(columns), nil)
	for k, i := range rows {
		row, to := x.RawRowView(i), z.RawRowView(k)
		for a, j := range columns {
			to[a] = (as[a].Within(row[j]) - as[a].Centre) / as[a].Spread
		}
	}
	return z, prior
}

// rowsOf copies some rows.
func rowsOf(x *mat.Dense, rows []int) *mat.Dense {
	_, k := x.Dims()
	out := mat.NewDense(len(rows), k, nil)
	for a, i := range rows {
		out.SetRow(a, x.RawRowView(i))
	}
	return out
}

// Distances of the rows of x.
func (l *Leverage) Distances(x *mat.Dense) []float64 {
	n, _ := x.Dims()
	out := make([]float64, n)
	k := len(l.Columns)
	if k == 0 {
		return out
	}
	wide := padded(k)
	white := make([]float64, wide*wide)
	for i := range k {
		copy(white[i*wide:], l.Whiten.RawRowView(i))
	}
	linalg.Parallel((n+passRows-1)/passRows, func(piece int) {
		const block = 256
		room := workspace.Get(2 * block * wide)
		defer room.Put()
		v, z := room.Take(block*wide), room.Take(block*wide)
		clear(v) // beyond the columns too
		last := min((piece+1)*passRows, n)
		for first := piece * passRows; first < last; first += block {
			rows := min(block, last-first)
			for i := range rows {
				row, to := x.RawRowView(first+i), v[i*wide:i*wide+k]
				for a, j := range l.Columns {
					to[a] = row[j] - l.Offset[a]
				}
			}
			fastblas.Gemm(1, false, false, rows, wide, wide, 1, v, wide, white, wide, 0, z, wide)
			for i := range rows {
				d := math.Sqrt(linalg.Dot(z[i*wide:i*wide+k], z[i*wide:i*wide+k]))
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
func (l *Leverage) huge(v []float64) float64 {
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
			z += x / large * l.Whiten.At(i, j)
		}
		sum = math.Hypot(sum, z)
	}
	return math.Min(sum*large, math.MaxFloat64)
}

// padded is a number of columns that suits the matrix kernel.
func padded(k int) int { return (k + 7) / 8 * 8 }
