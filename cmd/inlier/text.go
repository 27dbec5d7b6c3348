package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
)

// Words for people, shared with pages and pictures.
var (
	short     = words.Short
	shortened = words.Shortened
	plural    = words.Plural
	size      = words.Size
	seconds   = words.Seconds
	ranges    = words.Ranges
	named     = words.Named
	shorten   = words.List
	shapeText = words.Shape
	numbers   = report.Numbers
)

type number = report.Number

// width is the number of columns that text on standard output may take.
func (a *app) width() int {
	if w, ok := terminal(a.out); ok {
		return w
	}
	return 100
}

// bold marks a heading where colours are allowed.
func (a *app) bold(text string) string {
	if !a.colour(a.out) {
		return text
	}
	return "\x1b[1m" + text + "\x1b[0m"
}

// paragraph prints text wrapped to the width, indented.
func (a *app) paragraph(indent, text string) {
	line := indent
	for _, word := range strings.Fields(text) {
		if line != indent && uniseg.StringWidth(line)+1+uniseg.StringWidth(word) > a.width() {
			fmt.Fprintln(a.out, line)
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	if strings.TrimSpace(line) != "" {
		fmt.Fprintln(a.out, line)
	}
}

// pairs prints names and values below each other.
func (a *app) pairs(list ...string) {
	widest := 0
	for i := 0; i < len(list); i += 2 {
		widest = max(widest, uniseg.StringWidth(list[i]))
	}
	for i := 0; i+1 < len(list); i += 2 {
		if list[i+1] != "" {
			fmt.Fprintf(a.out, "%s  %s\n", pad(list[i], widest), calm(list[i+1]))
		}
	}
}

// pad fills a text with blanks up to a width on the terminal, where a character may take
// two places or none.
func pad(text string, width int) string {
	text = calm(text)
	return text + strings.Repeat(" ", max(0, width-uniseg.StringWidth(text)))
}

func isNaN(n number) bool { return math.IsNaN(float64(n)) }

// showNumber writes a figure of any type; lists are cut after eight entries.
func showNumber(v any) string {
	switch v := v.(type) {
	case number:
		return short(float64(v))
	case []number:
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
		return ranges(v, 16)
	case map[string]int:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, fmt.Sprintf("%s %d", name, v[name]))
		}
		return strings.Join(parts, ", ")
	}
	return fmt.Sprint(v)
}

// namedLines makes a table of figures that are lists of named lines, such as
// coefficients; nil for anything else. Columns stand in the usual order of regression
// output, others follow in alphabetical order.
func namedLines(v any) *report.Table {
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
	table := &report.Table{}
	for _, name := range names {
		column := report.Column{Name: strings.ReplaceAll(name, "_", " "), Format: "%.4g"}
		if name == "name" {
			column = report.Column{Name: ""}
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
