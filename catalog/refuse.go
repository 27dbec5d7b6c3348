package catalog

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/refusal"
)

// What is the user's to mend comes back as a UsageError, and nothing else does: a context
// that ended, a file that could not be read, an internal failure pass as they are, so that
// errors.Is and errors.As find them and the exit code is theirs.

// explain turns what a family refuses into the user's error, with the names of the data, of
// columns and of classes; missing says what to do about a number that is.
func explain(err error, name string, columns, classes []string, missing string) error {
	var cell *refusal.CellError
	var class *refusal.ClassError
	var other refusal.Refusal
	var usage *UsageError
	names := archive.Names{Columns: columns, Classes: classes}
	problem, hint := "", ""
	if errors.As(err, &cell) && !math.IsNaN(cell.Value) {
		missing = "" // which an infinite number is not
	}
	switch {
	case err == nil || irls.Ended(err) || errors.As(err, &usage):
		return err
	case errors.As(err, &cell) && cell.Column > 0:
		problem, hint = fmt.Sprintf("row %d, column %q is %s", cell.Row, names.Column(cell.Column-1), cell.Problem()), missing
	case errors.As(err, &cell):
		problem, hint = cell.Error(), missing
	case errors.As(err, &class):
		problem = fmt.Sprintf("class %q %s", names.Class(class.Class), class.Problem)
	case errors.As(err, &other):
		problem, hint = other.Error(), other.Hint()
	default:
		return err
	}
	if name != "" {
		problem = name + ": " + problem
	}
	return &UsageError{Problem: problem, Hint: hint, Cause: err}
}

// refused tells whether a family said itself what is wrong.
func refused(err error) bool {
	var cell *refusal.CellError
	var size *refusal.SizeError
	return errors.As(err, &cell) || errors.As(err, &size)
}

// fillIn is the hint of methods that cannot do without a value.
const fillIn = "remove the row or fill in the value"

// door stands before every fit: data and weights that no method can use are refused here,
// in the same words for all.
type door struct{ Fitter }

// Fit checks and fits.
func (d door) Fit(ctx context.Context, data dataset.Source, run Run) (Model, error) {
	ctx = given.Context(ctx)
	if data == nil {
		return nil, &UsageError{Problem: "the data have no rows or no columns"}
	}
	if n, _ := data.Dims(); n < 1 { // not counted yet
		set, err := dataset.Read(ctx, data)
		if err != nil {
			return nil, err
		}
		data = set.Source()
	}
	if err := checkSource(ctx, data); err != nil {
		return nil, err
	}
	if err := checkWeights(data, run.Weights); err != nil {
		return nil, err
	}
	return d.Fitter.Fit(ctx, data, run)
}

// checkSource refuses data whose parts do not belong together.
func checkSource(ctx context.Context, data dataset.Source) error {
	n, d := data.Dims()
	if n < 1 || d < 1 {
		return &UsageError{Problem: "the data have no rows or no columns"}
	}
	if shape := data.Shape(); shape != nil && !fills(shape, d) {
		return &UsageError{
			Parameter: "shape",
			Problem:   fmt.Sprintf("%s: a sample of shape %v does not have the %d numbers of a row", data.Name(), shape, d),
			Hint:      "the lengths of a shape are positive and their product is the number of columns",
		}
	}
	if _, ok := data.(besides); ok { // targets are cells of the same rows, and all of them may be more than memory holds
		return nil
	}
	t, err := data.Target(ctx)
	if err != nil || t == nil {
		return err
	}
	for _, length := range []int{len(t.Values), len(t.Labels)} {
		if length != 0 && length != n {
			return &UsageError{Problem: fmt.Sprintf("%s: %d rows, but %d values of target %q", data.Name(), n, length, t.Name)}
		}
	}
	return nil
}

// fills tells whether lengths are positive and multiply to a number.
func fills(shape []int, d int) bool {
	product := 1
	for _, length := range shape {
		if length < 1 || length > d {
			return false
		}
		if product *= length; product > d {
			return false
		}
	}
	return product == d
}

// checkWeights refuses weights that are no weights.
func checkWeights(data dataset.Source, weights []float64) error {
	if weights == nil {
		return nil
	}
	if n, _ := data.Dims(); len(weights) != n {
		return &UsageError{Parameter: "weights", Problem: fmt.Sprintf("%s: %d weights for %d rows", data.Name(), len(weights), n)}
	}
	some := false
	for i, w := range weights {
		if !(w >= 0 && w <= math.MaxFloat64) {
			return &UsageError{Parameter: "weights", Problem: fmt.Sprintf("%s: the weight of row %d is %g", data.Name(), i+1, w), Hint: "weights are finite and not negative"}
		}
		some = some || w > 0
	}
	if !some {
		return &UsageError{Parameter: "weights", Problem: data.Name() + ": every weight is 0, so that no row counts"}
	}
	return nil
}
