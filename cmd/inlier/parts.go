package main

import (
	"context"

	"github.com/inlier-ml/inlier/internal/output"
)

// inParts tells whether results go where they can be written in parts.
func (a *app) inParts(out string) bool {
	_, screen := terminal(a.out)
	return !a.json && !hasAnyEnding(out, ".json") && !hasAnyEnding(out, ".npz") && (out != "" || !screen)
}

// writeParts writes a table as it is made.
func (a *app) writeParts(ctx context.Context, path string, make func(*output.Parts) error) (*output.Parts, error) {
	a.files.Force = a.force
	out, err := output.WriteParts(ctx, &a.files, path, a.out, make)
	if out.Path == "-" {
		return out, err
	}
	return out, a.wrote(path, err)
}

// notes says what the user should know.
func (a *app) notes(remarks []string) {
	for _, remark := range remarks {
		a.note("%s", remark)
	}
}

// blocks says that a table was read in blocks.
func (a *app) blocks(bound int64) {
	if bound > 0 {
		a.note("read in blocks, to stay within %s", size(bound))
	}
}
