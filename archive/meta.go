package archive

import (
	"encoding/json"
	"fmt"
	"math"
)

const (
	// formatName marks meta.json as ours.
	formatName = "inlier-model"
	// FormatVersion is the version of the file format that this program writes. It
	// reads this one and all before it.
	FormatVersion = 1
	// metaFile is the name of the description inside the archive.
	metaFile = "meta.json"
	// mostMeta bounds the size of meta.json: room for a million column names.
	mostMeta = 64 << 20
)

// Meta is meta.json.
type Meta struct {
	Format         string `json:"format"`          // always "inlier-model"
	FormatVersion  int    `json:"format_version"`  // see FormatVersion
	ProgramVersion string `json:"program_version"` // of the program that wrote the file

	Description
	// These two replace the description's own: an objective that is not a number,
	// which JSON cannot express, is null.
	Objective *float64 `json:"objective"`
	Effective *float64 `json:"effective_sample_size"`

	// Arrays names every array of the file with its shape.
	Arrays map[string][]int `json:"arrays"`
	// Checksum covers the arrays; see the package comment.
	Checksum string `json:"checksum"`
	// Input is how rows must be read for this model; see [State].
	Input json.RawMessage `json:"input"`
	// Extra is what the family needs beside arrays and description.
	Extra map[string]any `json:"extra,omitempty"`
}

// describe makes meta.json of a model's state.
func describe(s State, program string) Meta {
	m := Meta{
		Format: formatName, FormatVersion: FormatVersion, ProgramVersion: program,
		Description: s.Description,
		Objective:   finiteOrNull(s.Description.Objective),
		Effective:   finiteOrNull(s.Description.Effective),
		Arrays:      map[string][]int{},
		Input:       s.Input,
		Extra:       s.Extra,
	}
	if s.Input == nil {
		m.Input = json.RawMessage("{}")
	}
	m.Description.Numbers, _ = finite(s.Description.Numbers).(map[string]any)
	for name, a := range s.Arrays {
		m.Arrays[name] = a.Shape
	}
	return m
}

// description is the description with what stands beside it put back.
func (m *Meta) description() Description {
	d := m.Description
	d.Objective, d.Effective = nullIsNaN(m.Objective), nullIsNaN(m.Effective)
	return d
}

// parseMeta reads meta.json. The version is looked at before anything else, because
// a newer format may have changed all the rest.
func parseMeta(text []byte) (*Meta, error) {
	var first struct {
		Format         string `json:"format"`
		FormatVersion  int    `json:"format_version"`
		ProgramVersion string `json:"program_version"`
	}
	if err := json.Unmarshal(text, &first); err != nil {
		return nil, &FileError{Problem: "is not an Inlier model: its meta.json cannot be understood", Err: ErrNotModel}
	}
	if first.Format != formatName {
		return nil, &FileError{Problem: "is not an Inlier model: its meta.json is of something else", Err: ErrNotModel}
	}
	if first.FormatVersion > FormatVersion {
		return nil, &FileError{
			Problem: fmt.Sprintf("was written by a newer program (%.40q, format %d); this one reads formats up to %d", first.ProgramVersion, first.FormatVersion, FormatVersion),
			Hint:    "update this program, or fit the model again with it",
		}
	}
	if first.FormatVersion < 1 {
		return nil, &FileError{Problem: fmt.Sprintf("is damaged: format version %d does not exist", first.FormatVersion)}
	}
	var m Meta
	if err := json.Unmarshal(text, &m); err != nil {
		return nil, &FileError{Problem: "is damaged: its meta.json does not have the right fields"}
	}
	return &m, m.check()
}

// check looks at what every family's description must satisfy.
func (m *Meta) check() error {
	problem := ""
	switch {
	case m.Method == "":
		problem = "names no method"
	case m.Rows < 0 || m.Columns < 0 || m.Steps < 0 || m.Outliers < 0:
		problem = "holds a negative count"
	case len(m.ColumnNames) != 0 && len(m.ColumnNames) != m.Columns:
		problem = fmt.Sprintf("has %d names for %d columns", len(m.ColumnNames), m.Columns)
	case len(m.Shape) != 0 && product(m.Shape) != m.Columns:
		problem = fmt.Sprintf("has the shape %v for %d columns", m.Shape, m.Columns)
	}
	if problem != "" {
		return &FileError{Problem: "is damaged: its meta.json " + problem}
	}
	return nil
}

// product multiplies lengths; -1 when one is negative or the product overflows.
func product(shape []int) int {
	n := 1
	for _, k := range shape {
		if k < 0 || (k > 0 && n > math.MaxInt/8/k) {
			return -1
		}
		n *= k
	}
	return n
}

func finiteOrNull(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	return &v
}

func nullIsNaN(p *float64) float64 {
	if p == nil {
		return math.NaN()
	}
	return *p
}

// finite copies a JSON-friendly value with null for numbers that JSON cannot express.
func finite(v any) any {
	switch v := v.(type) {
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
	case []float64:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = finite(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = finite(x)
		}
		return out
	case map[string]any:
		if v == nil {
			return v
		}
		out := make(map[string]any, len(v))
		for k, x := range v {
			out[k] = finite(x)
		}
		return out
	}
	return v
}
