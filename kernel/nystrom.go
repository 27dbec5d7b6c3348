package kernel

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/random"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/refusal"
)

// Nystrom is the map phi(x) = k(x, L) V S^(-1/2), where L are landmarks and V S V' is
// the eigendecomposition of k(L, L) (Williams and Seeger, 2001). Inner products of its features are the best
// approximation of the kernel within the span of the landmarks; on the landmarks themselves
// they equal it.
type Nystrom struct {
	Landmarks
	// Whiten is V S^(-1/2), one row per landmark, one column per feature.
	Whiten *mat.Dense
}

// Choice says how landmarks are chosen.
type Choice string

const (
	// Uniform draws rows evenly.
	Uniform Choice = "uniform"
	// Spread draws each next row with a probability in proportion to its squared
	// distance, in the space of the kernel, from the rows drawn so far (the seeding of
	// k-means++).
	Spread Choice = "kmeans++"
)

// NystromSettings say how the map is learned. Zero values mean the defaults.
type NystromSettings struct {
	Landmarks int     // default 100, at most the number of rows
	Choice    Choice  // default Uniform
	Cut       float64 // directions whose eigenvalue is below Cut times the largest are dropped; default 1e-10
	Seed      uint64
}

// NewNystrom learns the map from the rows of x. The kernel must have no open parameter.
func NewNystrom(ctx context.Context, k Kernel, x *mat.Dense, settings NystromSettings) (*Nystrom, error) {
	if err := k.ready(); err != nil {
		return nil, err
	}
	n, d := x.Dims()
	if n == 0 {
		return nil, refusal.Few(0, 1, "nystrom needs rows")
	}
	m := settings.Landmarks
	if m == 0 {
		m = 100
	}
	if m < 0 {
		return nil, refusal.Setting("landmarks", "nystrom: %d landmarks must be at least 1", m)
	}
	m = min(m, n)
	cut := settings.Cut
	if cut == 0 {
		cut = 1e-10
	}
	if !(cut > 0 && cut < 1) {
		return nil, refusal.Setting("cut", "nystrom: cut=%v must be in (0, 1)", cut)
	}
	var rows []int
	switch settings.Choice {
	case "", Uniform:
		rows = random.New(settings.Seed, "nystrom landmarks").Perm(n)[:m]
	case Spread:
		var err error
		if rows, err = spread(k, x, m, settings.Seed); err != nil {
			return nil, err
		}
	default:
		return nil, refusal.Setting("choice", "nystrom: choice %q must be %s or %s", settings.Choice, Uniform, Spread)
	}
	points := mat.NewDense(len(rows), d, nil)
	for i, row := range rows {
		points.SetRow(i, x.RawRowView(row))
	}
	gram, err := k.Symmetric(points)
	if err != nil {
		return nil, err
	}
	for i := range rows {
		for j := i; j < len(rows); j++ {
			if v := gram.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, refusal.Data("nystrom: the kernel of rows %d and %d is %v", rows[i]+1, rows[j]+1, v)
			}
		}
	}
	values, vectors, err := linalg.SymEigen(ctx, gram)
	if err != nil {
		return nil, fmt.Errorf("kernel: nystrom: %w", err)
	}
	keep := 0
	for keep < len(values) && values[keep] > cut*values[0] && values[keep] > 0 {
		keep++
	}
	if keep == 0 {
		return nil, refusal.Data("nystrom: the kernel of the landmarks is zero")
	}
	whiten := mat.NewDense(len(rows), keep, nil)
	for i := range rows {
		for j := range keep {
			whiten.Set(i, j, vectors.At(i, j)/math.Sqrt(values[j]))
		}
	}
	return &Nystrom{Landmarks: Landmarks{Kernel: k, Points: points}, Whiten: whiten}, nil
}

// spread chooses rows by the seeding of k-means++ in the space of the kernel, where the
// squared distance is k(x,x) + k(c,c) - 2 k(x,c). It stops early when every row equals
// one of the chosen.
func spread(k Kernel, x *mat.Dense, m int, seed uint64) ([]int, error) {
	r := random.New(seed, "nystrom spread")
	n, d := x.Dims()
	self := make([]float64, n)
	distance := make([]float64, n)
	for i := range n {
		self[i] = k.At(x.RawRowView(i), x.RawRowView(i))
		distance[i] = math.Inf(1)
	}
	column := mat.NewDense(n, 1, nil)
	chosen := []int{r.IntN(n)}
	for {
		last := chosen[len(chosen)-1]
		if err := k.GramTo(column, x, x.Slice(last, last+1, 0, d).(*mat.Dense)); err != nil {
			return nil, err
		}
		total := 0.0
		for i := range n {
			away := max(0, self[i]+self[last]-2*column.At(i, 0))
			if away <= 1e-14*(self[i]+self[last]) || i == last {
				away = 0 // the same row, up to rounding
			}
			distance[i] = min(distance[i], away)
			total += distance[i]
		}
		if math.IsNaN(total) || math.IsInf(total, 0) {
			return nil, refusal.Data("nystrom: the kernel with row %d is not finite for every row", last+1)
		}
		if len(chosen) == m || total == 0 {
			return chosen, nil
		}
		target := r.Float64() * total
		next := -1
		for i, s := range distance {
			if s == 0 {
				continue
			}
			next = i
			if target -= s; target < 0 {
				break
			}
		}
		chosen = append(chosen, next)
	}
}

// Widths returns the columns of the landmarks and the number of features.
func (m *Nystrom) Widths() (in, out int) {
	_, in = m.Points.Dims()
	_, out = m.Whiten.Dims()
	return in, out
}

// Apply writes the features of the rows of x.
func (m *Nystrom) Apply(dst, x *mat.Dense) error {
	if err := checkApply(m, dst, x); err != nil {
		return err
	}
	gram, err := m.Kernel.Gram(x, m.Points)
	if err != nil {
		return err
	}
	linalg.Mul(dst, gram, m.Whiten)
	return nil
}
