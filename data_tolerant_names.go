package inlier

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/suggest"
	"github.com/inlier-ml/inlier/internal/words"
)

// named refuses columns of the user's that are not there.
func (d Data) named(t *tolerant.Table) error {
	target, columns := []string{d.Target}, d.Columns
	if d.Target == "none" || d.ifThere {
		target = nil
	}
	if d.columnsOfModel {
		columns = nil
	}
	for _, field := range []struct {
		name  string
		given []string
	}{{"target", target}, {"id", []string{d.ID}}, {"columns", columns}, {"drop", d.Drop}, {"text", d.Text}} {
		for _, name := range field.given {
			if err := missingColumn(t, field.name, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// missingColumn refuses a column that a field names by its name or number from 1, where it is not there; nil where
// it is, and for no name.
func missingColumn(t *tolerant.Table, field, name string) error {
	if name == "" || columnNamed(t, name) >= 0 {
		return nil
	}
	return usage(nearColumn(t, name), "--"+field+" %s: there is no such column; there are %s", name, words.Names(columnNames(t)))
}

// nearColumn is the hint for a name that no column has.
func nearColumn(t *tolerant.Table, name string) string {
	if near := suggest.Nearest(name, columnNames(t)); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return ""
}

func columnNames(t *tolerant.Table) []string {
	names := make([]string, len(t.Columns))
	for j := range t.Columns {
		names[j] = t.Columns[j].Name
	}
	return names
}

// columnNamed is the column of that name, or of that number from 1; -1 where there is none.
func columnNamed(t *tolerant.Table, given string) int {
	for j := range t.Columns {
		if t.Columns[j].Name == given {
			return j
		}
	}
	if k, err := strconv.Atoi(given); err == nil && k >= 1 && k <= len(t.Columns) {
		return k - 1
	}
	return -1
}

// named is the name of a column that was given by name, or by number from 1.
func (t *tolerated) named(given string) string {
	if j := columnNamed(t.Table, given); j >= 0 {
		return t.Columns[j].Name
	}
	return given
}

func (t *tolerated) allNamed(given []string) []string {
	names := slices.Clone(given)
	for k := range names {
		names[k] = t.named(names[k])
	}
	return names
}
