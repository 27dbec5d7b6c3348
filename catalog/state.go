package catalog

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// The readers below give Restore functions what they need from a State and say plainly
// what is wrong when a file does not hold it.

// matrix returns a two-dimensional array.
func (s State) matrix(name string) (*mat.Dense, error) {
	a, ok := s.Arrays[name]
	if !ok {
		return nil, fmt.Errorf("array %q is missing", name)
	}
	m, err := a.Dense()
	if err != nil {
		return nil, fmt.Errorf("array %q: %w", name, err)
	}
	return m, nil
}

// vector returns a one-dimensional array.
func (s State) vector(name string) ([]float64, error) {
	a, ok := s.Arrays[name]
	if !ok {
		return nil, fmt.Errorf("array %q is missing", name)
	}
	if len(a.Shape) != 1 || a.Shape[0] != len(a.Data) {
		return nil, fmt.Errorf("array %q of shape %v is not a vector", name, a.Shape)
	}
	return a.Data, nil
}

// number returns a finite number of Extra.
func (s State) number(name string) (float64, error) {
	v, ok := s.Extra[name].(float64)
	if !ok || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is not a number in the model's description", name)
	}
	return v, nil
}

// text returns a text of Extra.
func (s State) text(name string) (string, error) {
	v, ok := s.Extra[name].(string)
	if !ok {
		return "", fmt.Errorf("%q is not a text in the model's description", name)
	}
	return v, nil
}
