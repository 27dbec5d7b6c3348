// Package dataset holds tables and images in memory: rows of numbers with the names of their
// columns, and perhaps a target to learn.
//
// The shape that everything else works with is [Set]: a matrix with one row per sample. It knows
// no file format: package dataset/file reads and writes files, dataset/synthetic makes data whose
// truth is known, dataset/corrupt dirties a set on purpose. [Split] and its kin divide a set.
package dataset

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/words"
)

// Set is a table in memory: one row per sample.
type Set struct {
	// Name tells where the rows came from; messages quote it.
	Name string
	// X holds the n x d numbers. NaN marks a missing value.
	X *mat.Dense
	// Columns names the d columns of X.
	Columns []string
	// Shape is the row-major shape of one sample when its d columns are the
	// entries of an image or tensor, such as {64, 64} or {64, 64, 3}; nil for tables.
	Shape []int
	// Target is what a supervised method should learn; nil when there is none.
	Target *Target
	// Unnamed tells that the file names no columns, so that Columns are made up (x1, x2,
	// ...) and other data are matched by position.
	Unnamed bool
	// Coder is how text columns became numbers; nil when there were none.
	Coder *Coder
	// New are the words that the coder has not learned, where such are welcome; nil: there are none.
	New *NewWords
	// IDs name the rows, such as the files of images; nil when they have no names.
	IDs []string
}

// Rows is the number of samples.
func (s *Set) Rows() int { r, _ := s.X.Dims(); return r }

// Dim is the number of columns of X.
func (s *Set) Dim() int { _, c := s.X.Dims(); return c }

// Missing returns the first missing value's row and column, counted from 0, and
// how many there are in all.
func (s *Set) Missing() (row, column, count int) {
	n, d := s.X.Dims()
	row, column = -1, -1
	for i := 0; i < n; i++ {
		for j, v := range s.X.RawRowView(i)[:d] {
			if math.IsNaN(v) {
				if count == 0 {
					row, column = i, j
				}
				count++
			}
		}
	}
	return row, column, count
}

// Subset returns the given rows, in that order, as a new set that shares nothing with s.
func (s *Set) Subset(rows []int) *Set {
	_, d := s.X.Dims()
	out := &Set{Name: s.Name, Columns: s.Columns, Shape: s.Shape, Unnamed: s.Unnamed, Coder: s.Coder, New: s.New}
	if len(rows) == 0 {
		out.X = &mat.Dense{}
	} else {
		out.X = mat.NewDense(len(rows), d, nil)
	}
	for k, i := range rows {
		copy(out.X.RawRowView(k), s.X.RawRowView(i))
	}
	if s.IDs != nil {
		for _, i := range rows {
			out.IDs = append(out.IDs, s.IDs[i])
		}
	}
	if t := s.Target; t != nil {
		nt := &Target{Name: t.Name, Classes: t.Classes}
		for _, i := range rows {
			if t.Values != nil {
				nt.Values = append(nt.Values, t.Values[i])
			}
			if t.Labels != nil {
				nt.Labels = append(nt.Labels, t.Labels[i])
			}
		}
		out.Target = nt
	}
	return out
}

// Column returns the index of the named column, or an error that lists near names.
func (s *Set) Column(name string) (int, error) {
	for j, c := range s.Columns {
		if c == name {
			return j, nil
		}
	}
	return 0, Problem(s.Name, "there is no column %q; there are %s", name, words.Names(s.Columns))
}

// Check refuses a set whose parts do not fit together, as a program may have filled it: every
// column has a name, the samples have the volume of the shape, and every row a target.
func (s *Set) Check() error {
	if s.X == nil || s.X.IsEmpty() {
		return Problem(s.Name, "there are no rows")
	}
	n, d := s.X.Dims()
	switch t := s.Target; {
	case len(s.Columns) != d:
		return In("columns", Problem(s.Name, "there are %d columns and %d names", d, len(s.Columns)))
	case s.Shape != nil && Volume(s.Shape) != d:
		return In("shape", Problem(s.Name, "samples of shape %s do not have %d columns", FormatShape(s.Shape), d))
	case s.IDs != nil && len(s.IDs) != n:
		return In("id", Problem(s.Name, "there are %d rows and %d names of rows", n, len(s.IDs)))
	case t == nil:
		return nil
	case t.Values == nil && t.Labels == nil:
		return In("target", Problem(s.Name, "the target has no values"))
	case t.Values != nil && len(t.Values) != n || t.Labels != nil && len(t.Labels) != n:
		return In("target", Problem(s.Name, "there are %d rows and %d targets", n, max(len(t.Values), len(t.Labels))))
	default:
		for i, c := range t.Labels {
			if c < 0 || c >= len(t.Classes) {
				return In("target", Problem(s.Name, "row %d is of class %d where %d have names", i+1, c+1, len(t.Classes)))
			}
		}
		return nil
	}
}
