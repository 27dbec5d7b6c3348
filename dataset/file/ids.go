package file

import (
	"context"
	"math"

	"github.com/inlier-ml/inlier/internal/decimal"
	"github.com/inlier-ml/inlier/internal/given"
)

// Texts reads one column, by name or number from 1, as it stands in the file: names of
// the rows that are not learned from. A missing cell is "". Numbers of binary formats are
// written as short as they read back the same.
func (s *Source) Texts(ctx context.Context, column string) ([]string, error) {
	var out []string
	err := s.ScanTexts(ctx, column, func(texts []string) error {
		out = append(out, texts...)
		return nil
	})
	return out, err
}

// ScanTexts visits the texts of a column, as [Source.Texts] reads them, some rows at a time. They may be used only during the call.
func (s *Source) ScanTexts(ctx context.Context, column string, visit func(texts []string) error) error {
	ctx = given.Context(ctx)
	k, err := s.plan.find(column)
	if err != nil {
		return err
	}
	text := make([]bool, len(s.plan.fields))
	text[k] = true
	pass := (&job{target: k, text: text}).prepare(len(s.plan.fields))
	var out []string
	return s.chunks(ctx, pass, false, func(c *chunk) error {
		out = out[:0]
		for _, v := range c.y[:c.rows] {
			switch {
			case math.IsNaN(v):
				out = append(out, "")
			case c.yLevels != nil:
				out = append(out, c.yLevels[int(v)])
			default:
				out = append(out, decimal.Text(v))
			}
		}
		return visit(out)
	})
}

// Files are the files of a set of images, one per row; nil for tables.
func (s *Source) Files() []string {
	t, ok := s.table.(interface{ files() []string })
	if !ok {
		return nil
	}
	files := t.files()
	if n := s.opts.Limit; n > 0 && n < len(files) {
		files = files[:n]
	}
	return files
}
