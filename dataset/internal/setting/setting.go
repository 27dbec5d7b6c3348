// Package setting ties the parameters of recipes and corruptions to their text: name, range, default.
package setting

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
)

// Field ties a parameter's name and range to the field of a recipe that holds it.
// Text from the command line and typed values pass the same check.
type Field struct {
	name, text, rangeText string
	get                   func() string
	set                   func(text string) error // parses, without checking the range
	check                 func() error            // nil when the value lies in its range
}

// Span is a range of numbers; an open end excludes its bound.
type Span struct {
	lo, hi         float64
	loOpen, hiOpen bool
}

// AtLeast is [lo, infinity).
func AtLeast(lo float64) Span { return Span{lo: lo, hi: math.Inf(1), hiOpen: true} }

// Above is (lo, infinity).
func Above(lo float64) Span { return Span{lo: lo, hi: math.Inf(1), loOpen: true, hiOpen: true} }

// Between is [lo, hi].
func Between(lo, hi float64) Span { return Span{lo: lo, hi: hi} }

// Fraction is [0, 1): some but not all.
func Fraction() Span { return Span{lo: 0, hi: 1, hiOpen: true} }

// Part is (0, 1]: all but not nothing.
func Part() Span { return Span{lo: 0, hi: 1, loOpen: true} }

// AnyNumber is every finite number.
func AnyNumber() Span {
	return Span{lo: math.Inf(-1), hi: math.Inf(1), loOpen: true, hiOpen: true}
}

func (s Span) contains(v float64) bool {
	above := v > s.lo || (v == s.lo && !s.loOpen)
	below := v < s.hi || (v == s.hi && !s.hiOpen)
	return above && below
}

func (s Span) String() string {
	left, right := "[", "]"
	if s.loOpen {
		left = "("
	}
	if s.hiOpen {
		right = ")"
	}
	return left + number(s.lo) + ", " + number(s.hi) + right
}

// number writes a number the short way, infinities as words.
func number(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "infinity"
	case math.IsInf(v, -1):
		return "-infinity"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// Float is a number within a range.
func Float(name string, p *float64, span Span, text string) Field {
	return Field{name: name, text: text, rangeText: span.String(),
		get: func() string { return number(*p) },
		set: func(s string) error {
			v, err := strconv.ParseFloat(s, 64)
			if err != nil {
				return fmt.Errorf("%q is not a number", s)
			}
			*p = v
			return nil
		},
		check: func() error {
			if !span.contains(*p) {
				return fmt.Errorf("must be in %v", span)
			}
			return nil
		}}
}

// Int is a whole number within a range, both ends included.
func Int(name string, p *int, lo, hi int, text string) Field {
	span := Between(float64(lo), float64(hi))
	return Field{name: name, text: text, rangeText: span.String(),
		get: func() string { return strconv.Itoa(*p) },
		set: func(s string) error {
			v, err := strconv.Atoi(s)
			if err != nil {
				return fmt.Errorf("%q is not a whole number", s)
			}
			*p = v
			return nil
		},
		check: func() error {
			if *p < lo || *p > hi {
				return fmt.Errorf("must be in %v", span)
			}
			return nil
		}}
}

// List is a list of numbers, each within a range, separated by commas or spaces.
func List(name string, p *[]float64, span Span, text string) Field {
	return Field{name: name, text: text, rangeText: "numbers in " + span.String(),
		get: func() string {
			parts := make([]string, len(*p))
			for i, v := range *p {
				parts[i] = number(v)
			}
			return strings.Join(parts, ",")
		},
		set: func(s string) error {
			var list []float64
			for _, part := range strings.FieldsFunc(s, func(c rune) bool { return c == ',' || c == ' ' || c == 'x' }) {
				v, err := strconv.ParseFloat(part, 64)
				if err != nil {
					return fmt.Errorf("%q is not a number", part)
				}
				list = append(list, v)
			}
			*p = list
			return nil
		},
		check: func() error {
			if len(*p) == 0 {
				return fmt.Errorf("must have at least one number")
			}
			for _, v := range *p {
				if !span.contains(v) {
					return fmt.Errorf("must have every number in %v", span)
				}
			}
			return nil
		}}
}

// Choice is one of several words.
func Choice(name string, p *string, choices []string, text string) Field {
	return Field{name: name, text: text, rangeText: strings.Join(choices, " | "),
		get: func() string { return *p },
		set: func(s string) error { *p = s; return nil },
		check: func() error {
			for _, c := range choices {
				if *p == c {
					return nil
				}
			}
			return fmt.Errorf("must be one of %s", strings.Join(choices, ", "))
		}}
}

// Flag is true or false.
func Flag(name string, p *bool, text string) Field {
	return Field{name: name, text: text, rangeText: "true | false",
		get: func() string { return strconv.FormatBool(*p) },
		set: func(s string) error {
			v, err := strconv.ParseBool(s)
			if err != nil {
				return fmt.Errorf("%q is not true or false", s)
			}
			*p = v
			return nil
		},
		check: func() error { return nil }}
}

// Shape is a list of positive whole numbers such as 16x16x3.
func Shape(name string, p *[]int, text string) Field {
	return Field{name: name, text: text, rangeText: "whole numbers of at least 1, such as 16x16",
		get: func() string { return strings.ReplaceAll(strings.Trim(fmt.Sprint(*p), "[]"), " ", "x") },
		set: func(s string) error {
			var list []int
			for _, part := range strings.FieldsFunc(s, func(c rune) bool { return c == 'x' || c == ',' }) {
				var v int
				if _, err := fmt.Sscanf(part+"|", "%d|", &v); err != nil {
					return fmt.Errorf("%q is not a whole number", part)
				}
				list = append(list, v)
			}
			*p = list
			return nil
		},
		check: func() error {
			if len(*p) == 0 {
				return fmt.Errorf("must have at least one mode")
			}
			for _, v := range *p {
				if v < 1 || v > 1e6 {
					return fmt.Errorf("must have every mode in [1, 1e+06]")
				}
			}
			return nil
		}}
}

// Set writes the texts into the fields of owner. It does not check ranges.
func Set(owner string, fields []Field, params map[string]string) error {
	for _, key := range slices.Sorted(maps.Keys(params)) {
		found := false
		for _, f := range fields {
			if f.name != key {
				continue
			}
			found = true
			if err := f.set(params[key]); err != nil {
				return wrong(key, "%s: parameter %s: %v", owner, key, err)
			}
		}
		if !found {
			names := make([]string, len(fields))
			for i, f := range fields {
				names[i] = f.name
			}
			return wrong(key, "%s has no parameter %q; it has %s", owner, key, strings.Join(names, ", "))
		}
	}
	return nil
}

// Check checks that every field of owner lies in its range.
func Check(owner string, fields []Field) error {
	for _, f := range fields {
		if err := f.check(); err != nil {
			return wrong(f.name, "%s: parameter %s=%s %v", owner, f.name, f.get(), err)
		}
	}
	return nil
}

// wrong is a mistake in a parameter.
func wrong(name, format string, args ...any) error {
	return dataset.In(name, dataset.Problem("", format, args...))
}

// Describe turns fields into what a command line lists.
func Describe(fields []Field) []dataset.Parameter {
	out := make([]dataset.Parameter, len(fields))
	for i, f := range fields {
		out[i] = dataset.Parameter{Name: f.name, Default: f.get(), Range: f.rangeText, Text: f.text}
	}
	return out
}
