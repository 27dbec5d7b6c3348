package archive

import (
	"encoding/json"
	"fmt"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
)

// Task is what a model is for.
type Task string

// The tasks.
const (
	Reduce   Task = "reduce"   // rows to fewer numbers and back
	Regress  Task = "regress"  // rows to a number
	Classify Task = "classify" // rows to a class
	Cluster  Task = "cluster"  // rows to groups
)

// Description is the summary of a fit: what `fit --json` prints and meta.json keeps.
type Description struct {
	Method     string     `json:"method"`
	Family     string     `json:"family"`
	Task       Task       `json:"task"`
	Rows       int        `json:"rows"`
	Columns    int        `json:"columns"`
	Parameters Parameters `json:"parameters"` // as used, with what auto found
	Loss       string     `json:"loss,omitempty"`
	Status     string     `json:"status"`
	Steps      int        `json:"steps"`
	Objective  float64    `json:"objective"`
	Effective  float64    `json:"effective_sample_size"`
	Outliers   int        `json:"outliers"` // training rows flagged
	Seed       uint64     `json:"seed"`

	ColumnNames []string       `json:"column_names,omitempty"`
	Target      string         `json:"target,omitempty"`
	Classes     []string       `json:"class_names,omitempty"`
	Shape       []int          `json:"shape,omitempty"`
	Warnings    []string       `json:"warnings,omitempty"`
	Numbers     map[string]any `json:"numbers,omitempty"` // family-specific results worth showing
}

// State is a model as named arrays and a description; Extra holds what else the
// family needs to come back, as JSON-friendly values. The arrays may be the model's own and
// must not be changed.
type State struct {
	Description Description
	Arrays      map[string]Array
	Extra       map[string]any
	// Input says how rows must be read for the model; it belongs to who reads tables and is
	// only carried along here.
	Input json.RawMessage
}

// Array is a dense row-major array of a model file.
type Array struct {
	Shape []int
	Data  []float64
}

// Vector makes a one-dimensional array.
func Vector(v []float64) Array { return Array{Shape: []int{len(v)}, Data: v} }

// Matrix makes a two-dimensional array; the data are copied if m is a view.
func Matrix(m *mat.Dense) Array {
	r, c := m.Dims()
	out := make([]float64, 0, r*c)
	for i := 0; i < r; i++ {
		out = append(out, m.RawRowView(i)...)
	}
	return Array{Shape: []int{r, c}, Data: out}
}

// Dense returns a two-dimensional array as a matrix that shares its data.
func (a Array) Dense() (*mat.Dense, error) {
	if len(a.Shape) != 2 || a.Shape[0] < 1 || a.Shape[1] < 1 || a.Shape[0]*a.Shape[1] != len(a.Data) {
		return nil, fmt.Errorf("array of shape %v with %d numbers is not a matrix", a.Shape, len(a.Data))
	}
	return mat.NewDense(a.Shape[0], a.Shape[1], a.Data), nil
}

// EndedWith notes the last step of a fit.
func (d *Description) EndedWith(steps []irls.Step) {
	if len(steps) > 0 {
		last := steps[len(steps)-1]
		d.Steps, d.Objective = last.Number, last.Objective
	}
}

// Names are what the caller calls the columns and classes of the data; a description has
// them where it speaks of one. All may be absent.
type Names struct {
	Columns []string
	Classes []string
	Target  string
}

// Column is the name of column j, counted from 0, or its number from 1 where it has none.
func (n Names) Column(j int) string {
	if j >= 0 && j < len(n.Columns) {
		return n.Columns[j]
	}
	return strconv.Itoa(j + 1)
}

// Class is the name of class k, counted from 0, or its number from 1 where it has none.
func (n Names) Class(k int) string {
	if k >= 0 && k < len(n.Classes) {
		return n.Classes[k]
	}
	return strconv.Itoa(k + 1)
}

// FormatNumber is a number as parameters are written: the shortest text that gives it back.
func FormatNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// Integers makes a one-dimensional array of whole numbers.
func Integers(v []int) Array {
	out := make([]float64, len(v))
	for i, k := range v {
		out[i] = float64(k)
	}
	return Vector(out)
}

// Kept is what a model that came from a file keeps of it, so that it is written again as it
// was: the zero value is a model that was fitted here.
type Kept struct{ from *State }

// Keep keeps description and input of a state.
func Keep(s State) Kept { return Kept{&State{Description: s.Description, Input: s.Input}} }

// Description is the one of the file; ok is false for a model that was fitted here.
func (k Kept) Description() (d Description, ok bool) {
	if k.from == nil {
		return d, false
	}
	return k.from.Description, true
}

// Status is how the fit of the file ended; otherwise that of a model that was fitted here.
func (k Kept) Status(otherwise irls.Status) irls.Status {
	if k.from == nil {
		return otherwise
	}
	s, err := irls.ParseStatus(k.from.Description.Status)
	if err != nil {
		return irls.Unfinished
	}
	return s
}

// State adds what was kept to arrays and extra: the description of the file, or else d.
func (k Kept) State(d Description, arrays map[string]Array, extra map[string]any) State {
	s := State{Description: d, Arrays: arrays, Extra: extra}
	if k.from != nil {
		s.Description, s.Input = k.from.Description, k.from.Input
	}
	return s
}
