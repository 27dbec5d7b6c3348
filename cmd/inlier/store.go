package main

import (
	"context"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/output"
	"github.com/inlier-ml/inlier/report"
)

// store writes rows in the format that the name tells, whole or not at all; "-" is
// standard output, as CSV. After an interruption nothing is written any more.
func (a *app) store(ctx context.Context, path string, rows *inlier.RowsResult, k kind) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	set, format := rows.Set, file.FormatOf(path)
	mixed := rows.Mixed() && format.NamesRows() // other formats hold numbers
	switch {
	case path == "-" && mixed:
		return file.WriteTable(a.out, format, output.TableColumns(rows.Table()))
	case path == "-":
		return file.Write(path, set, file.WriteOptions{Output: a.out, Context: ctx})
	}
	if err := a.mayReplace(path, k); err != nil {
		return err
	}
	if mixed {
		return a.wrote(path, file.WriteTableFile(ctx, path, output.TableColumns(rows.Table())))
	}
	if labels := file.LabelsFile(path, set); labels != "" { // a second file
		if err := a.mayReplace(labels, output.LabelsFile); err != nil {
			return err
		}
	}
	return a.wrote(path, file.Write(path, set, file.WriteOptions{Context: ctx}))
}

// plansSet is plans for a set, which may also become a folder of images.
func (a *app) plansSet(flag, path string) error {
	if path == "" || path == "-" || filepath.Ext(path) != "" && !strings.HasSuffix(path, string(filepath.Separator)) {
		return a.plans(flag, path, anyFile)
	}
	return a.files.SparesInputs(flag, path)
}

// resultEndings are the names that files with results may have.
var resultEndings = append(file.TableEndings(), ".json")

// plansResults is plans for a table of results.
func (a *app) plansResults(flag, path string) error {
	if path != "" && path != "-" && !hasAnyEnding(path, resultEndings...) {
		return usage("the name ends in "+resultNames, "%s %s: results are not written in this format", flag, path)
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
	columns := output.TableColumns(t)
	names := make([]string, len(columns))
	for j, c := range columns {
		names[j] = c.Name
	}
	if err := a.mayReplace(path, tableFile(path, names)); err != nil {
		return err
	}
	return a.wrote(path, file.WriteTableFile(ctx, path, columns))
}

// storeJSON writes a result for programs to a file.
func (a *app) storeJSON(ctx context.Context, path string, v any) error {
	return a.write(ctx, path, jsonFile(v), func(w io.Writer) error { return encodeJSON(w, v) })
}

// printTable prints a table: aligned on a terminal; elsewhere aligned as well, or as
// CSV when it holds one line per row of data and programs will want to read it.
func (a *app) printTable(t *report.Table, data bool) error {
	if _, ok := terminal(a.out); data && !ok {
		return file.WriteTable(a.out, file.CSV, output.TableColumns(t))
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
