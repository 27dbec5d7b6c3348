package main

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/tensor"
)

func componentsKind() plotKind {
	return plotKind{
		name: "components", takes: []string{"MODEL"},
		shows:   "eigenfaces: what each component looks like; loadings where rows are no images",
		of:      "models that reduce rows, or that have a reduction as their first step; nearest-subspace on images",
		long:    "Components of images are shown as images, zero in the middle of the grey. Two-sided and tensor\nmodels are shown by the outer products of their factors that carry most variance.",
		example: "inlier plot components faces.npz --out eigenfaces.png",
		fits: func(m *opened) bool {
			_, ok := m.model.State().Arrays["class1_components"]
			return hasComponents(m) || hasFactors(m) || ok && drawable(m.about.Shape)
		},
		flags: func(c *cobra.Command, r *plotRequest) {
			c.Flags().IntVar(&r.count, "count", 0, "components to show (default 15; 4 as curves)")
		},
		draw: func(_ context.Context, a *app, r *plotRequest, args []string) (*drawing, error) {
			if r.count < 0 {
				return nil, usage("it is a number of components", "--count %d is not allowed", r.count)
			}
			m, err := a.modelFor("components", args[0])
			if err != nil {
				return nil, err
			}
			switch {
			case hasFactors(m):
				return factorPictures(m, r.count)
			case hasComponents(m):
				return componentPictures(m, r.count)
			}
			return classPictures(m, r.count)
		},
	}
}

// reduction is the part of a model that reduces rows: its first step, or itself.
func reduction(m *opened) catalog.Model {
	if c, ok := m.model.(catalog.Chained); ok {
		return c.Reducer()
	}
	return m.model
}

// hasComponents tells whether there is one direction per component in the input columns.
func hasComponents(m *opened) bool {
	a, ok := reduction(m).State().Arrays["components"]
	return ok && len(a.Shape) == 2 && a.Shape[1] == m.about.Columns
}

// factored is a tensor model.
type factored interface{ Parts() tensor.Parts }

func hasFactors(m *opened) bool {
	_, ok := reduction(m).(factored)
	return ok
}

// drawable tells whether a sample is an image: height, width and perhaps one or three colours.
func drawable(shape []int) bool {
	return len(shape) == 2 || len(shape) == 3 && (shape[2] == 1 || shape[2] == 3)
}

// componentResult is what `plot components --json` prints.
type componentResult struct {
	Method     string   `json:"method"`
	Components int      `json:"components"`
	Shown      int      `json:"shown"`
	Shape      []int    `json:"shape,omitempty"`
	Variances  []number `json:"variances,omitempty"`
}

func componentPictures(m *opened, count int) (*drawing, error) {
	arrays := reduction(m).State().Arrays
	basis, err := arrays["components"].Dense()
	if err != nil {
		return nil, err
	}
	all, d := basis.Dims()
	result := &componentResult{Method: m.about.Method, Components: all, Shape: m.about.Shape, Variances: numbers(arrays["eigenvalues"].Data)}
	out := &drawing{title: "Components of " + m.about.Method, result: result}
	shown := min(all, orDefault(count, 15))
	if !drawable(m.about.Shape) {
		if d > mostLoadings {
			shown = min(all, orDefault(count, 4))
		}
		result.Shown = shown
		out.sections = []curveSection{loadings(out.title, basis, m.about.ColumnNames, shown)}
		return out, nil
	}
	result.Shown = shown
	g := report.Gallery{Shape: m.about.Shape, Min: 0, Max: 1}
	var cells [][]float64
	var captions []string
	if mean, ok := arrays["mean"]; ok && len(mean.Data) == d {
		cells, captions = append(cells, stretched(mean.Data)), append(captions, "mean")
	}
	for j := range shown {
		cells, captions = append(cells, centred(basis.RawRowView(j))), append(captions, strconv.Itoa(j+1))
	}
	g.Cells, g.Captions, g.Wrap = [][][]float64{cells}, [][]string{captions}, wrapAt(len(cells))
	out.sections = []curveSection{{fmt.Sprintf("The mean and the first %d of %s, each in its own scale; the sign of a component means nothing.", shown, plural(all, "component")),
		report.Images(out.title, g)}}
	return out, nil
}

