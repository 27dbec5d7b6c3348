package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/report"
)

// store writes a set in the format that the name tells, whole or not at all; "-" is
// standard output, as CSV. After an interruption nothing is written any more.
func (a *app) store(ctx context.Context, path string, set *dataset.Set, k kind) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	format := dataset.FormatOf(path)
	named := set.IDs != nil && (format == dataset.CSV || format == dataset.TSV || format == dataset.Parquet) // other formats hold numbers
	switch {
	case path == "-" && named:
		return dataset.WriteTable(a.out, format, tableColumns(inlier.SetTable(set)))
	case path == "-":
		return dataset.Write(path, set, dataset.WriteOptions{Output: a.out})
	}
	if err := a.mayReplace(path, k); err != nil {
		return err
	}
	if named {
		return a.wrote(path, dataset.WriteTableFile(path, tableColumns(inlier.SetTable(set))))
	}
	if labels := dataset.LabelsFile(path, set); labels != "" { // a second file
		if err := a.mayReplace(labels, labelsKind); err != nil {
			return err
		}
	}
	return a.wrote(path, dataset.Write(path, set, dataset.WriteOptions{}))
}

// labelsKind: labels stand beside images and cannot be told from others.
var labelsKind = kind{"a file of labels", func(*os.File, int64) bool { return false }}

// dataFile: the same data in the same format.
func dataFile(path string, set *dataset.Set) kind {
	return sameContent(path, func(w io.Writer) error {
		if format := dataset.FormatOf(path); set.IDs != nil && (format == dataset.CSV || format == dataset.TSV || format == dataset.Parquet) {
			return dataset.WriteTable(w, format, tableColumns(inlier.SetTable(set)))
		}
		return dataset.Write("-", set, dataset.WriteOptions{Output: w, Format: dataset.FormatOf(path)})
	})
}

// scoresFile: a table of the same columns.
func scoresFile(path string, set *dataset.Set) kind {
	columns := set.Columns
	if set.Target != nil {
		columns = append(columns[:len(columns):len(columns)], set.Target.Name)
	}
	byContent, byColumns := dataFile(path, set), tableFile(path, columns)
	return kind{byColumns.name, func(file *os.File, size int64) bool {
		if byColumns.is(file, size) {
			return true
		}
		_, err := file.Seek(0, io.SeekStart)
		return err == nil && byContent.is(file, size)
	}}
}

// plansSet is plans for a set, which may also become a folder of images.
func (a *app) plansSet(flag, path string) error {
	if path == "" || path == "-" || filepath.Ext(path) != "" && !strings.HasSuffix(path, string(filepath.Separator)) {
		return a.plans(flag, path, anyFile)
	}
	return a.sparesInputs(flag, path)
}

// resultEndings are the names that files with results may have.
var resultEndings = []string{".csv", ".tsv", ".txt", ".tab", ".parquet", ".npz", ".json"}

// plansResults is plans for a table of results.
func (a *app) plansResults(flag, path string) error {
	if path != "" && path != "-" && !hasAnyEnding(path, resultEndings...) {
		return usage("the name ends in .csv, .tsv, .parquet, .npz or .json", "%s %s: results are not written in this format", flag, path)
	}
	return a.plans(flag, path, perhapsTable(path))
}

// storeTable writes a table of results to a file, in the format that its name tells.
func (a *app) storeTable(ctx context.Context, path string, t *report.Table) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if hasAnyEnding(path, ".json") {
		return a.storeJSON(ctx, path, t.Objects())
	}
	columns := tableColumns(t)
	names := make([]string, len(columns))
	for j, c := range columns {
		names[j] = c.Name
	}
	if err := a.mayReplace(path, tableFile(path, names)); err != nil {
		return err
	}
	return a.wrote(path, dataset.WriteTableFile(path, columns))
}

// storeJSON writes a result for programs to a file.
func (a *app) storeJSON(ctx context.Context, path string, v any) error {
	return a.write(ctx, path, jsonFile(v), func(w io.Writer) error { return encodeJSON(w, v) })
}

// printTable prints a table: aligned on a terminal; elsewhere aligned as well, or as
// CSV when it holds one line per row of data and programs will want to read it.
func (a *app) printTable(t *report.Table, data bool) error {
	if _, ok := terminal(a.out); data && !ok {
		return dataset.WriteTable(a.out, dataset.CSV, tableColumns(t))
	}
	shown := *t
	shown.Rows = make([][]any, len(t.Rows))
	for i, row := range t.Rows {
		shown.Rows[i] = append([]any(nil), row...)
		for j, v := range row {
			if b, ok := v.(bool); ok {
				shown.Rows[i][j] = strconv.FormatBool(b)
			}
		}
	}
	_, err := io.WriteString(a.out, shown.Text(report.TextOptions{Width: a.width(), Color: a.colour(a.out), Plain: true, ASCII: !knowsUTF8()}))
	return err
}

// tableColumns turns a table into columns of one kind each.
func tableColumns(t *report.Table) []dataset.Column {
	columns := make([]dataset.Column, len(t.Columns))
	for j, c := range t.Columns {
		to := &columns[j]
		to.Name = c.Name
		for _, row := range t.Rows {
			switch v := row[j].(type) {
			case float64:
				to.Numbers = append(to.Numbers, v)
			case int:
				to.Integers = append(to.Integers, v)
			case bool:
				to.Flags = append(to.Flags, v)
			default:
				to.Texts = append(to.Texts, fmt.Sprint(v))
			}
		}
		if len(t.Rows) == 0 {
			to.Texts = []string{}
		}
	}
	return columns
}

// hasAnyEnding tells whether a name ends in one of the given ways, whatever its case.
func hasAnyEnding(path string, endings ...string) bool {
	path = strings.ToLower(path)
	for _, e := range endings {
		if strings.HasSuffix(path, e) {
			return true
		}
	}
	return false
}
