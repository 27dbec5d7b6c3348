// Package model keeps fitted models of any method in files. [Load] finds the method by its name
// in the catalog; typed models (those of package pca, linear, ...) write and read the same
// files by themselves. The format is that of package archive.
package model

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
)

// Input says how rows have to be read so that they fit a model.
type Input struct {
	// Unnamed tells that the training data had no column names of their own: new rows
	// are matched by position.
	Unnamed bool `json:"unnamed,omitempty"`
	// Coder is how text columns became numbers; nil without any.
	Coder *dataset.Coder `json:"coder,omitempty"`
	// Written is how columns were written that were read tolerantly: few rows do not tell.
	Written []Written `json:"written,omitempty"`
}

// Written is how a column of a table as people keep them was written.
type Written struct {
	Column    string    `json:"column"`
	Kind      string    `json:"kind"`                // number, date or boolean
	Comma     bool      `json:"comma,omitempty"`     // decimals stand behind a comma
	Decimals  int       `json:"decimals,omitempty"`  // places behind the decimal mark
	Grouping  string    `json:"grouping,omitempty"`  // what stands between thousands
	Unit      string    `json:"unit,omitempty"`      // of the numbers
	Layout    string    `json:"layout,omitempty"`    // of dates, in the manner of package time
	Sentinels []float64 `json:"sentinels,omitempty"` // numbers for a missing value
	Marks     []string  `json:"marks,omitempty"`     // words for one
}

// Dressed tells that plain numbers do not say all of the columns: some were dates, truths, had units, decimal commas, marks between
// thousands or for missing values, and new rows are to be read likewise.
func (in Input) Dressed() bool {
	for _, w := range in.Written {
		if w.Kind != "number" || w.Comma || w.Grouping != "" || w.Unit != "" || w.Sentinels != nil || w.Marks != nil {
			return true
		}
	}
	return false
}

// Contents is a model file that was read and found whole.
type Contents struct {
	*archive.Contents
	Input Input
}

// state is what a file keeps of a model and of how rows must be read for it.
func state(m catalog.Model, in Input) (archive.State, error) {
	if m == nil {
		return archive.State{}, &archive.FileError{Path: "model", Problem: "is nil: there is nothing to write"}
	}
	s := m.State()
	text, err := json.Marshal(in)
	if err != nil {
		return s, fmt.Errorf("model: %w", err)
	}
	s.Input = text
	return s, nil
}

// Write writes m as the bytes of a model file. The same model gives the same bytes.
func Write(w io.Writer, m catalog.Model, in Input) error {
	s, err := state(m, in)
	if err != nil {
		return err
	}
	return archive.Write(w, s)
}

// Save writes m to path, whole or not at all.
func Save(path string, m catalog.Model) error { return SaveWith(path, m, Input{}) }

// SaveWith is Save together with how rows must be read for the model.
func SaveWith(path string, m catalog.Model, in Input) error {
	s, err := state(m, in)
	if err != nil {
		return err
	}
	return archive.Save(path, s)
}

// Load reads the model at path.
func Load(path string) (catalog.Model, error) {
	c, err := Inspect(path)
	if err != nil {
		return nil, err
	}
	return c.Model()
}

// Inspect reads and checks the file at path without making a model of it.
func Inspect(path string) (*Contents, error) { return contents(archive.Open(path)) }

// Read reads a model file from the first size bytes of r; path stands in messages.
func Read(r io.ReaderAt, size int64, path string) (*Contents, error) {
	return contents(archive.ReadAt(r, size, path))
}

func contents(c *archive.Contents, err error) (*Contents, error) {
	if err != nil {
		return nil, err
	}
	out := &Contents{Contents: c}
	if len(c.Meta.Input) > 0 {
		if err := json.Unmarshal(c.Meta.Input, &out.Input); err != nil {
			return nil, &archive.FileError{Path: c.Path, Problem: "is damaged: its meta.json does not have the right fields"}
		}
	}
	return out, nil
}

// Model makes the model again.
func (c *Contents) Model() (catalog.Model, error) {
	method, err := catalog.Lookup(c.Meta.Method)
	if err != nil || method.Restore == nil {
		return nil, &archive.FileError{Path: c.Path, Problem: fmt.Sprintf("is a model of method %.40q, which this program does not know", c.Meta.Method), Hint: "inlier methods lists those it knows"}
	}
	return archive.Restore(c.Contents, method.Restore)
}
