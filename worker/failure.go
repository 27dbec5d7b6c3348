package worker

import (
	"context"
	"errors"
	"math"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/refusal"
)

// failure is why a job has no result.
type failure struct {
	Kind      string `json:"kind"`                // one of those below
	Problem   string `json:"problem"`             // one line
	Hint      string `json:"hint,omitempty"`      // what would be right
	Parameter string `json:"parameter,omitempty"` // field of the request that is meant: see inlier.Error
	Row       int    `json:"row,omitempty"`       // of the table, from 1
	Column    string `json:"column,omitempty"`    // by its name
	Place     int    `json:"place,omitempty"`     // or where it stands, from 1
	Value     string `json:"value,omitempty"`     // of the cell: nan, inf, -inf
	Trace     string `json:"trace,omitempty"`     // of a panic
}

// The kinds of failures.
const (
	kindInput     = "input"     // the user's to mend
	kindCancelled = "cancelled" // as was asked for
	kindLost      = "lost"      // the handle is of another worker, or was given up
	kindMemory    = "memory"    // what was sent is too large
	kindFault     = "fault"     // a bug
)

// fail says what is wrong.
func fail(err error) *failure {
	f := &failure{Kind: kindFault, Problem: words.OneLine(err.Error())}
	var (
		handle *lost
		large  *tooLarge
		cell   *refusal.CellError
		input  *dataset.InputError
		empty  *refusal.EmptyError
	)
	switch {
	case errors.Is(err, context.Canceled):
		f.Kind = kindCancelled
	case errors.As(err, &handle):
		f.Kind = kindLost
	case errors.As(err, &large):
		f.Kind = kindMemory
	default:
		mistake, ok := inlier.AsError(err)
		if !ok {
			f.Problem = words.Clip(f.Problem)
			return f
		}
		f.Kind, f.Parameter = kindInput, mistake.Parameter
		f.Problem, f.Hint = mistake.Word(inlier.Plain)
	}
	f.Problem, f.Hint = words.Clip(f.Problem), words.Clip(f.Hint) // they may hold what was sent
	if errors.As(err, &input) {
		f.Row, f.Column = input.Row, input.Column
	}
	if errors.As(err, &empty) {
		f.Row, f.Place = empty.Row, empty.Column
	}
	if errors.As(err, &cell) {
		f.Row, f.Place = cell.Row, cell.Column
		switch {
		case math.IsNaN(cell.Value):
			f.Value = "nan"
		case math.IsInf(cell.Value, 1):
			f.Value = "inf"
		case math.IsInf(cell.Value, -1):
			f.Value = "-inf"
		}
	}
	return f
}
