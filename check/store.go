package check

import (
	"context"
	"encoding/json"
	"io"
	"math"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/atomicfile"
)

// Family is what files of this package's models call it.
const Family = "check"

// stored is what a file says of a column beside its values.
type stored struct {
	Name      string    `json:"name"`
	Given     string    `json:"given"`
	Kind      string    `json:"kind"`
	Levels    []string  `json:"levels,omitempty"`
	Unit      string    `json:"unit,omitempty"`
	Comma     bool      `json:"comma,omitempty"`
	Grouping  string    `json:"grouping,omitempty"`
	Decimals  int       `json:"decimals,omitempty"`
	Layout    string    `json:"layout,omitempty"`
	Sentinels []float64 `json:"sentinels,omitempty"`
	Marks     []string  `json:"marks,omitempty"`

	Circle *tolerant.Circle `json:"circle,omitempty"`
}

// State is the model as a file holds it: the rows that were learned from, column by column, and the
// settings. Learning is a function of these, so that a restored model judges as this one does. Cells
// that are missing are listed, and 0 stands in their place.
func (m *Model) State() archive.State {
	t := m.view.table
	columns := make([]stored, len(t.Columns))
	names := make([]string, len(t.Columns))
	n := len(m.view.sample)
	values := make([]float64, 0, n*len(t.Columns))
	missing := []float64{}
	for j := range t.Columns {
		c := &t.Columns[j]
		names[j] = c.Name
		columns[j] = stored{c.Name, c.Given, c.Kind.String(), c.Levels, c.Unit, c.Comma, c.Grouping, c.Decimals, c.Layout, c.Sentinels, c.Marks, c.Circle}
		last := 0
		for i, row := range m.view.sample {
			v := math.NaN()
			if c.Values != nil {
				t.Room().Reached(&last, row, 1)
				v = c.Values[row]
			}
			if v != v || math.IsInf(v, 0) {
				if c.Values != nil {
					missing = append(missing, float64(i), float64(j))
				}
				v = 0
			}
			values = append(values, v)
		}
	}
	return archive.State{
		Description: archive.Description{Method: Family, Family: Family, Rows: n, Columns: len(t.Columns), Status: "converged", Seed: m.settings.Seed,
			ColumnNames: names, Target: m.settings.Target, Parameters: archive.Parameters{}},
		Arrays: map[string]archive.Array{
			"values":  {Shape: []int{len(t.Columns), n}, Data: values},
			"missing": {Shape: []int{len(missing) / 2, 2}, Data: missing},
		},
		Extra: map[string]any{"columns": columns, "settings": m.settings},
	}
}

// WriteTo writes the model as a file.
func (m *Model) WriteTo(w io.Writer) (int64, error) { return archive.WriteTo(w, m.State()) }

// Save writes the model to a file, whole or not at all.
func (m *Model) Save(path string) error {
	return atomicfile.Write(path, func(w io.Writer) error { _, err := m.WriteTo(w); return err })
}

// Load reads a model from a file.
func Load(ctx context.Context, path string) (*Model, error) {
	return archive.Load(path, func(s archive.State) (*Model, error) { return Restore(ctx, s) })
}

// Read reads a model from the bytes of a file.
func Read(ctx context.Context, r io.Reader) (*Model, error) {
	return archive.Read(r, func(s archive.State) (*Model, error) { return Restore(ctx, s) })
}

// Restore makes the model of what a file holds.
func Restore(ctx context.Context, s archive.State) (*Model, error) {
	if err := s.Of(Family); err != nil {
		return nil, err
	}
	var columns []stored
	var settings Settings
	if err := again(s.Extra["columns"], &columns); err != nil {
		return nil, err
	}
	if err := again(s.Extra["settings"], &settings); err != nil {
		return nil, err
	}
	values := s.Arrays["values"]
	if len(values.Shape) != 2 || values.Shape[0] != len(columns) {
		return nil, &archive.FileError{Problem: "is damaged: columns and values do not fit"}
	}
	n := values.Shape[1]
	kept := make([]tolerant.Column, len(columns))
	for j, c := range columns {
		kind, err := tolerant.ParseKind(c.Kind)
		if err != nil && c.Kind != tolerant.Empty.String() {
			return nil, err
		}
		kept[j] = tolerant.Column{Name: c.Name, Given: c.Given, Kind: kind, Levels: c.Levels, Unit: c.Unit, Comma: c.Comma, Grouping: c.Grouping,
			Decimals: c.Decimals, Layout: c.Layout, Sentinels: c.Sentinels, Marks: c.Marks, Circle: c.Circle, Sure: 1}
		switch kind {
		case tolerant.Empty, tolerant.Identifier, tolerant.Text, tolerant.Ignored:
		default:
			kept[j].Values = values.Data[j*n : (j+1)*n]
		}
	}
	for at, missing := 0, s.Arrays["missing"].Data; at+1 < len(missing); at += 2 {
		i, j := int(missing[at]), int(missing[at+1])
		if i < 0 || i >= n || j < 0 || j >= len(kept) || kept[j].Values == nil {
			return nil, &archive.FileError{Problem: "is damaged: a missing cell lies outside of the table"}
		}
		kept[j].Values[i] = math.NaN()
		kept[j].Missing++
	}
	return Learn(ctx, tolerant.FromColumns(n, kept), settings, nil)
}

// again reads a value that came out of JSON once more, as what it was.
func again(v, into any) error {
	text, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	return err
}

// Table is what was learned from.
func (m *Model) Table() *tolerant.Table { return m.view.table }

// Expecting is the model with another share of rows that are expected to be wrong: each batch has its own.
func (m *Model) Expecting(share float64) *Model {
	other := *m
	other.settings.Expect = share
	return &other
}

// Settings are those that were learned with.
func (m *Model) Settings() Settings { return m.settings }

// Learned is the number of rows that were learned from.
func (m *Model) Learned() int { return len(m.view.sample) }
