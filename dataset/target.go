package dataset

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// targets collects the target of chunk after chunk.
type targets struct {
	name   string
	task   Task
	text   bool
	values []float64 // numbers, or indices into seen
	seen   dictionary
}

func newTargets(p *plan, opts *Options) *targets {
	if p.target == nil {
		return nil
	}
	return &targets{name: p.target.name, task: opts.Task, text: p.target.kind == Text}
}

func (t *targets) add(c *chunk) {
	if !t.text {
		t.values = append(t.values, c.y[:c.rows]...)
		return
	}
	code := slices.Repeat([]float64{-1}, len(c.yLevels))
	for _, v := range c.y[:c.rows] {
		level := int(v)
		if code[level] < 0 { // classes without a row are no classes
			code[level] = t.seen.number([]byte(c.yLevels[level]))
		}
		t.values = append(t.values, code[level])
	}
}

// finish sorts the classes and decides whether numbers are classes too.
func (t *targets) finish() *Target {
	if t.text {
		return textTarget(t.name, t.seen.names, t.values)
	}
	return NumberTarget(t.name, t.values, t.task)
}

// textTarget makes classes of texts; codes are indices into names.
func textTarget(name string, names []string, codes []float64) *Target {
	classes := slices.Clone(names)
	sortLevels(classes)
	position := make(map[string]int, len(classes))
	for i, c := range classes {
		position[c] = i
	}
	labels := make([]int, len(codes))
	for i, c := range codes {
		labels[i] = position[names[int(c)]]
	}
	return &Target{Name: name, Labels: labels, Classes: classes}
}

// mostClasses bounds the different whole numbers that are taken for classes unasked.
const mostClasses = 100

// NumberTarget makes a target of numbers. With TaskAuto they are classes as well when
// all are whole, at most 100 are different, and each class has five rows or more on
// average (or there are only two).
func NumberTarget(name string, values []float64, task Task) *Target {
	t := &Target{Name: name, Values: values}
	if task == TaskRegression {
		return t
	}
	distinct := map[float64]int{}
	for _, v := range values {
		if task == TaskAuto && v != math.Trunc(v) {
			return t
		}
		distinct[v] = 0
		if task == TaskAuto && len(distinct) > mostClasses {
			return t
		}
	}
	if task == TaskAuto && len(distinct) > max(2, len(values)/5) {
		return t
	}
	sorted := make([]float64, 0, len(distinct))
	for v := range distinct {
		sorted = append(sorted, v)
	}
	slices.Sort(sorted)
	for i, v := range sorted {
		distinct[v] = i
		t.Classes = append(t.Classes, strconv.FormatFloat(v, 'g', -1, 64))
	}
	t.Labels = make([]int, len(values))
	for i, v := range values {
		t.Labels[i] = distinct[v]
	}
	return t
}

// ClassTarget makes a target of class names, one per row.
func ClassTarget(name string, names []string) *Target {
	var seen dictionary
	codes := make([]float64, len(names))
	for i, n := range names {
		codes[i] = seen.number([]byte(n))
	}
	return textTarget(name, seen.names, codes)
}

// Class returns the class name of a row.
func (t *Target) Class(row int) string { return t.Classes[t.Labels[row]] }

// Match renumbers the labels after the classes of a model and says which class it does
// not know.
func (t *Target) Match(classes []string) error {
	if t.Labels == nil {
		return &InputError{Column: t.Name, Problem: "the target holds numbers where classes are expected"}
	}
	position := make([]int, len(t.Classes))
	for i, c := range t.Classes {
		if position[i] = slices.Index(classes, c); position[i] < 0 {
			return &InputError{Column: t.Name, Problem: fmt.Sprintf("class %q is not among the model's classes %s", c, listNames(classes))}
		}
	}
	labels := make([]int, len(t.Labels))
	for i, l := range t.Labels {
		labels[i] = position[l]
	}
	t.Labels, t.Classes = labels, slices.Clone(classes)
	return nil
}
