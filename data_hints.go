package inlier

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// hintMissing tells how a method can be made to use missing values, where it can.
func hintMissing(err error, m *catalog.Method) error {
	var input *dataset.InputError
	if m == nil {
		return err
	}
	if p, ok := m.Param("missing"); ok && errors.As(err, &input) && input.Column != "" && strings.Contains(input.Problem, "missing") && slices.Contains(p.Choices, "fit") {
		input.Hint = "{set} missing=fit lets the low-rank fit fill it"
	}
	return err
}

// triedBytes is the size up to which a file that was refused is tried tolerantly, to say truly that it can be read so.
const triedBytes = 32 << 20

// hintTolerant says that a file which was refused for its writing can be read tolerantly, where it can.
func (d Data) hintTolerant(ctx context.Context, err error) error {
	var input *dataset.InputError
	if d.Tolerant || d.Reader != nil || d.FS != nil || !errors.As(err, &input) || ctx.Err() != nil {
		return err
	}
	switch {
	case input.Option != "" && input.Option != "path": // not the file is wrong
		return err
	case d.Format != "" && d.Format != "csv" && d.Format != "tsv":
		return err
	case strings.Contains(input.Problem, "missing") || strings.HasPrefix(input.Problem, "there is no"):
		return err
	}
	files, failed := d.files(ctx)
	if failed != nil {
		return err
	}
	bytes := int64(0)
	for _, path := range files {
		info, failed := os.Stat(path)
		if failed != nil || !info.Mode().IsRegular() {
			return err
		}
		bytes += info.Size()
	}
	if bytes > triedBytes {
		return err
	}
	t, failed := tolerant.Open(ctx, files, tolerant.Options{Limit: 1000})
	if failed != nil {
		return err
	}
	for j := range t.Columns {
		if k := t.Columns[j].Kind; k == tolerant.Number || k == tolerant.Date || k == tolerant.Boolean {
			if input.Hint != "" {
				input.Hint += "; "
			}
			input.Hint += "{tolerant} reads it as it is"
			return err
		}
	}
	return err
}
