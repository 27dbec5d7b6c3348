package dataset

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/linalg"
)

// Source is a table that is read in blocks of rows, as many times as needed, and need not be
// in memory: an opened file (package dataset/file), rows handed over by a program, or a set.
type Source interface {
	linalg.Source
	// Name tells where the rows come from; messages quote it.
	Name() string
	// Columns names the columns of the blocks.
	Columns() []string
	// Shape is the row-major shape of one sample where the columns are the entries of an
	// image or tensor; nil for tables.
	Shape() []int
	// Target is what a supervised method should learn, one value or class per row; nil when
	// there is none.
	Target(ctx context.Context) (*Target, error)
}

// Source views the set as a source. Nothing is copied.
func (s *Set) Source() Source { return memory{s} }

// memory is a set as a source.
type memory struct{ set *Set }

func (m memory) Name() string                            { return m.set.Name }
func (m memory) Columns() []string                       { return m.set.Columns }
func (m memory) Shape() []int                            { return m.set.Shape }
func (m memory) Target(context.Context) (*Target, error) { return m.set.Target, nil }

func (m memory) Dims() (rows, columns int) {
	if m.set == nil || m.set.X == nil {
		return 0, 0
	}
	return m.set.X.Dims()
}

// Dense is the matrix itself, which spares a copy where one is needed.
func (m memory) Dense() *mat.Dense { return m.set.X }

func (m memory) Scan(ctx context.Context, visit func(first int, block *mat.Dense) error) error {
	return linalg.FromDense(m.set.X).Scan(ctx, visit)
}

// Read brings all rows of a source into memory. The set behind a source that is in memory
// already is returned as it is.
func Read(ctx context.Context, source Source) (*Set, error) {
	ctx = given.Context(ctx)
	switch s := source.(type) {
	case memory:
		return s.set, nil
	case interface {
		Read(ctx context.Context) (*Set, error)
	}:
		return s.Read(ctx)
	}
	var data []float64
	width := len(source.Columns())
	if width == 0 {
		return nil, Problem(source.Name(), "there are no columns")
	}
	if n, d := source.Dims(); n > 0 {
		data = make([]float64, 0, n*d)
	}
	err := source.Scan(ctx, func(first int, block *mat.Dense) error {
		n, d := block.Dims()
		if d != width {
			return Problem(source.Name(), "there are %d columns and %d names", d, width)
		}
		for i := range n {
			data = append(data, block.RawRowView(i)...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(data) == 0 {
		return nil, Problem(source.Name(), "there are no rows")
	}
	set := &Set{Name: source.Name(), X: mat.NewDense(len(data)/width, width, data), Columns: source.Columns(), Shape: source.Shape()}
	set.Target, err = source.Target(ctx)
	return set, err
}
