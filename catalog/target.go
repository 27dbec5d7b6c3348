package catalog

import (
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset"
)

// What supervised methods ask of their data, and the words for data that fall short.

// learnNumbers takes the target for the numbers of a regression.
func learnNumbers(method string, _ Values, data *lesson) (err error) {
	n, _ := data.Dims()
	data.task = Regress
	data.values, err = regressionTarget(method, data.Name(), n, data.target)
	return err
}

// regressionTarget returns the numbers that a regression learns, or says what is wrong with
// the target of n rows.
func regressionTarget(method, name string, n int, t *dataset.Target) ([]float64, error) {
	switch {
	case t == nil:
		return nil, &UsageError{Parameter: "target", Problem: fmt.Sprintf("%s: %s learns a target column, and none is named", name, method), Hint: "--target names it"}
	case t.Values == nil:
		return nil, &UsageError{Parameter: "target", Problem: fmt.Sprintf("%s: target %q holds text; a regression needs numbers", name, t.Name), Hint: "a classifier learns text: elm-kmpe, logistic, regmaxcem"}
	case len(t.Values) != n:
		return nil, &UsageError{Problem: fmt.Sprintf("%s: %d rows, but %d values of target %q", name, n, len(t.Values), t.Name)}
	}
	for i, v := range t.Values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, &UsageError{Parameter: "target", Problem: fmt.Sprintf("%s: row %d: target %q is missing or not finite", name, i+1, t.Name), Hint: fillIn}
		}
	}
	return t.Values, nil
}

// refuseConstant says that a target without variation cannot be learned.
func refuseConstant(data *lesson) error {
	if v := data.values; len(v) > 1 && slices.Min(v) == slices.Max(v) {
		return &UsageError{Parameter: "target", Problem: fmt.Sprintf("%s: target %q is %g in every row; there is nothing to learn", data.Name(), data.target.Name, v[0])}
	}
	return nil
}

// learnClasses takes the target for classes.
func learnClasses(method string, _ Values, data *lesson) error {
	t := data.target
	hint := "--target names the column with the classes"
	if data.Shape() != nil {
		hint = "--target label takes the file with labels beside that of the images, --labels FILE any other"
	}
	switch {
	case t == nil:
		return &UsageError{Parameter: "target", Problem: fmt.Sprintf("%s: %s learns classes and needs a target", data.Name(), method), Hint: hint}
	case t.Labels == nil:
		return &UsageError{
			Parameter: "task",
			Problem:   fmt.Sprintf("%s: target %q holds numbers that are not classes", data.Name(), t.Name),
			Hint:      "--task class takes every different number for a class; a regression method such as linear-robust predicts numbers",
		}
	}
	seen := map[int]bool{}
	for i, label := range t.Labels {
		if label < 0 || label >= len(t.Classes) {
			return &UsageError{Parameter: "target", Problem: fmt.Sprintf("%s: row %d: target %q is missing", data.Name(), i+1, t.Name), Hint: "remove the row or fill in the class"}
		}
		seen[label] = true
	}
	data.task, data.labels, data.classes = Classify, t.Labels, t.Classes
	return manyClasses(data, len(seen))
}

// manyClasses refuses rows of one class only.
func manyClasses(data *lesson, present int) error {
	if present > 1 {
		return nil
	}
	only := data.classes[0]
	if len(data.labels) > 0 {
		only = data.classes[data.labels[0]]
	}
	return &UsageError{
		Parameter: "target",
		Problem:   fmt.Sprintf("%s: target %q has one class only, %q; there is nothing to tell apart", data.Name(), data.target.Name, only),
		Hint:      "a classifier needs rows of at least two classes",
	}
}

// learnPresent takes the target for classes, numbered without those that do not occur.
func learnPresent(method string, v Values, data *lesson) error {
	if err := learnClasses(method, v, data); err != nil {
		return err
	}
	number := make([]int, len(data.classes))
	for _, k := range data.labels {
		number[k] = 1
	}
	var classes []string
	for k, there := range number {
		number[k] = len(classes)
		if there == 1 {
			classes = append(classes, data.classes[k])
		}
	}
	labels := make([]int, len(data.labels))
	for i, k := range data.labels {
		labels[i] = number[k]
	}
	data.labels, data.classes = labels, classes
	return nil
}
