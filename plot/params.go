package plot

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/catalog"
)

// Param describes one parameter of a kind: what flags, forms and checks are made from.
type Param struct {
	Name    string       `json:"name"`
	Kind    catalog.Kind `json:"kind"`              // integer, number, choice or text
	Several bool         `json:"several,omitempty"` // may be given more than once
	Min     float64      `json:"min,omitempty"`
	Max     float64      `json:"max,omitempty"` // 0: no upper bound
	Choices []string     `json:"choices,omitempty"`
	Range   string       `json:"range,omitempty"`   // what is allowed, in words
	Default string       `json:"default,omitempty"` // in words; numbers of 0 mean it, too
	Meaning string       `json:"meaning"`
}

// Params are parameters by name, as text; most have one value.
type Params map[string][]string

// Set adds a value and returns the parameters.
func (p Params) Set(name string, value any) Params {
	p[name] = append(p[name], fmt.Sprint(value))
	return p
}

// UnmarshalJSON reads texts, numbers, and lists of them.
func (p *Params) UnmarshalJSON(data []byte) error {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(data, &given); err != nil {
		return err
	}
	*p = Params{}
	for name, raw := range given {
		list := []json.RawMessage{raw}
		if strings.HasPrefix(string(raw), "[") {
			if err := json.Unmarshal(raw, &list); err != nil {
				return err
			}
		}
		for _, one := range list {
			var text string
			if json.Unmarshal(one, &text) != nil {
				text = string(one) // a number as it is written
			}
			(*p)[name] = append((*p)[name], text)
		}
	}
	return nil
}

// checkParams refuses unknown names and values out of range.
func checkParams(k Kind, given Params) error {
	for name := range given {
		if !slices.ContainsFunc(k.Params, func(p Param) bool { return p.Name == name }) {
			var known []string
			for _, p := range k.Params {
				known = append(known, p.Name)
			}
			hint := "it has none"
			if known != nil {
				hint = "it has " + strings.Join(known, ", ")
			}
			return usage(paramsField+name, hint, "a picture of kind %q has no parameter %q", k.Name, name)
		}
	}
	for _, p := range k.Params {
		values := given[p.Name]
		if len(values) > 1 && !p.Several {
			return usage(paramsField+p.Name, "give it once", "--%s is given %d times", p.Name, len(values))
		}
		for _, text := range values {
			if err := p.check(text); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p Param) check(text string) error {
	var v float64
	switch p.Kind {
	case catalog.Integer:
		n, err := strconv.Atoi(text)
		if err != nil {
			return usage(paramsField+p.Name, p.Range, "--%s %s is no whole number", p.Name, text)
		}
		v = float64(n)
	case catalog.Number:
		var err error
		if v, err = strconv.ParseFloat(text, 64); err != nil {
			return usage(paramsField+p.Name, p.Range, "--%s %s is no number", p.Name, text)
		}
	case catalog.Choice:
		if text != "" && !slices.Contains(p.Choices, text) {
			return usage(paramsField+p.Name, p.Range, "--%s %s is not known", p.Name, text)
		}
		return nil
	default:
		return nil
	}
	if v == 0 { // the default
		return nil
	}
	if v < p.Min || p.Max > 0 && v > p.Max || math.IsNaN(v) || math.IsInf(v, 0) {
		return usage(paramsField+p.Name, p.Range, "--%s %s is not allowed", p.Name, text)
	}
	return nil
}

// text is the value of a parameter; empty where it is not given.
func (j *job) text(name string) string {
	if !slices.ContainsFunc(j.kind.Params, func(p Param) bool { return p.Name == name }) {
		panic("plot: " + j.kind.Name + " has no parameter " + name)
	}
	if values := j.params[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// list is every value of a parameter.
func (j *job) list(name string) []string { j.text(name); return j.params[name] }

// number is the value of a parameter, or the usual one where it is not given or 0.
func (j *job) number(name string, usual float64) float64 {
	if v, err := strconv.ParseFloat(j.text(name), 64); err == nil && v != 0 {
		return v
	}
	return usual
}

func (j *job) int(name string, usual int) int { return int(j.number(name, float64(usual))) }
