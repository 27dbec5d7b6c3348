package plot

import (
	"cmp"
	"context"
	"fmt"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
)

func components() Kind {
	return Kind{
		Name: "components", Needs: Needs{Subject: OfModels},
		Shows: "eigenfaces: what each component looks like; loadings where rows are no images",
		Of:    "models that reduce rows, or that have a reduction as their first step; classifiers with a subspace for each class, on images",
		About: "Components of images are shown as images, zero in the middle of the grey. Two-sided and tensor\nmodels are shown by the outer products of their factors that carry most variance.",
		Params: []Param{{Name: "count", Kind: catalog.Integer, Min: 1, Range: "it is a number of components", Default: "15; 4 as curves",
			Meaning: "components to show"}},
		Example: Example{Of: "faces.npz", Out: "eigenfaces.png"},
		fits:    func(m *fitted) bool { return m.factors() != nil || m.basis() || m.classBases() },
		draw: func(_ context.Context, j *job) (*Drawing, error) {
			m, count := j.models[0], j.int("count", 0)
			switch {
			case m.factors() != nil:
				return factorPictures(m, count)
			case m.basis():
				return componentPictures(m, count)
			}
			return classPictures(m, count)
		},
	}
}

// basis tells whether there is one direction per component in the input columns.
func (m *fitted) basis() bool {
	a, ok := m.reduction().State().Arrays["components"]
	return ok && len(a.Shape) == 2 && a.Shape[1] == m.about.Columns
}

// classBases tells whether every class has directions of its own, in images.
func (m *fitted) classBases() bool {
	_, ok := m.State().Arrays[classArray(0, "components")]
	return ok && drawable(m.about.Shape)
}

// classArray is the name of an array that every class has, of the class k from 0.
func classArray(k int, name string) string { return fmt.Sprintf("class%d_%s", k+1, name) }

// componentResult is what the picture is of, in numbers.
type componentResult struct {
	Method     string          `json:"method"`
	Components int             `json:"components"`
	Shown      int             `json:"shown"`
	Shape      []int           `json:"shape,omitempty"`
	Variances  []report.Number `json:"variances,omitempty"`
}

func componentPictures(m *fitted, count int) (*Drawing, error) {
	arrays := m.reduction().State().Arrays
	basis, err := arrays["components"].Dense()
	if err != nil {
		return nil, err
	}
	all, d := basis.Dims()
	result := &componentResult{Method: m.about.Method, Components: all, Shape: m.about.Shape, Variances: report.Numbers(arrays["eigenvalues"].Data)}
	out := &Drawing{Title: "Components of " + m.about.Method, Result: result}
	shown := min(all, cmp.Or(count, 15))
	if !drawable(m.about.Shape) {
		if d > mostLoadings {
			shown = min(all, cmp.Or(count, 4))
		}
		result.Shown = shown
		out.Sections = []Section{loadings(out.Title, basis, m.about.ColumnNames, shown)}
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
	out.Sections = []Section{{fmt.Sprintf("The mean and the first %d of %s, each in its own scale; the sign of a component means nothing.", shown, words.Plural(all, "component")),
		report.Images(out.Title, g)}}
	return out, nil
}

// classPictures shows mean and components of each class of a nearest-subspace model.
func classPictures(m *fitted, count int) (*Drawing, error) {
	arrays := m.State().Arrays
	g := report.Gallery{Shape: m.about.Shape, Min: 0, Max: 1}
	shown := cmp.Or(count, 7)
	most := 0
	for k, name := range m.about.Classes {
		basis, err := arrays[classArray(k, "components")].Dense()
		if err != nil {
			return nil, err
		}
		row := [][]float64{stretched(arrays[classArray(k, "mean")].Data)}
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
	return &Drawing{Title: title, Sections: []Section{{"Each picture has its own scale.", report.Images(title, g)}},
		Result: &componentResult{Method: m.about.Method, Components: most, Shown: min(most, shown), Shape: m.about.Shape}}, nil
}

const (
	mostBars     = 40 // columns up to which a few components are bars
	mostLoadings = 60 // columns up to which loadings are a table of colours
)

// loadings draws the components of tables: bars, a table of colours, or curves, as the
// number of columns allows.
func loadings(title string, basis *mat.Dense, columns []string, shown int) Section {
	_, d := basis.Dims()
	names := make([]string, d)
	for j := range names {
		names[j] = words.Column(columns, j)
	}
	text := "How much each column takes part in each component; the sign of a component means nothing."
	switch {
	case d > mostLoadings:
		var lines []report.Series
		for j := range shown {
			lines = append(lines, report.Series{Name: "component " + strconv.Itoa(j+1), Y: mat.Row(nil, j, basis), Mark: report.Line})
		}
		return Section{text, report.Lines(title, report.Axis{Label: "column", Whole: true}, report.Axis{Label: "loading"}, lines...)}
	case d <= mostBars && shown <= 3:
		var bars []report.BarSeries
		for j := range shown {
			bars = append(bars, report.BarSeries{Name: "component " + strconv.Itoa(j+1), Values: mat.Row(nil, j, basis)})
		}
		return Section{text, report.Bars(title, report.Axis{Label: "loading"}, names, bars...)}
	}
	g := report.Grid{Rows: names, Colors: report.Diverging, Key: "loading", Print: "%.2f"}
	for j := range shown {
		g.Columns = append(g.Columns, strconv.Itoa(j+1))
	}
	for j := range d {
		g.Values = append(g.Values, mat.Col(nil, j, basis.Slice(0, shown, 0, d)))
	}
	g.X.Label = "component"
	return Section{text, report.HeatMap(title, g)}
}
