package catalog

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/irls"
)

// What is the user's to mend comes back as a UsageError, and nothing else does: a context
// that ended, a file that could not be read, an internal failure pass as they are, so that
// errors.Is and errors.As find them and the exit code is theirs.

// families are the packages whose own refusals are about the data and the parameters.
var families = []string{"pca", "tensor", "linear", "elm", "classify", "kernel", "cluster", "nearest"}

// refusal turns a family's refusal into the user's error with the name of the data before
// it. A refusal is an error that the family wrote itself: its text begins with the name of
// the package and it has no cause.
func refusal(err error, name string) error {
	var usage *UsageError
	if err == nil || irls.Ended(err) || errors.As(err, &usage) || errors.Unwrap(err) != nil {
		return err
	}
	if several, ok := err.(interface{ Unwrap() []error }); ok && len(several.Unwrap()) > 0 {
		return err
	}
	for _, family := range families {
		if text, own := strings.CutPrefix(err.Error(), family+": "); own {
			if name != "" {
				text = name + ": " + text
			}
			return &UsageError{Problem: text, Cause: err}
		}
	}
	return err
}

// columnName is the name of column j, counted from 0, or its number from 1 where it has none.
func columnName(columns []string, j int) string {
	if j >= 0 && j < len(columns) {
		return columns[j]
	}
	return strconv.Itoa(j + 1)
}

// missingCell names a cell that holds no number; row and column count from 1.
func missingCell(data *dataset.Set, row, column int, value float64, hint string) error {
	what := "infinite"
	if math.IsNaN(value) {
		what = "missing"
	}
	return &UsageError{Problem: fmt.Sprintf("%s: row %d, column %q is %s", data.Name, row, columnName(data.Columns, column-1), what), Hint: hint}
}

// fillIn is the hint of methods that cannot do without a value.
const fillIn = "remove the row or fill in the value"

// door stands before every fit: data and weights that no method can use are refused here,
// in the same words for all.
type door struct{ Fitter }

// Fit checks and fits.
func (d door) Fit(ctx context.Context, data *dataset.Set, run Run) (Model, error) {
	if err := checkSet(data); err != nil {
		return nil, err
	}
	if err := checkWeights(data, run.Weights); err != nil {
		return nil, err
	}
	return d.Fitter.Fit(ctx, data, run)
}

// checkSet refuses a set whose parts do not belong together.
func checkSet(data *dataset.Set) error {
	if data == nil || data.X == nil || data.X.IsEmpty() {
		return &UsageError{Problem: "the data have no rows or no columns"}
	}
	n, d := data.X.Dims()
	if data.Shape != nil && !fills(data.Shape, d) {
		return &UsageError{
			Problem: fmt.Sprintf("%s: a sample of shape %v does not have the %d numbers of a row", data.Name, data.Shape, d),
			Hint:    "the lengths of a shape are positive and their product is the number of columns",
		}
	}
	if t := data.Target; t != nil {
		for _, length := range []int{len(t.Values), len(t.Labels)} {
			if length != 0 && length != n {
				return &UsageError{Problem: fmt.Sprintf("%s: %d rows, but %d values of target %q", data.Name, n, length, t.Name)}
			}
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
func checkWeights(data *dataset.Set, weights []float64) error {
	if weights == nil {
		return nil
	}
	if n := data.Rows(); len(weights) != n {
		return &UsageError{Problem: fmt.Sprintf("%s: %d weights for %d rows", data.Name, len(weights), n)}
	}
	some := false
	for i, w := range weights {
		if !(w >= 0 && w <= math.MaxFloat64) {
			return &UsageError{Problem: fmt.Sprintf("%s: the weight of row %d is %g", data.Name, i+1, w), Hint: "weights are finite and not negative"}
		}
		some = some || w > 0
	}
	if !some {
		return &UsageError{Problem: data.Name + ": every weight is 0, so that no row counts"}
	}
	return nil
}
