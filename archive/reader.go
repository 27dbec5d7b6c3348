package archive

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
)

// What follows gives Restore functions what they need from a State and says plainly what
// is wrong when a file does not hold it.

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

// numbers returns a list of finite numbers of Extra.
func (s State) numbers(name string) ([]float64, error) {
	if own, ok := s.Extra[name].([]float64); ok {
		return own, nil
	}
	list, ok := s.Extra[name].([]any)
	if !ok {
		return nil, fmt.Errorf("%q is not a list of numbers in the model's description", name)
	}
	out := make([]float64, len(list))
	for i, v := range list {
		if out[i], ok = v.(float64); !ok {
			return nil, fmt.Errorf("%q is not a list of numbers in the model's description", name)
		}
	}
	return out, nil
}

// Reader takes a State apart. It remembers the first thing that is missing and gives
// zero values from then on, so that a Restore function asks for all and checks once.
type Reader struct {
	state State
	err   error
}

// Reader takes the state apart.
func (s State) Reader() *Reader { return &Reader{state: s} }

// from reads one thing unless something was missing before.
func from[T any](r *Reader, read func(name string) (T, error), name string) (got T) {
	if r.err == nil {
		got, r.err = read(name)
	}
	return got
}

// Err is what was missing or wrong first; nil: nothing.
func (r *Reader) Err() error { return r.err }

// Fail notes that something is wrong, unless something else was before.
func (r *Reader) Fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

// Matrix is a two-dimensional array.
func (r *Reader) Matrix(name string) *mat.Dense { return from(r, r.state.matrix, name) }

// Vector is a one-dimensional array.
func (r *Reader) Vector(name string) []float64 { return from(r, r.state.vector, name) }

// Integers is a one-dimensional array of whole numbers.
func (r *Reader) Integers(name string) []int {
	v := r.Vector(name)
	if v == nil {
		return nil
	}
	out := make([]int, len(v))
	for i, x := range v {
		out[i] = int(x)
	}
	return out
}

// Number is a finite number of Extra.
func (r *Reader) Number(name string) float64 { return from(r, r.state.number, name) }

// Numbers is a list of numbers of Extra.
func (r *Reader) Numbers(name string) []float64 { return from(r, r.state.numbers, name) }

// Text is a text of Extra.
func (r *Reader) Text(name string) string { return from(r, r.state.text, name) }

// Flag is a truth value of Extra; false in files that do not have it.
func (r *Reader) Flag(name string) bool {
	v, _ := r.state.Extra[name].(bool)
	return v
}

// Trace is the objectives as steps.
func (r *Reader) Trace() []irls.Step { return from(r, r.state.trace, "objective") }

// Status is how the fit ended; unfinished in files that do not say.
func (r *Reader) Status() irls.Status { return from(r, irls.ParseStatus, r.state.Description.Status) }

// Has tells whether there is an array of that name.
func (r *Reader) Has(name string) bool {
	_, ok := r.state.Arrays[name]
	return ok
}

// Knows tells whether Extra has something of that name.
func (r *Reader) Knows(name string) bool {
	_, ok := r.state.Extra[name]
	return ok
}

// A model file keeps of the trace of a fit the objectives, from the start on.

// Objectives is the trace as an array.
func Objectives(steps []irls.Step) Array {
	out := make([]float64, len(steps))
	for i, s := range steps {
		out[i] = s.Objective
	}
	return Saturated(out)
}

// Saturated is a vector with the largest number in place of what has overflowed: a file
// holds finite numbers only, and least squares of values near 1e300 has none.
func Saturated(v []float64) Array {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = math.Max(-math.MaxFloat64, math.Min(x, math.MaxFloat64))
	}
	return Vector(out)
}

// trace is the way back from Objectives.
func (s State) trace(name string) ([]irls.Step, error) {
	objective, err := s.vector(name)
	if err != nil {
		return nil, err
	}
	var steps []irls.Step
	for i, v := range objective {
		steps = append(steps, irls.Step{Number: i, Objective: v})
	}
	return steps, nil
}
