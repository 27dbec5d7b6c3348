package main

import (
	"context"
	"io"
	"strings"

	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/atomicfile"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/output"
)

const aboutOutputs = `An output never replaces an input. Any other file that is there is replaced when it is an output of the
same kind (a model by a model, a picture or page of Inlier by another, a table by one of the same
columns, data by the same data), and otherwise only with --force.`

// The kinds of outputs, see package output.
type kind = output.Kind

var (
	modelFile    = output.ModelFile
	pictureFile  = output.PictureFile
	perhapsTable = output.PerhapsTable
	tableFile    = output.TableFile
	dataFile     = output.DataFile
	rowsFile     = output.RowsFile
	scoresFile   = output.ScoresFile
	jsonFile     = output.JSONFile
	anyFile      = output.AnyFile
	hasAnyEnding = output.HasEnding
	encodeJSON   = output.EncodeJSON
)

// reads remembers what a command reads; patterns are the files that they match. Objects of a store are no files that are written.
func (a *app) reads(paths ...string) {
	for _, path := range paths {
		found := []string{path}
		if !strings.Contains(path, "://") {
			if files, err := file.Expand(context.Background(), nil, path); err == nil { // otherwise reading will tell
				found = files
			}
		}
		a.files.Reads(found...)
	}
}

// plans refuses an output, before any work is done for it, that cannot or must not be
// written. The flag is what names it; "" and "-" are no files.
func (a *app) plans(flag, path string, k kind) error {
	a.files.Force = a.force
	return a.files.Plans(flag, path, k)
}

// mayReplace refuses a file that is there and not of the kind to be written.
func (a *app) mayReplace(path string, k kind) error {
	a.files.Force = a.force
	return a.files.MayReplace(path, k)
}

// write puts content into the file at path, whole or not at all, or onto standard
// output for "-". After an interruption nothing is written any more.
func (a *app) write(ctx context.Context, path string, k kind, content func(io.Writer) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if path == "-" {
		return content(a.out)
	}
	if err := a.mayReplace(path, k); err != nil {
		return err
	}
	return a.wrote(path, atomicfile.Write(path, func(w io.Writer) error { return content(given.Writer{Context: ctx, Writer: w}) }))
}

// writeBytes writes a picture or page that was made beforehand; no path: nothing.
func (a *app) writeBytes(ctx context.Context, path string, data []byte) error {
	if path == "" {
		return nil
	}
	return a.write(ctx, path, pictureFile(path), func(w io.Writer) error { _, err := w.Write(data); return err })
}

// wrote remembers what an interruption leaves behind.
func (a *app) wrote(path string, err error) error {
	if err == nil {
		a.left.Add(path)
	}
	return err
}

// printJSON prints a result for programs.
func (a *app) printJSON(v any) error { return encodeJSON(a.out, v) }
