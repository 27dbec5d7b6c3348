package main

import (
	"context"
	"io"

	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/atomicfile"
	"github.com/inlier-ml/inlier/internal/console"
	"github.com/inlier-ml/inlier/internal/output"
	"github.com/inlier-ml/inlier/internal/tempfile"
	"github.com/inlier-ml/inlier/report"
)

// partsOut is a table of results that is written as it is made, whole or not at all.
type partsOut struct {
	a    *app
	path string // "-": standard output, as CSV
	to   io.Writer
	w    *file.PartWriter
	rows int // written so far
}

// inParts tells whether results go where they can be written in parts.
func (a *app) inParts(out string) bool {
	_, screen := terminal(a.out)
	return !a.json && !hasAnyEnding(out, ".json") && !hasAnyEnding(out, ".npz") && (out != "" || !screen)
}

// writeParts has a table made and writes it to a file, or to standard output when it is whole.
func (a *app) writeParts(ctx context.Context, path string, make func(*partsOut) error) (*partsOut, error) {
	if path == "" {
		path = "-"
	}
	p := &partsOut{a: a, path: path}
	content := func(w io.Writer) error {
		p.to = &console.Breakable{Context: ctx, Writer: w}
		if err := make(p); err != nil {
			return err
		}
		return p.w.Close()
	}
	if path != "-" {
		return p, a.wrote(path, atomicfile.Write(path, content))
	}
	var spool tempfile.Spool
	defer spool.Close()
	if err := content(&spool); err != nil {
		return p, err
	}
	_, err := spool.WriteTo(a.out)
	return p, err
}

// begin refuses a file that must not be replaced, before its first row.
func (p *partsOut) begin(rows int, shape []int, k kind) (err error) {
	if p.w == nil && p.path != "-" {
		if err := p.a.mayReplace(p.path, k); err != nil {
			return err
		}
	}
	if p.w == nil {
		p.w, err = file.NewPartWriter(p.to, p.path, rows, shape)
	}
	return err
}

// table appends the rows of a table of results.
func (p *partsOut) table(t *report.Table) error {
	columns := output.TableColumns(t)
	names := make([]string, len(columns))
	for j, c := range columns {
		names[j] = c.Name
	}
	if err := p.begin(0, nil, tableFile(p.path, names)); err != nil {
		return err
	}
	p.rows += len(t.Rows)
	return p.w.Write(columns)
}

// blocks says that a table was read in blocks.
func (a *app) blocks(bound int64) {
	if bound > 0 {
		a.note("read in blocks, to stay within %s", size(bound))
	}
}