// classPictures shows mean and components of each class of a nearest-subspace model.
func classPictures(m *opened, count int) (*drawing, error) {
	arrays := m.model.State().Arrays
	g := report.Gallery{Shape: m.about.Shape, Min: 0, Max: 1}
	shown := orDefault(count, 7)
	most := 0
	for k, name := range m.about.Classes {
		basis, err := arrays[fmt.Sprintf("class%d_components", k+1)].Dense()
		if err != nil {
			return nil, err
		}
		row := [][]float64{stretched(arrays[fmt.Sprintf("class%d_mean", k+1)].Data)}
		have, _ := basis.Dims()
		most = max(most, have)
		for j := range min(have, shown) {
			row = append(row, centred(basis.RawRowView(j)))
		}
		g.Cells, g.RowNames = append(g.Cells, row), append(g.RowNames, name)
	}
	g.ColumnNames = []string{"mean"}
	for j := range min(most, shown) {
		g.ColumnNames = append(g.ColumnNames, strconv.Itoa(j+1))
	}
	title := "Mean and components of each class"
	return &drawing{title: title, sections: []curveSection{{"Each picture has its own scale.", report.Images(title, g)}},
		result: &componentResult{Method: m.about.Method, Components: most, Shown: min(most, shown), Shape: m.about.Shape}}, nil
}

const (
	mostBars     = 40 // columns up to which a few components are bars
	mostLoadings = 60 // columns up to which loadings are a table of colours
)

// loadings draws the components of tables: bars, a table of colours, or curves, as the
// number of columns allows.
func loadings(title string, basis *mat.Dense, columns []string, shown int) curveSection {
	_, d := basis.Dims()
	names := make([]string, d)
	for j := range names {
		names[j] = columnName(columns, j)
	}
	text := "How much each column takes part in each component; the sign of a component means nothing."
	switch {
	case d > mostLoadings:
		var lines []report.Series
		for j := range shown {
			lines = append(lines, report.Series{Name: "component " + strconv.Itoa(j+1), Y: mat.Row(nil, j, basis), Mark: report.Line})
		}
		return curveSection{text, report.Lines(title, report.Axis{Label: "column", Whole: true}, report.Axis{Label: "loading"}, lines...)}
	case d <= mostBars && shown <= 3:
		var bars []report.BarSeries
		for j := range shown {
			bars = append(bars, report.BarSeries{Name: "component " + strconv.Itoa(j+1), Values: mat.Row(nil, j, basis)})
		}
		return curveSection{text, report.Bars(title, report.Axis{Label: "loading"}, names, bars...)}
	}
	g := report.Grid{Rows: names, Colors: report.Diverging, Key: "loading", Print: "%.2f"}
	for j := range shown {
		g.Columns = append(g.Columns, strconv.Itoa(j+1))
	}
	for j := range d {
		g.Values = append(g.Values, mat.Col(nil, j, basis.Slice(0, shown, 0, d)))
	}
	g.X.Label = "component"
	return curveSection{text, report.HeatMap(title, g)}
}

// stretched brings pixels to the range from 0 to 1.
func stretched(pixels []float64) []float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range pixels {
		low, high = math.Min(low, v), math.Max(high, v)
	}
	out := make([]float64, len(pixels))
	for i, v := range pixels {
		if high > low {
			out[i] = (v - low) / (high - low)
		}
	}
	return out
}

// centred brings a direction to the range from 0 to 1, with zero at one half.
func centred(direction []float64) []float64 {
	largest := 0.0
	for _, v := range direction {
		largest = math.Max(largest, math.Abs(v))
	}
	out := make([]float64, len(direction))
	for i, v := range direction {
		out[i] = 0.5
		if largest > 0 {
			out[i] += 0.5 * v / largest
		}
	}
	return out
}

func orDefault(n, usual int) int {
	if n == 0 {
		return usual
	}
	return n
}

// wrapAt breaks a gallery into lines of equal length, at most eight pictures each.
func wrapAt(pictures int) int {
	lines := max(1, (pictures+7)/8)
	return max(1, (pictures+lines-1)/lines)
}
