package dataset

import (
	"context"
	"iter"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
)

// blockRows is the number of rows in a block, as that of files and matrices, so that a fit gives
// the same result from all of them.
const blockRows = 256

// FromMatrix makes a set of a matrix, which is shared and not copied. Without names the columns
// are called x1, x2, ...; other data are matched by position then.
func FromMatrix(x *mat.Dense, columns []string) (*Set, error) {
	s := &Set{Name: "matrix", X: x, Columns: slices.Clone(columns), Unnamed: columns == nil}
	_, d := x.Dims()
	for j := 0; columns == nil && j < d; j++ {
		s.Columns = append(s.Columns, "x"+strconv.Itoa(j+1))
	}
	if len(s.Columns) != d {
		return nil, Problem(s.Name, "there are %d columns and %d names", d, len(s.Columns))
	}
	return s, checkNames(s.Name, s.Columns)
}

// FromRows takes rows from a cursor that is gone through once, such as the result of a query:
// next fills the columns of one row and returns false when there are no more. All rows are
// kept in memory, in blocks, and can be read as often as needed. Missing values are NaN.
func FromRows(columns []string, next func(dst []float64) (bool, error)) (Source, error) {
	s := &rows{name: "rows", columns: slices.Clone(columns)}
	if err := s.check(); err != nil {
		return nil, err
	}
	if next == nil {
		return nil, Problem(s.name, "there are no rows: the cursor is nil")
	}
	d := len(columns)
	row := make([]float64, d)
	var last []float64
	for {
		more, err := next(row)
		if err != nil {
			return nil, err
		}
		if !more {
			break
		}
		if len(last) == cap(last) {
			last = make([]float64, 0, blockRows*d)
			s.blocks = append(s.blocks, nil)
		}
		last = append(last, row...)
		s.blocks[len(s.blocks)-1] = last
		s.count++
	}
	if s.count == 0 {
		return nil, Problem(s.name, "there are no rows")
	}
	return s, nil
}

// FromSeq takes rows from a sequence that starts anew whenever it is ranged over, such as a
// query that is sent again: nothing but a block is kept in memory, and every pass of a fit
// costs one more time through the sequence. It is gone through once here, to count the rows.
// Each must give the same rows. A row may be used again by the sequence after its yield; an
// error ends the pass. Missing values are NaN.
func FromSeq(ctx context.Context, columns []string, sequence iter.Seq2[[]float64, error]) (Source, error) {
	ctx = given.Context(ctx)
	s := &rows{name: "rows", columns: slices.Clone(columns), sequence: sequence, count: -1}
	if err := s.check(); err != nil {
		return nil, err
	}
	if sequence == nil {
		return nil, Problem(s.name, "there are no rows: the sequence is nil")
	}
	n := 0
	err := s.Scan(ctx, func(_ int, block *mat.Dense) error {
		r, _ := block.Dims()
		n += r
		return nil
	})
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, Problem(s.name, "there are no rows")
	}
	s.count = n
	return s, nil
}

// rows are those of a program: kept in blocks, or asked for in every pass.
type rows struct {
	name     string
	columns  []string
	count    int // -1: not known yet
	blocks   [][]float64
	sequence iter.Seq2[[]float64, error]
}

func (s *rows) check() error { return checkNames(s.name, s.columns) }

// checkNames refuses two columns of one name, and gives those without one their number.
func checkNames(of string, columns []string) error {
	if len(columns) == 0 {
		return Problem(of, "there are no columns")
	}
	seen := map[string]bool{}
	for j, c := range columns {
		if c == "" {
			c = "column" + strconv.Itoa(j+1)
			columns[j] = c
		}
		if seen[c] {
			return Problem(of, "two columns are named %q", c)
		}
		seen[c] = true
	}
	return nil
}

func (s *rows) Name() string                            { return s.name }
func (s *rows) Columns() []string                       { return s.columns }
func (s *rows) Shape() []int                            { return nil }
func (s *rows) Target(context.Context) (*Target, error) { return nil, nil }
func (s *rows) Dims() (rows, columns int)               { return s.count, len(s.columns) }

// Scan visits the rows in blocks of 256.
func (s *rows) Scan(ctx context.Context, visit func(first int, block *mat.Dense) error) error {
	d, first := len(s.columns), 0
	emit := func(block []float64) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := len(block) / d
		if s.count >= 0 && first+n > s.count {
			return Problem(s.name, "a pass gives more rows than the %d of the first", s.count)
		}
		err := visit(first, mat.NewDense(n, d, block))
		first += n
		return err
	}
	if s.sequence == nil {
		for _, block := range s.blocks {
			if err := emit(block); err != nil {
				return err
			}
		}
		return nil
	}
	block := make([]float64, 0, blockRows*d)
	for row, err := range s.sequence {
		if err != nil {
			return err
		}
		if len(row) != d {
			return &InputError{File: s.name, Row: first + len(block)/d + 1, Problem: "the row has " + strconv.Itoa(len(row)) + " values where " + strconv.Itoa(d) + " are expected"}
		}
		if block = append(block, row...); len(block) == cap(block) {
			if err := emit(block); err != nil {
				return err
			}
			block = block[:0]
		}
	}
	if len(block) > 0 {
		if err := emit(block); err != nil {
			return err
		}
	}
	if s.count >= 0 && first != s.count {
		return Problem(s.name, "a pass gave %d rows where the first gave %d", first, s.count)
	}
	return nil
}

// TakeTarget sets a column, by name or number from 1, apart as the target.
func (s *Set) TakeTarget(column string, task Task) (*Set, error) {
	if task != TaskAuto && task != TaskClass && task != TaskRegression {
		return nil, Problem(s.Name, "task %q is not known", string(task)).WithHint("{task} is class or regression")
	}
	at, err := s.Column(column)
	if err != nil {
		number, wrong := strconv.Atoi(column)
		if wrong != nil || number < 1 || number > len(s.Columns) {
			return nil, In("target", err)
		}
		at = number - 1
	}
	out, err := s.Select(slices.Delete(slices.Clone(s.Columns), at, at+1))
	if err != nil {
		return nil, err
	}
	values := mat.Col(nil, at, s.X)
	for i, v := range values {
		if task == TaskClass && (math.IsNaN(v) || math.IsInf(v, 0)) {
			return nil, &InputError{File: s.Name, Row: i + 1, Column: s.Columns[at], Option: "target", Problem: "the class is missing or not a finite number"}
		}
	}
	out.Target = NumberTarget(s.Columns[at], values, task)
	return out, nil
}
