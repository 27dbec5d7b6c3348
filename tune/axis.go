package tune

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/catalog"
)

// Axis is a parameter and the values that a search tries.
type Axis struct {
	Name   string
	Values []string // in the order given

	// Low, High and Log are the range that random search draws from; High <= Low: from
	// Values.
	Low, High float64
	Log       bool
	// Integer rounds the numbers of a range.
	Integer bool
}

// mostValues bounds the values of one axis.
const mostValues = 10000

// ParseAxis reads an axis of a method's parameters:
//
//	lambda=0.01,0.1,1       a list
//	loss=huber;kmpe:p=2,sigma=auto   a list whose values hold commas
//	lambda=1e-6..1e2:9log   nine values, equal steps of the logarithm
//	hidden=20..200:10       ten values, equal steps
//	components=1..5         whole numbers one by one
//
// A list may hold ranges too. Every value must be allowed by the method. Parameters of a
// first step are written reduce.components; fixed says which step that is.
func ParseAxis(m *catalog.Method, fixed map[string]string, text string) (Axis, error) {
	name, list, ok := strings.Cut(text, "=")
	name, list = strings.TrimSpace(name), strings.TrimSpace(list)
	if !ok || name == "" || list == "" {
		return Axis{}, wrong("for example lambda=0.01,0.1,1 or lambda=1e-6..1e2:9log", "grid %q is not of the form key=a,b,c", text)
	}
	p, known := paramOf(m, fixed, name)
	if !known && !(name == "loss" && m.Loss) {
		_, err := m.Check(map[string]string{name: "?"})
		return Axis{}, err
	}
	separator := ","
	if strings.Contains(list, ";") || (name == "loss" && strings.Contains(list, "=")) {
		separator = ";"
	}
	a := Axis{Name: name, Integer: p.Kind == catalog.Integer}
	parts := strings.Split(list, separator)
	for _, part := range parts {
		part = strings.TrimSpace(part)
		values := []string{part}
		if low, high, isRange := strings.Cut(part, ".."); isRange && (p.Kind == catalog.Integer || p.Kind == catalog.Number) {
			var err error
			if values, err = a.spread(low, high); err != nil {
				return Axis{}, err
			}
			if len(parts) > 1 { // beside other values a range is a list
				a.Low, a.High = 0, 0
			}
		}
		for _, v := range values {
			if !slices.Contains(a.Values, v) {
				a.Values = append(a.Values, v)
			}
		}
	}
	for _, v := range a.Values {
		if v == "" {
			return Axis{}, wrong("give a value between the commas", "grid %q holds an empty value", text)
		}
		if known {
			if err := p.Check(v); err != nil {
				return Axis{}, err
			}
		}
	}
	if len(a.Values) > mostValues {
		return Axis{}, wrong("use fewer, or --random", "grid of %s has %d values", name, len(a.Values))
	}
	return a, nil
}

// paramOf finds a parameter of a method, or of the method that reduces rows before it:
// the fixed one, the default, or, where several are tried, the default of all.
func paramOf(m *catalog.Method, fixed map[string]string, name string) (catalog.Param, bool) {
	reduce, chain := m.Param("reduce")
	rest, first := strings.CutPrefix(name, "reduce.")
	if !first || !chain {
		return m.Param(name)
	}
	for _, step := range []string{fixed["reduce"], reduce.Default, catalog.Default()} {
		if reducer, err := catalog.Lookup(step); err == nil {
			p, ok := reducer.Param(rest)
			p.Name = name
			return p, ok
		}
	}
	return catalog.Param{}, false
}

// spread are the values of a range "low..high[:count[log]]", and notes the range.
func (a *Axis) spread(low, rest string) ([]string, error) {
	high, count, counted := strings.Cut(rest, ":")
	bad := func() ([]string, error) {
		return nil, wrong("a range is low..high:count, for example 1e-6..1e2:9log or 20..200:10", "grid of %s: %s..%s is not a range", a.Name, low, rest)
	}
	count, a.Log = strings.CutSuffix(strings.TrimSpace(count), "log")
	from, err1 := strconv.ParseFloat(strings.TrimSpace(low), 64)
	to, err2 := strconv.ParseFloat(strings.TrimSpace(high), 64)
	if err1 != nil || err2 != nil || !(from < to) || math.IsInf(to-from, 0) || (a.Log && from <= 0) {
		return bad()
	}
	n := 0
	switch {
	case counted:
		var err error
		if n, err = strconv.Atoi(strings.TrimSpace(count)); err != nil || n < 2 || n > mostValues {
			return bad()
		}
	case a.Integer && to-from < mostValues:
		n = int(to-from) + 1
	default:
		return bad()
	}
	a.Low, a.High = from, to
	var values []string
	for digits := a.digits(); ; digits++ { // as many as keep the values apart
		values = values[:0]
		for k := range n {
			values = append(values, a.text(from, to, float64(k)/float64(n-1), digits))
		}
		if values = slices.Compact(values); a.Integer || len(values) == n || digits == mostDigits {
			return values, nil
		}
	}
}

const (
	usualDigits = 4  // short enough to read
	mostDigits  = 17 // of a number
)

// digits are those that a number between Low and High needs to be told from others near it: more than usual where the
// range is a small part of its numbers.
func (a *Axis) digits() int {
	largest := math.Max(math.Abs(a.Low), math.Abs(a.High))
	return min(mostDigits, usualDigits+int(math.Max(0, math.Log10(largest/(a.High-a.Low)))))
}

// text is the value a part of the way from low to high, to so many digits.
func (a *Axis) text(low, high, part float64, digits int) string {
	v := low + part*(high-low)
	if a.Log {
		v = math.Exp(math.Log(low) + part*(math.Log(high)-math.Log(low)))
	}
	switch {
	case part == 0:
		v = low
	case part == 1:
		v = high
	}
	if a.Integer {
		return strconv.FormatFloat(math.Round(v), 'f', -1, 64)
	}
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits-1, 64), 64)
	return strconv.FormatFloat(math.Min(math.Max(v, low), high), 'g', -1, 64)
}

// draw is a random value.
func (a *Axis) draw(r *rand.Rand) string {
	if a.High > a.Low {
		return a.text(a.Low, a.High, r.Float64(), a.digits())
	}
	return a.Values[r.IntN(len(a.Values))]
}

// all are the values that draw can give; nil: too many to list.
func (a *Axis) all() []string {
	if a.High <= a.Low {
		return a.Values
	}
	if !a.Integer || a.High-a.Low >= mostValues {
		return nil
	}
	var out []string
	for v := math.Round(a.Low); v <= math.Round(a.High); v++ {
		out = append(out, strconv.FormatFloat(v, 'f', -1, 64))
	}
	return out
}

// Numbers are the values as numbers; ok is false when one is a word.
func (a *Axis) Numbers() (list []float64, ok bool) {
	for _, v := range a.Values {
		f, err := strconv.ParseFloat(v, 64)
		if err != nil {
			return nil, false
		}
		list = append(list, f)
	}
	return list, true
}

// wrong is a mistake in what the user asked for.
func wrong(hint, format string, args ...any) error { return wrongIn("", hint, format, args...) }

// wrongIn is a mistake in a field of the request.
func wrongIn(field, hint, format string, args ...any) error {
	return &catalog.UsageError{Parameter: field, Problem: fmt.Sprintf(format, args...), Hint: hint}
}
