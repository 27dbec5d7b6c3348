package inlier

import (
	"context"
	"os"
	"path/filepath"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/plot"
)

// checkModel is the model.npz of a check that a picture is of: the file, or the folder that it stands in; empty where the
// model is another.
func (p Plot) checkModel(ctx context.Context, kind plot.Kind) string {
	if !kind.Needs.Checks || len(p.Models) != 1 || p.Models[0].Path == "" {
		return ""
	}
	path := p.Models[0].Path
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return filepath.Join(path, "model.npz")
	}
	if _, err := check.Load(ctx, path); err != nil {
		return ""
	}
	return path
}

// drawCheck draws the cells of data that are read and judged as a check did.
func (p Plot) drawCheck(ctx context.Context, model string, o Observer) (*PlotResult, error) {
	d := p.Data
	reading := Reading{Header: d.Header, Delimiter: d.Delimiter, As: d.As, Decimal: d.Decimal, Encoding: d.Encoding, Sheet: d.Sheet, Limit: d.Limit, Trust: d.Trust}
	paths := d.Paths
	if d.Path != "" {
		paths = append([]string{d.path()}, paths...)
	}
	result, err := Check{Paths: paths, FS: d.FS, Reader: d.Reader, Against: model, Seed: p.Seed, Reading: reading}.Run(ctx, o)
	if e, ok := AsError(err); ok && e.Parameter == "against" {
		err = about("models", err)
	}
	if err != nil {
		return nil, d.unread(err)
	}
	var names []string
	var drawn []int
	for j := range result.Table.Columns {
		if c := &result.Table.Columns[j]; c.Values != nil {
			names, drawn = append(names, c.Name), append(drawn, j)
		}
	}
	if drawn == nil || result.Rows == 0 {
		return nil, usage("", "%s: no column holds numbers, dates or categories", words.List(result.Table.Names, 1))
	}
	cells := plot.Cells{Title: "Cells of " + words.Base(result.Table.Names[0]), Rows: result.Rows, Columns: names, Scores: result.Found.Score}
	rows := ""
	if given := p.Params["rows"]; len(given) > 0 {
		rows = given[0]
	}
	drawing, err := cells.Draw(rows, func(rows, columns []int) ([][]float64, error) {
		chosen := make([]int, len(columns))
		for k, j := range columns {
			chosen[k] = drawn[j]
		}
		return result.deviations(rows, chosen), nil
	})
	if err != nil {
		return nil, err
	}
	return &PlotResult{Kind: p.Kind, Title: drawing.Title, Result: drawing.Result, Drawing: drawing}, nil
}
