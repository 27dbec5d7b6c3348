// Package refusal is the one set of errors by which every family refuses what it is given:
// data or parameters that are the user's to mend. Each says the place; errors.As finds it
// through every layer, so that a command line, a server or another program can word it in its
// own way, with the names of files and columns that only they know.
package refusal

import (
	"fmt"
	"math"

	"github.com/inlier-ml/inlier/internal/words"
)

// Refusal is what each of them is: a problem in words and what would be right, which may be
// empty.
type Refusal interface {
	error
	Hint() string
}

// CellError is a number that is missing or infinite where every number is needed. Row and
// Column count from 1; Column 0 is the target.
type CellError struct {
	Row, Column int
	Value       float64
}

// Problem is "missing" or "infinite".
func (e *CellError) Problem() string {
	if math.IsNaN(e.Value) {
		return "missing"
	}
	return "infinite"
}

// Error names the place.
func (e *CellError) Error() string {
	if e.Column == 0 {
		return fmt.Sprintf("the target of row %d is %s", e.Row, e.Problem())
	}
	return fmt.Sprintf("row %d, column %d is %s", e.Row, e.Column, e.Problem())
}

// Hint is empty: whoever knows the method can say what to do about the cell.
func (e *CellError) Hint() string { return "" }

// ParameterError is a parameter that the data or other parameters do not allow.
type ParameterError struct {
	Name, Value string // as the catalog names it, and as it was given; "": it was not
	Problem     string // "does not multiply to the 12 columns"
	Range       string // what would be right: "an integer of at least 1"; may be empty
	Advice      string // in place of Range, a whole sentence
}

// Error names the parameter.
func (e *ParameterError) Error() string {
	if e.Value == "" {
		return e.Problem
	}
	return e.Name + "=" + e.Value + " " + e.Problem
}

// Hint says what would be right.
func (e *ParameterError) Hint() string {
	if e.Range != "" {
		return e.Name + " is " + e.Range
	}
	return e.Advice
}

// LossError is a model that was learned with a loss of a program's own which this program does
// not know.
type LossError struct{ Name string }

// Error names the loss and says how to make it known.
func (e *LossError) Error() string {
	return fmt.Sprintf("loss %q is of a program's own; call loss.Register with it before the model is loaded", e.Name)
}

// Hint is empty: the problem says it all.
func (e *LossError) Hint() string { return "" }

// RankError is a number of components, clusters or the like that the data do not have.
type RankError struct {
	Name        string // of the parameter
	Asked, Most int
	Why         string // "is more than possible: the data have 3 columns"
}

// Error names the number asked for and why there are fewer.
func (e *RankError) Error() string { return fmt.Sprintf("%s=%d %s", e.Name, e.Asked, e.Why) }

// Hint says how many there can be.
func (e *RankError) Hint() string {
	return fmt.Sprintf("%s is an integer from 1 to %d here, or auto", e.Name, e.Most)
}

// SizeError is a table of too few or too many rows.
type SizeError struct {
	Rows        int
	Least, Most int    // rows that would be right; 0: no such limit
	Problem     string // "3 rows are too few for 4 coefficients"
	Advice      string
}

// Error is the problem.
func (e *SizeError) Error() string { return e.Problem }

// Hint says what would be right.
func (e *SizeError) Hint() string { return e.Advice }

// MemoryError is a fit that does not fit into memory.
type MemoryError struct {
	Need, Have float64 // bytes
	Problem    string
	Advice     string
}

// Error is the problem.
func (e *MemoryError) Error() string { return e.Problem }

// Hint says what would be right.
func (e *MemoryError) Hint() string { return e.Advice }

// ClassError is a class that cannot be learned; classes count from 0.
type ClassError struct {
	Class   int
	Problem string // "has no rows"
}

// Error names the class by its number, from 1.
func (e *ClassError) Error() string { return fmt.Sprintf("class %d %s", e.Class+1, e.Problem) }

// Hint is empty: the problem says it all.
func (e *ClassError) Hint() string { return "" }

// TargetError is a target that cannot be learned, or labels that are none.
type TargetError struct{ Problem string }

// Error is the problem.
func (e *TargetError) Error() string { return e.Problem }

// Hint is empty: the problem says it all.
func (e *TargetError) Hint() string { return "" }

// ColumnsError is a table with other columns than the model wants; Problem replaces the usual
// words.
type ColumnsError struct {
	Columns, Want int
	Problem       string
}

// Error says how many there are and should be.
func (e *ColumnsError) Error() string {
	if e.Problem != "" {
		return e.Problem
	}
	return fmt.Sprintf("the rows have %s; the model has %d", words.Plural(e.Columns, "column"), e.Want)
}

// Hint is empty: the problem says it all.
func (e *ColumnsError) Hint() string { return "" }

// EmptyError is a row or a column without any number; they count from 1, and the other is 0.
type EmptyError struct{ Row, Column int }

// Error names the row or the column.
func (e *EmptyError) Error() string {
	if e.Row > 0 {
		return fmt.Sprintf("row %d has no value at all", e.Row)
	}
	return fmt.Sprintf("column %d has no value at all", e.Column)
}

// Hint is empty: the problem says it all.
func (e *EmptyError) Hint() string { return "" }

// DataError is data that cannot be learned from, for what they are as a whole: all rows are
// equal, numbers are too large.
type DataError struct{ Problem string }

// Error is the problem.
func (e *DataError) Error() string { return e.Problem }

// Hint is empty: the problem says it all.
func (e *DataError) Hint() string { return "" }
