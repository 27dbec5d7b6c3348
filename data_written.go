package inlier

import (
	"context"
	"os"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/memory"
	"github.com/inlier-ml/inlier/model"
)

// writings are what a table tells of its writing that a few rows of the same kind may not: whether 1.234 is a thousand, which of 03/04 is the
// month, what stands for a missing value.
func writings(t *tolerant.Table, used []int, target string) (out []model.Written) {
	for _, j := range used {
		c := &t.Columns[j]
		if c.Kind != tolerant.Number && c.Kind != tolerant.Date && c.Kind != tolerant.Boolean || c.Kind == tolerant.Boolean && c.Name == target { // whose words are classes
			continue
		}
		w := model.Written{Column: c.Name, Kind: c.Kind.String(), Comma: c.Comma, Decimals: c.Decimals, Grouping: c.Grouping, Unit: c.Unit, Sentinels: c.Sentinels, Marks: c.Marks}
		if c.Kind == tolerant.Date {
			w.Layout = c.Layout
		}
		out = append(out, w)
	}
	return out
}

// like are the columns of the table that a model has learned from, where it was read tolerantly, and what they were taken for.
func (d Data) like() (columns []tolerant.Column) {
	for _, w := range d.written {
		kind, err := tolerant.ParseKind(w.Kind)
		if err != nil {
			continue // of a later version
		}
		columns = append(columns, tolerant.Column{Name: w.Column, Kind: kind, Comma: w.Comma, Decimals: w.Decimals, Grouping: w.Grouping, Unit: w.Unit, Layout: w.Layout, Sentinels: w.Sentinels, Marks: w.Marks})
	}
	return columns
}

// perTolerantByte is about the memory that a byte of a text takes that is read tolerantly.
const perTolerantByte = 6

// tolerable tells whether a file or stream may be read tolerantly without having been asked for: it fits into memory as a whole.
func (d Data) tolerable(ctx context.Context) bool {
	if d.Set != nil || d.Source != nil || d.FS != nil || d.Format != "" && d.Format != "csv" && d.Format != "tsv" {
		return false
	}
	if d.Reader != nil {
		return d.Memory <= 0
	}
	files, err := d.files(ctx)
	if err != nil {
		return false
	}
	bytes := int64(0)
	for _, path := range files {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			return false
		}
		bytes += info.Size()
	}
	bound := memory.Free() / 4 * 3
	if d.Memory > 0 {
		bound = min(bound, d.Memory)
	}
	return perTolerantByte*bytes < bound
}
