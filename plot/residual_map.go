package plot

import (
	"context"
	"fmt"
	"math"
	"sort"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/judge"
	"github.com/inlier-ml/inlier/report"
)

func residualMap() Kind {
	return Kind{
		Name: "residual-map", Needs: Needs{Subject: OfModels, Data: true},
		Shows: "where in an image, or in which column of a row, the model does not fit",
		Of:    "models that reduce rows",
		About: "Images: the image, what the model keeps of it, and the size of the residual in every pixel. Tables:\nthe share that each column has in the row's distance.",
		Params: []Param{
			{Name: "rows", Kind: catalog.Text, Default: "the most outlying", Meaning: "rows to show, such as 1,5,20-23"},
			{Name: "top", Kind: catalog.Integer, Min: 1, Max: mostRows, Range: fmt.Sprintf("from 1 to %d", mostRows), Default: "8 images, or 25 rows of a table",
				Meaning: "show so many of the most outlying rows"},
		},
		Example: Example{Of: "faces.npz faces/", With: [][2]string{{"top", "6"}}, Out: "where.png"},
		fits:    (*fitted).transforms,
		draw:    drawResidualMap,
	}
}

// residualLine is one row of the picture.
type residualLine struct {
	Row      int             `json:"row"` // from 1
	Distance report.Number   `json:"distance"`
	Outlier  bool            `json:"outlier"`
	Where    []int           `json:"largest_at"` // place of the largest residual, from 1: pixel row, pixel column; or column
	Residual []report.Number `json:"residual"`   // size per pixel, or each column's part of the distance
}

func drawResidualMap(ctx context.Context, j *job) (*Drawing, error) {
	m := j.models[0]
	images := pictures(m.about.Shape, j.data.Dim())
	rows, err := parseRows(j.text("rows"), j.data.Rows())
	if err != nil {
		return nil, err
	}
	flagged := map[int]bool{}
	if d, ok := m.Model.(catalog.Detector); ok {
		v, err := judge.All(ctx, d, j.data, false)
		if err != nil {
			return nil, err
		}
		for _, row := range v.Rows {
			flagged[row.Row-1] = row.Outlier
		}
		if rows == nil {
			usual := 25
			if images {
				usual = 8
			}
			for _, row := range v.Select(false, j.int("top", usual)) {
				rows = append(rows, row.Row-1)
			}
		}
	}
	if rows == nil {
		return nil, usage(paramsField+"rows", "--rows names the rows to show", "%s: %s models do not tell which rows are outlying", m.name, m.about.Method)
	}
	t := m.Model.(catalog.Transformer)
	if images {
		return imageResiduals(ctx, t, j.data, m.about, rows, flagged)
	}
	return tableResiduals(ctx, t, j.data, m.about, rows, flagged)
}

func imageResiduals(ctx context.Context, t catalog.Transformer, set *dataset.Set, about catalog.Description, rows []int, flagged map[int]bool) (*Drawing, error) {
	part := set.Subset(rows)
	back, err := t.Reconstruct(ctx, part.X)
	if err != nil {
		return nil, err
	}
	height, width, channels := about.Shape[0], about.Shape[1], 1
	if len(about.Shape) == 3 {
		channels = about.Shape[2]
	}
	g := report.Gallery{Shape: about.Shape, RowNames: []string{"image", "kept", "residual"}, Cells: make([][][]float64, 3), Captions: make([][]string, 3),
		RowColors: []report.Colormap{report.Grey, report.Grey, report.Heat}, Ranges: make([][2]float64, 3)}
	var all []float64
	var lines []residualLine
	for k, i := range rows {
		x, y := part.X.RawRowView(k), back.RawRowView(k)
		size, worst := make([]float64, height*width), 0
		for p := range size {
			for c := range channels {
				size[p] = math.Hypot(size[p], x[p*channels+c]-y[p*channels+c])
			}
			if size[p] > size[worst] {
				worst = p
			}
		}
		total := floats.Norm(size, 2)
		all = append(all, size...)
		lines = append(lines, residualLine{Row: i + 1, Distance: report.Number(total), Outlier: flagged[i], Where: []int{worst/width + 1, worst%width + 1}, Residual: report.Numbers(size)})
		g.Cells[0], g.Cells[1], g.Cells[2] = append(g.Cells[0], x), append(g.Cells[1], y), append(g.Cells[2], size)
		g.ColumnNames = append(g.ColumnNames, "row "+strconv.Itoa(i+1))
		g.Captions[2] = append(g.Captions[2], report.Short(total))
	}
	// A few wild pixels must not turn everything else black.
	sort.Float64s(all)
	top := all[int(0.995*float64(len(all)-1))]
	low, high := report.Range(g.Cells[0]...)
	g.Ranges = [][2]float64{{low, high}, {low, high}, {0, top}}
	title := "Residuals of " + about.Method + " on " + words.Base(set.Name)
	text := fmt.Sprintf("The size of the residual in every pixel: black is 0, white is %s or more. Below: distance of the image from what the model keeps.", report.Short(top))
	return &Drawing{Title: title, Sections: sheets(title, text, g), Result: map[string]any{"method": about.Method, "white": report.Number(top), "rows": lines}}, nil
}

