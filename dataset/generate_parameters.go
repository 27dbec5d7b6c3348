package dataset

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// GeneratorParameter describes one parameter of a generator or of a corruption.
type GeneratorParameter struct {
	Name    string
	Default string
	Range   string // such as "[0, 1)" or "uniform | sine"
	Text    string
}

// genField ties a parameter's name and range to the field of a recipe that holds it.
// Text from the command line and typed values pass the same check.
type genField struct {
	name, text, rangeText string
	get                   func() string
	set                   func(text string) error // parses, without checking the range
	check                 func() error            // nil when the value lies in its range
}

// genSpan is a range of numbers; an open end excludes its bound.
type genSpan struct {
	lo, hi         float64
	loOpen, hiOpen bool
}

func genAtLeast(lo float64) genSpan { return genSpan{lo: lo, hi: math.Inf(1), hiOpen: true} }
func genAbove(lo float64) genSpan {
	return genSpan{lo: lo, hi: math.Inf(1), loOpen: true, hiOpen: true}
}
func genBetween(lo, hi float64) genSpan { return genSpan{lo: lo, hi: hi} }
func genFraction() genSpan              { return genSpan{lo: 0, hi: 1, hiOpen: true} }
func genAnyNumber() genSpan {
	return genSpan{lo: math.Inf(-1), hi: math.Inf(1), loOpen: true, hiOpen: true}
}
func (s genSpan) contains(v float64) bool {
	above := v > s.lo || (v == s.lo && !s.loOpen)
	below := v < s.hi || (v == s.hi && !s.hiOpen)
	return above && below
}

func (s genSpan) String() string {
	left, right := "[", "]"
	if s.loOpen {
		left = "("
	}
	if s.hiOpen {
		right = ")"
	}
	return left + genNumber(s.lo) + ", " + genNumber(s.hi) + right
}

// genNumber writes a number the short way, infinities as words.
func genNumber(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return "infinity"
	case math.IsInf(v, -1):
		return "-infinity"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// genFloatField is a number within a range.
func genFloatField(name string, p *float64, span genSpan, text string) genField {
	return genField{name: name, text: text, rangeText: span.String(),
		get: func() string { return genNumber(*p) },
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

// genIntField is a whole number within a range, both ends included.
func genIntField(name string, p *int, lo, hi int, text string) genField {
	span := genBetween(float64(lo), float64(hi))
	return genField{name: name, text: text, rangeText: span.String(),
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

// genListField is a list of numbers, each within a range, separated by commas or spaces.
func genListField(name string, p *[]float64, span genSpan, text string) genField {
	return genField{name: name, text: text, rangeText: "numbers in " + span.String(),
		get: func() string {
			parts := make([]string, len(*p))
			for i, v := range *p {
				parts[i] = genNumber(v)
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

// genChoiceField is one of several words.
func genChoiceField(name string, p *string, choices []string, text string) genField {
	return genField{name: name, text: text, rangeText: strings.Join(choices, " | "),
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

// genFlagField is true or false.
func genFlagField(name string, p *bool, text string) genField {
	return genField{name: name, text: text, rangeText: "true | false",
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

// genSet writes the texts into the fields of owner. It does not check ranges.
func genSet(owner string, fields []genField, params map[string]string) error {
	for _, key := range genSortedKeys(params) {
		found := false
		for _, f := range fields {
			if f.name != key {
				continue
			}
			found = true
			if err := f.set(params[key]); err != nil {
				return fmt.Errorf("dataset: %s: parameter %s: %w", owner, key, err)
			}
		}
		if !found {
			names := make([]string, len(fields))
			for i, f := range fields {
				names[i] = f.name
			}
			return fmt.Errorf("dataset: %s has no parameter %q; it has %s", owner, key, strings.Join(names, ", "))
		}
	}
	return nil
}

// genCheck checks that every field of owner lies in its range.
func genCheck(owner string, fields []genField) error {
	for _, f := range fields {
		if err := f.check(); err != nil {
			return fmt.Errorf("dataset: %s: parameter %s=%s %w", owner, f.name, f.get(), err)
		}
	}
	return nil
}

// genDescribe turns fields into what a command line lists.
func genDescribe(fields []genField) []GeneratorParameter {
	out := make([]GeneratorParameter, len(fields))
	for i, f := range fields {
		out[i] = GeneratorParameter{Name: f.name, Default: f.get(), Range: f.rangeText, Text: f.text}
	}
	return out
}
