package report

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/internal/words"
)

// Figure writes a figure of any type for people; lists are cut after eight entries.
func Figure(v any) string {
	switch v := v.(type) {
	case Number:
		return words.Short(float64(v))
	case []Number:
		var parts []string
		for i, x := range v {
			if i == 8 {
				parts = append(parts, fmt.Sprintf("... (%d)", len(v)))
				break
			}
			parts = append(parts, strconv.FormatFloat(float64(x), 'g', 4, 64))
		}
		return strings.Join(parts, ", ")
	case []int:
		return words.Ranges(v, 16)
	case map[string]int:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, fmt.Sprintf("%s %d", name, v[name]))
		}
		return strings.Join(parts, ", ")
	}
	return fmt.Sprint(v)
}

// Figures lists figures for people, name and text in turn, and tables of those that are lists of named lines. Lists of a model
// file, which have lost what they are of, are left to its JSON.
func Figures(all map[string]any) (list []string, tables []*Table) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		v := all[name]
		if number, ok := v.(float64); ok {
			v = Number(number)
		}
		switch table := NamedLines(v); v.(type) {
		case nil, []any, map[string]any: // not known, or too much for a line
		default:
			if table != nil {
				tables = append(tables, table)
				continue
			}
			list = append(list, strings.ReplaceAll(name, "_", " "), Figure(v))
		}
	}
	return list, tables
}

// NamedLines makes a table of figures that are lists of named lines, such as
// coefficients; nil for anything else. Columns stand in the usual order of regression
// output, others follow in alphabetical order.
func NamedLines(v any) *Table {
	lines, ok := v.([]map[string]any)
	if !ok || len(lines) == 0 {
		return nil
	}
	seen := map[string]bool{}
	for _, line := range lines {
		for name := range line {
			seen[name] = true
		}
	}
	var names []string
	for _, name := range []string{"name", "value", "standard_error", "t", "p"} {
		if seen[name] {
			names = append(names, name)
			delete(seen, name)
		}
	}
	names = append(names, slices.Sorted(maps.Keys(seen))...)
	table := &Table{}
	for _, name := range names {
		column := Column{Name: strings.ReplaceAll(name, "_", " "), Format: "%.4g"}
		if name == "name" {
			column = Column{Name: ""}
		}
		table.Columns = append(table.Columns, column)
	}
	for _, line := range lines {
		cells := make([]any, len(names))
		for i, name := range names {
			cells[i] = line[name]
		}
		table.Add(cells...)
	}
	return table
}
