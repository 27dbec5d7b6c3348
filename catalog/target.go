package catalog

import (
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset"
)

// What supervised methods ask of their data, and the words for data that fall short.

// regressionTarget returns the numbers that a regression learns, or says what is wrong
// with the target.
func regressionTarget(method string, data *dataset.Set) ([]float64, error) {
	t := data.Target
	switch {
	case t == nil:
		return nil, &UsageError{Problem: fmt.Sprintf("%s: %s learns a target column, and none is named", data.Name, method), Hint: "--target names it"}
	case t.Values == nil:
		return nil, &UsageError{Problem: fmt.Sprintf("%s: target %q holds text; a regression needs numbers", data.Name, t.Name), Hint: "a classifier learns text: elm-kmpe, logistic, regmaxcem"}
	case len(t.Values) != data.Rows():
		return nil, &UsageError{Problem: fmt.Sprintf("%s: %d rows, but %d values of target %q", data.Name, data.Rows(), len(t.Values), t.Name)}
	}
	for i, v := range t.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, &UsageError{Problem: fmt.Sprintf("%s: row %d: target %q is missing or not finite", data.Name, i+1, t.Name), Hint: "remove the row or fill in the value"}
		}
	}
	return t.Values, nil
}

// refuseConstant says that a target without variation cannot be learned.
func refuseConstant(data *dataset.Set, values []float64) error {
	if len(values) > 1 && slices.Min(values) == slices.Max(values) {
		return &UsageError{Problem: fmt.Sprintf("%s: target %q is %g in every row; there is nothing to learn", data.Name, data.Target.Name, values[0])}
	}
	return nil
}

// classTarget says what is wrong with the classes of a target.
func classTarget(data *dataset.Set) error {
	t := data.Target
	if t.Labels == nil {
		return &UsageError{Problem: fmt.Sprintf("%s: target %q holds numbers, not classes", data.Name, t.Name), Hint: "--task class takes every different number for a class"}
	}
	counts := make([]int, len(t.Classes))
	present := 0
	for i, label := range t.Labels {
		if label < 0 || label >= len(counts) {
			return &UsageError{Problem: fmt.Sprintf("%s: row %d: target %q is missing", data.Name, i+1, t.Name), Hint: "remove the row or fill in the class"}
		}
		if counts[label]++; counts[label] == 1 {
			present++
		}
	}
	if present < 2 {
		return &UsageError{Problem: fmt.Sprintf("%s: target %q has a single class; at least two are needed", data.Name, t.Name)}
	}
	return nil
}

// lonelyClasses names the classes with a single row, which nothing can be learned about.
func lonelyClasses(t *dataset.Target) []string {
	counts := make([]int, len(t.Classes))
	for _, label := range t.Labels {
		counts[label]++
	}
	var names []string
	for c, n := range counts {
		if n == 1 {
			names = append(names, t.Classes[c])
		}
	}
	return names
}
