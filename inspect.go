package inlier

import (
	"context"
	"errors"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/model"
)

// Inspect is the job of looking into a model file, after checking that it is whole.
type Inspect struct {
	Model Model `json:"model"`
}

// InspectResult is what a model file holds.
type InspectResult struct {
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
	archive.Meta

	Contents *model.Contents `json:"-"` // with the arrays
}

// Run reads and checks the file.
func (i Inspect) Run(ctx context.Context, o Observer) (*InspectResult, error) {
	ctx = given.Context(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r := newReporter("inspect", o)
	r.phase("read")
	c, err := i.Model.Contents()
	var other *archive.FileError
	if errors.As(err, &other) && errors.Is(err, archive.ErrNotModel) { // but perhaps data
		return nil, about("model", badInput(err, "inlier data info "+other.Path+" tells what a file of data holds"))
	}
	if err != nil {
		return nil, err
	}
	r.send(Event{Phase: "read", Done: 1, Total: 1})
	return &InspectResult{Path: c.Path, Bytes: c.Bytes, Meta: c.Meta, Contents: c}, nil
}
