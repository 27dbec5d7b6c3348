package dataset

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/inlier-ml/inlier/internal/decimal"
	"github.com/inlier-ml/inlier/internal/words"
)

// Target is the column that a supervised method learns: numbers, or classes.
type Target struct {
	// Name is the column's name.
	Name string
	// Values are the targets of a regression; nil for classes that are not numbers.
	Values []float64
	// Labels are class indices into Classes, one per row; nil for regression.
	Labels []int
	// Classes names the classes in the order of their index.
	Classes []string
}

// Task says what a target is for.
type Task string

// The tasks.
const (
	TaskAuto       Task = ""
	TaskClass      Task = "class"
	TaskRegression Task = "regression"
)

// CodedTarget makes a target of classes; codes are indices into names, one per row, or NaN for one of no class: label -1.
func CodedTarget(name string, names []string, codes []float64) *Target {
	classes := slices.Clone(names)
	SortLevels(classes)
	position := make(map[string]int, len(classes))
	for i, c := range classes {
		position[c] = i
	}
	labels := make([]int, len(codes))
	for i, c := range codes {
		if labels[i] = -1; !math.IsNaN(c) {
			labels[i] = position[names[int(c)]]
		}
	}
	return &Target{Name: name, Labels: labels, Classes: classes}
}

// mostClasses bounds the different whole numbers that are taken for classes unasked.
const mostClasses = 100

// NumberTarget makes a target of numbers. With TaskAuto they are classes as well when
// all are whole, at most 100 are different, and each class has five rows or more on
// average (or there are only two). A row whose number is missing has no class: label -1.
func NumberTarget(name string, values []float64, task Task) *Target {
	c := NumberClasses{Task: task}
	c.Add(values)
	return c.Target(name, values)
}

// NumberClasses finds out, from one part of the numbers of a target after another, whether they are classes.
type NumberClasses struct {
	Task Task

	rows     int
	none     bool // they are no classes
	distinct map[float64]int
	names    []string
}

// Add takes in the numbers of further rows.
func (c *NumberClasses) Add(values []float64) {
	if c.none = c.none || c.Task == TaskRegression; c.none {
		return
	}
	if c.distinct == nil {
		c.distinct = map[float64]int{}
	}
	c.rows += len(values)
	for _, v := range values {
		if math.IsNaN(v) && c.Task == TaskClass {
			continue // of no class
		}
		if c.Task == TaskAuto && v != math.Trunc(v) {
			c.none = true
			return
		}
		c.distinct[v] = 0
		if c.Task == TaskAuto && len(c.distinct) > mostClasses {
			c.none = true
			return
		}
	}
}

// None tells that the numbers so far are no classes, whatever follows.
func (c *NumberClasses) None() bool { return c.none }

// sort numbers the classes, after the last row.
func (c *NumberClasses) sort() {
	if c.none = c.none || c.Task == TaskRegression || c.Task == TaskAuto && len(c.distinct) > max(2, c.rows/5); c.none || c.names != nil {
		return
	}
	sorted := make([]float64, 0, len(c.distinct))
	for v := range c.distinct {
		sorted = append(sorted, v)
	}
	slices.Sort(sorted)
	for i, v := range sorted {
		c.distinct[v] = i
		c.names = append(c.names, decimal.Text(v))
	}
}

// Target is that of some of the rows, after the last was added.
func (c *NumberClasses) Target(name string, values []float64) *Target {
	t := &Target{Name: name, Values: values}
	if c.sort(); c.none {
		return t
	}
	t.Classes, t.Labels = c.names, make([]int, len(values))
	for i, v := range values {
		if k, ok := c.distinct[v]; ok {
			t.Labels[i] = k
		} else {
			t.Labels[i] = -1
		}
	}
	return t
}

// ClassTarget makes a target of class names, one per row.
func ClassTarget(name string, names []string) *Target {
	index := map[string]int{}
	var levels []string
	codes := make([]float64, len(names))
	for i, n := range names {
		k, ok := index[n]
		if !ok {
			k = len(levels)
			index[n], levels = k, append(levels, n)
		}
		codes[i] = float64(k)
	}
	return CodedTarget(name, levels, codes)
}

// Class returns the class name of a row.
func (t *Target) Class(row int) string { return t.Classes[t.Labels[row]] }

// Match renumbers the labels after the classes of a model and says which class it does
// not know. A class that no row is of does not matter.
func (t *Target) Match(classes []string) error {
	if t.Labels == nil {
		return &InputError{Column: t.Name, Problem: "the target holds numbers where classes are expected"}
	}
	position := make([]int, len(t.Classes))
	for i, c := range t.Classes {
		if position[i] = slices.Index(classes, c); position[i] < 0 { // 1e+06 is 1000000
			if v, err := strconv.ParseFloat(c, 64); err == nil {
				position[i] = slices.IndexFunc(classes, func(known string) bool { w, err := strconv.ParseFloat(known, 64); return err == nil && v == w })
			}
		}
	}
	labels := make([]int, len(t.Labels))
	for i, l := range t.Labels {
		if l < 0 || l >= len(position) {
			return &InputError{Row: i + 1, Column: t.Name, Problem: "the class is missing"}
		}
		if labels[i] = position[l]; labels[i] < 0 {
			return &InputError{Column: t.Name, Problem: fmt.Sprintf("class %q is not among the model's classes %s", t.Classes[l], words.Names(classes))}
		}
	}
	t.Labels, t.Classes = labels, slices.Clone(classes)
	return nil
}
