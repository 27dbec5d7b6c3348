package output

import (
	"context"
	"io"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/atomicfile"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/tempfile"
	"github.com/inlier-ml/inlier/report"
)

// Parts is a table of results that is written as it is made, whole or not at all.
type Parts struct {
	Path string // "-": standard output, as CSV
	Rows int    // written so far

	guard *Guard
	to    io.Writer
	w     *file.PartWriter
}

// WriteParts has a table made and writes it to a file, or, for "" and "-", to a stream when it is whole.
func WriteParts(ctx context.Context, g *Guard, path string, stream io.Writer, make func(*Parts) error) (*Parts, error) {
	if path == "" {
		path = "-"
	}
	p := &Parts{guard: g, Path: path}
	content := func(w io.Writer) error {
		p.to = given.Writer{Context: ctx, Writer: w}
		if err := make(p); err != nil {
			return err
		}
		return p.w.Close()
	}
	if path != "-" {
		return p, atomicfile.Write(path, content)
	}
	var spool tempfile.Spool
	defer spool.Close()
	if err := content(&spool); err != nil {
		return p, err
	}
	_, err := spool.WriteTo(stream)
	return p, err
}

// begin refuses a file that must not be replaced, before its first row.
func (p *Parts) begin(rows int, shape []int, k Kind) (err error) {
	if p.w == nil && p.Path != "-" {
		if err := p.guard.MayReplace(p.Path, k); err != nil {
			return err
		}
	}
	if p.w == nil {
		p.w, err = file.NewPartWriter(p.to, p.Path, rows, shape)
	}
	return err
}

// Table appends the rows of a table of results.
func (p *Parts) Table(t *report.Table) error {
	columns := TableColumns(t)
	names := make([]string, len(columns))
	for j, c := range columns {
		names[j] = c.Name
	}
	if err := p.begin(0, nil, TableFile(p.Path, names)); err != nil {
		return err
	}
	p.Rows += len(t.Rows)
	return p.w.Write(columns)
}

// Turned appends rows that a model has made of others; the kind is what a file with them may replace.
func (p *Parts) Turned(part *inlier.RowsResult, k Kind) error {
	if err := p.begin(part.Rows, part.Set.Shape, k); err != nil {
		return err
	}
	p.Rows += part.Set.Rows()
	if part.Mixed() && file.FormatOf(p.Path).NamesRows() {
		return p.w.Write(TableColumns(part.Table()))
	}
	return p.w.WriteSet(part.Set)
}
