package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// reduceParam is the parameter that names the first step. Its choices, the methods that
// reduce, are filled in when all methods are known.
func reduceParam(standard, meaning string) Param {
	p := Param{Name: "reduce", Kind: Choice, Default: standard, Meaning: meaning}
	if standard == noReduction {
		p.Choices = []string{noReduction}
	}
	return p
}

// offerReductions fills in the choices of every parameter reduce.
var offerReductions = sync.OnceFunc(func() {
	var names []string
	for name, m := range table {
		if slices.Contains(m.Tasks, Reduce) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, m := range table {
		for i, p := range m.Params {
			if p.Name == "reduce" {
				m.Params[i].Choices = append(p.Choices, names...)
			}
		}
	}
})

// checkReduction checks the parameters of the first step, once v["reduce"] is known, and
// fills in their defaults.
func (m *Method) checkReduction(given map[string]string, v Values) error {
	if _, chain := m.Param("reduce"); !chain {
		return nil
	}
	own, first := map[string]string{}, ""
	for name, text := range given {
		if rest, ok := strings.CutPrefix(name, reducePrefix); ok {
			own[rest] = text
			if first == "" || name < first {
				first = name
			}
		}
	}
	if v.Is("reduce", noReduction) {
		if len(own) > 0 {
			return &UsageError{Parameter: ParametersField + first, Problem: fmt.Sprintf("parameter %s needs a reduction to go to", first), Hint: "reduce names one, such as reduce=pca-robust"}
		}
		return nil
	}
	reducer, err := Lookup(v.Text("reduce"))
	if err != nil {
		return err
	}
	how := ""
	if p, _ := m.Param("reduce"); p.Default == noReduction { // others scale as a whole
		if how, err = checkScaling(reducer, own); err != nil {
			return err
		}
	} else if _, given := own[scalingOfChain]; given && reducer.scaled {
		return &UsageError{Parameter: ParametersField + reducePrefix + scalingOfChain, Problem: "parameter " + reducePrefix + scalingOfChain + " is not known here", Hint: "scaling says how columns are scaled before the classes are taken apart"}
	}
	checked, err := reducer.Check(own)
	if err != nil {
		var usage *UsageError
		if errors.As(err, &usage) {
			return &UsageError{Parameter: ParametersField + reducePrefix + strings.TrimPrefix(usage.Parameter, ParametersField), Problem: "reduce=" + reducer.Name + ": " + usage.Problem, Hint: usage.Hint}
		}
		return err
	}
	if reducer.scaled {
		delete(checked, scalingOfChain)
	}
	for name, text := range checked {
		v[reducePrefix+name] = text
	}
	if how != "" {
		v[reducePrefix+scalingOfChain] = how
	}
	return nil
}

// reduction returns the method of the first step and its checked parameters.
func (v Values) reduction() (*Method, Values, error) {
	m, err := Lookup(v.Text("reduce"))
	if err != nil {
		return nil, nil, err
	}
	own := Values{}
	for name, text := range v {
		if rest, ok := strings.CutPrefix(name, reducePrefix); ok {
			own[rest] = text
		}
	}
	return m, own, nil
}