func tableResiduals(ctx context.Context, t catalog.Transformer, set *dataset.Set, about catalog.Description, rows []int, flagged map[int]bool) (*Drawing, error) {
	part := set.Subset(rows)
	parts, far, err := columnParts(ctx, t, part)
	if err != nil {
		return nil, err
	}
	_, d := parts.Dims()
	g := report.Grid{Colors: report.Diverging, Key: "%", Y: report.Axis{Label: "row"}}
	for j := range d {
		if d <= mostLoadings {
			g.Columns = append(g.Columns, words.Column(about.ColumnNames, j))
		}
	}
	if g.Columns == nil {
		g.X.Label = "column"
	}
	var lines []residualLine
	for k, i := range rows {
		shares := make([]float64, d)
		worst := 0
		for j, v := range parts.RawRowView(k) {
			if far[k] > 0 {
				shares[j] = 100 * math.Copysign(math.Min(1, (v/far[k])*(v/far[k])), v)
			}
			if math.Abs(shares[j]) > math.Abs(shares[worst]) {
				worst = j
			}
		}
		g.Values, g.Rows = append(g.Values, shares), append(g.Rows, strconv.Itoa(i+1))
		lines = append(lines, residualLine{Row: i + 1, Distance: report.Number(far[k]), Outlier: flagged[i], Where: []int{worst + 1}, Residual: report.Numbers(parts.RawRowView(k))})
	}
	if d <= 20 {
		g.Print = "%.0f"
	}
	title := "Residuals of " + about.Method + " on " + words.Base(set.Name)
	text := "How much of the row's squared distance would go away if the column were set right, in percent: red is too high, blue too low. Shares of a row need not add up to 100."
	return &Drawing{Title: title, Sections: []Section{{text, report.HeatMap(title, g)}}, Result: map[string]any{"method": about.Method, "rows": lines}}, nil
}

// columnParts are each column's part of the rows' distances, as the reasons of a
// verdict have them, and the distances; plain residuals where the model does not tell.
func columnParts(ctx context.Context, t catalog.Transformer, set *dataset.Set) (*mat.Dense, []float64, error) {
	far := make([]float64, set.Rows())
	var parts *mat.Dense
	if d, ok := t.(catalog.Detector); ok {
		o, err := d.Outliers(ctx, set)
		if err != nil {
			return nil, nil, err
		}
		parts = o.Contributions
		for i := range far {
			far[i] = judge.Distance(o, i)
		}
	}
	if parts == nil {
		back, err := t.Reconstruct(ctx, set.X)
		if err != nil {
			return nil, nil, err
		}
		back.Sub(set.X, back)
		parts = back
	}
	for i := range far {
		if far[i] == 0 || math.IsInf(far[i], 0) {
			far[i] = floats.Norm(parts.RawRowView(i), 2)
		}
	}
	return parts, far, nil
}
