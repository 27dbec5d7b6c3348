package scaling

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
)

// Store adds a scaling to the arrays of a model file.
func (s Scaling) Store(arrays map[string]archive.Array) {
	scale := slices.Clone(s.Scale)
	for j, v := range scale {
		if math.IsInf(v, 1) { // a file holds finite numbers only
			scale[j] = 0
		}
	}
	arrays["input_offset"], arrays["input_scale"] = archive.Vector(s.Offset), archive.Vector(scale)
	if s.Low != nil {
		arrays["input_low"], arrays["input_high"] = archive.Vector(s.Low), archive.Vector(s.High)
	}
}

// Restore reads what Store wrote for rows of d columns. Files of old marked constant columns
// by a scale of 0.
func Restore(r *archive.Reader, d int) Scaling {
	s := Scaling{Offset: r.Vector("input_offset"), Scale: slices.Clone(r.Vector("input_scale"))}
	if r.Has("input_low") {
		s.Low, s.High = r.Vector("input_low"), r.Vector("input_high")
	}
	for j, v := range s.Scale {
		if v == 0 {
			s.Scale[j] = math.Inf(1)
		}
	}
	if r.Err() == nil && !s.Valid(d) {
		r.Fail("the input scaling of %d and %d columns does not fit a model of %d, or holds a number that is none", len(s.Offset), len(s.Scale), d)
	}
	return s
}

// Remark is what a description says of rows that a fit of n left out because of their inputs,
// with the name of a column by its number from 0; nothing for nil.
func (l *Left) Remark(n int, column func(j int) string) []string {
	if l == nil {
		return nil
	}
	const most = 3
	var names []string
	for _, j := range l.Columns[:min(most, len(l.Columns))] {
		names = append(names, strconv.Quote(column(j)))
	}
	if more := len(l.Columns) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	if l.Stayed {
		return []string{fmt.Sprintf("%d of %d rows are far outside all others in %s and may spoil the fit; clip=auto leaves them out", len(l.Index), n, strings.Join(names, ", "))}
	}
	return []string{fmt.Sprintf("%d of %d rows were left out of the fit, because they are far outside all others in %s; clip=off keeps them", len(l.Index), n, strings.Join(names, ", "))}
}

// Store adds where classes lie to the arrays of a model file; nothing for nil.
func (c *Classes) Store(arrays map[string]archive.Array) {
	if c != nil {
		arrays["class_center"], arrays["class_reach"] = archive.Matrix(c.Center), archive.Matrix(c.Reach)
	}
}

// RestoreClasses reads what Store wrote for a model of so many classes and columns; nil where
// a file, one of old, has none.
func RestoreClasses(r *archive.Reader, classes, d int) *Classes {
	if !r.Has("class_center") {
		return nil
	}
	c := &Classes{r.Matrix("class_center"), r.Matrix("class_reach")}
	if r.Err() != nil {
		return nil
	}
	for _, m := range []*mat.Dense{c.Center, c.Reach} {
		if k, w := m.Dims(); k != classes || w != d {
			r.Fail("places of %d classes in %d columns do not fit a model of %d and %d", k, w, classes, d)
			return nil
		}
	}
	return c
}
