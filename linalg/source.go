package linalg

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
)

// Source is a table of numbers that is read in blocks of consecutive rows, as many
// times as needed: a matrix in memory, a file larger than memory, a part of either.
type Source interface {
	// Dims returns the number of rows and columns.
	Dims() (rows, columns int)
	// Scan calls visit for consecutive blocks from the first row to the last. A block
	// may be used only during the call and must not be changed.
	Scan(ctx context.Context, visit func(first int, block *mat.Dense) error) error
}

// InMemory is a Source whose rows are those of a matrix, which spares copies and scans.
type InMemory interface {
	Source
	// Dense returns the matrix, which must not be changed.
	Dense() *mat.Dense
}

// Matrix is a Source in memory. It shares the matrix it was made from.
type Matrix struct{ m *mat.Dense }

// FromDense makes a Source of m without copying it.
func FromDense(m *mat.Dense) *Matrix { return &Matrix{m: m} }

// FromRows makes a Source of rows of the same length, which are copied. It panics if they
// differ in length.
func FromRows(rows [][]float64) *Matrix {
	if len(rows) == 0 {
		return &Matrix{m: new(mat.Dense)}
	}
	m := mat.NewDense(len(rows), len(rows[0]), nil)
	for i, row := range rows {
		if len(row) != len(rows[0]) {
			panic(fmt.Sprintf("linalg: row %d has %d numbers, the first has %d", i+1, len(row), len(rows[0])))
		}
		m.SetRow(i, row)
	}
	return &Matrix{m: m}
}

// Dense returns the matrix behind the source.
func (s *Matrix) Dense() *mat.Dense { return s.m }

// Dims returns the number of rows and columns.
func (s *Matrix) Dims() (rows, columns int) { return s.m.Dims() }

// Scan visits the rows in blocks that are views of the matrix.
func (s *Matrix) Scan(ctx context.Context, visit func(first int, block *mat.Dense) error) error {
	ctx = given.Context(ctx)
	n, d := s.m.Dims()
	rows := blockRows(d)
	for first := 0; first < n; first += rows {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := visit(first, rowsOf(s.m, first, min(first+rows, n))); err != nil {
			return err
		}
	}
	return nil
}

// rowsOf returns rows first to last-1 of m as a view.
func rowsOf(m *mat.Dense, first, last int) *mat.Dense {
	_, d := m.Dims()
	return m.Slice(first, last, 0, d).(*mat.Dense)
}

// inMemory returns the matrix behind a source that is one, or nil.
func inMemory(src Source) *mat.Dense {
	if m, ok := src.(InMemory); ok {
		return m.Dense()
	}
	return nil
}

// Load returns all rows of src as a matrix that must not be changed: its own where it stands
// in memory, or else a copy made in one scan. Of a table without rows or columns it is empty.
func Load(ctx context.Context, src Source) (*mat.Dense, error) {
	ctx = given.Context(ctx)
	if err := Given(src); err != nil {
		return nil, err
	}
	if m := inMemory(src); m != nil {
		return m, nil
	}
	n, d := src.Dims()
	if n < 1 || d < 1 {
		return &mat.Dense{}, nil
	}
	if n > RoomOf(src)/d {
		return nil, &RoomError{Rows: n, Columns: d, Room: RoomOf(src)}
	}
	out := mat.NewDense(n, d, nil)
	return out, fill(ctx, src, out)
}
