package catalog

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
)

// Kind is the type of a parameter.
type Kind string

// The kinds of parameters. Number and Integer may also take the words in Choices.
const (
	Integer Kind = "integer"
	Number  Kind = "number"
	Choice  Kind = "choice"
	Text    Kind = "text"
)

// Param describes one parameter: what flags, help, forms and checks are made from.
type Param struct {
	Name    string   `json:"name"`
	Alias   string   `json:"alias,omitempty"` // another name, of old, that is accepted
	Kind    Kind     `json:"kind"`
	Default string   `json:"default"`
	Min     float64  `json:"min"`
	Max     float64  `json:"max"`               // 0 with Min 0: no upper bound
	Open    bool     `json:"open,omitempty"`    // Min itself is not allowed
	Choices []string `json:"choices,omitempty"` // words accepted (beside numbers for Integer and Number)
	Meaning string   `json:"meaning"`
}

// Range is the admissible values in words: "an integer of at least 1, or auto".
func (p Param) Range() string {
	words := strings.Join(p.Choices, ", ")
	switch p.Kind {
	case Choice:
		return words
	case Text:
		return "text"
	}
	what := "a number"
	if p.Kind == Integer {
		what = "an integer"
	}
	switch {
	case p.bounded() && p.Open:
		what += fmt.Sprintf(" above %g up to %g", p.Min, p.Max)
	case p.bounded():
		what += fmt.Sprintf(" from %g to %g", p.Min, p.Max)
	case p.Open:
		what += fmt.Sprintf(" above %g", p.Min)
	default:
		what += fmt.Sprintf(" of at least %g", p.Min)
	}
	if words != "" {
		what += ", or " + words
	}
	return what
}

// ParseSettings reads parameters written as key=value.
func ParseSettings(texts []string) (map[string]string, error) {
	params := map[string]string{}
	for _, text := range texts {
		key, value, ok := strings.Cut(text, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !ok || key == "" {
			return nil, &UsageError{Parameter: "parameters", Problem: fmt.Sprintf("--set %q is not of the form key=value", text), Hint: "for example --set components=3"}
		}
		if _, twice := params[key]; twice {
			return nil, &UsageError{Parameter: ParametersField + key, Problem: "parameter " + key + " is set twice", Hint: "give it once"}
		}
		params[key] = value
	}
	return params, nil
}

func (p Param) bounded() bool { return p.Max > p.Min }

// Check tells whether text is an admissible value.
func (p Param) Check(text string) error {
	for _, w := range p.Choices {
		if text == w {
			return nil
		}
	}
	bad := &UsageError{Parameter: ParametersField + p.Name, Problem: fmt.Sprintf("parameter %s=%s is not allowed", p.Name, text), Hint: p.Name + " is " + p.Range()}
	switch p.Kind {
	case Text:
		return nil
	case Choice:
		return bad
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < p.Min || (p.Open && v == p.Min) || (p.bounded() && v > p.Max) {
		return bad
	}
	if p.Kind == Integer && (v != math.Trunc(v) || math.Abs(v) > 1<<40) {
		return bad
	}
	return nil
}

// Values are checked parameters with every default filled in.
type Values map[string]string

// Check fills in defaults and refuses unknown names and values out of range.
func (m *Method) Check(given map[string]string) (Values, error) {
	v := Values{}
	for _, p := range m.Params {
		v[p.Name] = p.Default
	}
	if m.Loss {
		v["loss"] = m.Default
	}
	names := make([]string, 0, len(given))
	for name := range given {
		names = append(names, name)
	}
	sort.Strings(names)
	set := map[string]string{} // the name by which a parameter was given
	for _, name := range names {
		if name == "loss" && m.Loss {
			v[name] = given[name]
			continue
		}
		if _, chain := m.Param("reduce"); chain && strings.HasPrefix(name, reducePrefix) {
			continue // the reduction's own; see checkReduction
		}
		p, ok := m.Param(name)
		if !ok {
			if name == "loss" {
				return nil, &UsageError{Parameter: "loss", Problem: fmt.Sprintf("method %s has its own loss", m.Name), Hint: "the methods whose name ends in -robust take --loss"}
			}
			known := make([]string, len(m.Params))
			for i, q := range m.Params {
				known[i] = q.Name
			}
			return nil, &UsageError{Parameter: ParametersField + name, Problem: fmt.Sprintf("method %s has no parameter %q", m.Name, name), Hint: didYouMean(name, known, "it has "+join(known))}
		}
		if other, twice := set[p.Name]; twice {
			return nil, &UsageError{Parameter: ParametersField + name, Problem: fmt.Sprintf("parameter %s is set twice: as %s and as %s", p.Name, other, name), Hint: "give it once"}
		}
		set[p.Name] = name
		if err := p.Check(given[name]); err != nil {
			return nil, err
		}
		v[p.Name] = given[name]
	}
	if err := m.checkReduction(given, v); err != nil {
		return nil, err
	}
	return v, nil
}

// Param finds a parameter by name, or by its name of old.
func (m *Method) Param(name string) (Param, bool) {
	for _, p := range m.Params {
		if p.Name == name || p.Alias != "" && p.Alias == name {
			return p, true
		}
	}
	return Param{}, false
}

// Text returns the value as written.
func (v Values) Text(name string) string { return v[name] }

// Is tells whether the value is that word.
func (v Values) Is(name, word string) bool { return v[name] == word }

// Int returns an integer, or 0 when the value is a word such as auto.
func (v Values) Int(name string) int {
	f, err := strconv.ParseFloat(v[name], 64)
	if err != nil {
		return 0
	}
	return int(f)
}

// Float returns a number, or 0 when the value is a word such as auto.
func (v Values) Float(name string) float64 {
	f, err := strconv.ParseFloat(v[name], 64)
	if err != nil {
		return 0
	}
	return f
}
