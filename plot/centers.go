package plot

import (
	"context"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
)

func centers() Kind {
	return Kind{
		Name: "centers", Needs: Needs{Subject: OfModels},
		Shows:   "the centers of clusters or classes as images, or as curves over the columns",
		Of:      "clusterings and classifiers that keep a center of each group",
		About:   "Centers behind a reduction are brought back to the input columns.",
		Example: Example{Of: "digits.kmeans.npz", Out: "centers.png"},
		fits: func(m *fitted) bool {
			_, ok := m.State().Arrays["centers"]
			return ok
		},
		draw: func(ctx context.Context, j *job) (*Drawing, error) { return centerPictures(ctx, j.models[0]) },
	}
}

func centerPictures(ctx context.Context, m *fitted) (*Drawing, error) {
	centers, err := m.State().Arrays["centers"].Dense()
	if err != nil {
		return nil, err
	}
	if c, ok := m.Model.(catalog.Chained); ok {
		if back, ok := catalog.As[interface {
			Inverse(context.Context, *mat.Dense) (*mat.Dense, error)
		}](c.Reducer()); ok {
			centers, err = back.Inverse(ctx, centers)
		} else {
			err = usage("models", "inlier inspect shows what a model is", "the centers behind %s cannot be brought back to the input columns", c.Reducer().Describe().Method)
		}
		if err != nil {
			return nil, err
		}
	}
	k, d := centers.Dims()
	name := func(i int) string {
		if i < len(m.about.Classes) {
			return m.about.Classes[i]
		}
		return strconv.Itoa(i + 1)
	}
	title := "Centers of " + m.about.Method
	out := &Drawing{Title: title, Result: map[string]any{"method": m.about.Method, "classes": m.about.Classes, "centers": rowsOf(centers)}}
	if pictures(m.about.Shape, d) {
		g := report.Gallery{Shape: m.about.Shape, Wrap: wrapAt(k), Cells: make([][][]float64, 1), Captions: make([][]string, 1), Shared: true}
		for i := range k {
			g.Cells[0], g.Captions[0] = append(g.Cells[0], centers.RawRowView(i)), append(g.Captions[0], name(i))
		}
		out.Sections = []Section{{"", report.Images(title, g)}}
		return out, nil
	}
	x := report.Axis{Label: "column", Whole: true}
	if d <= mostLoadings {
		x = report.Axis{Names: make([]string, d)}
		for j := range d {
			x.Names[j] = words.Column(m.about.ColumnNames, j)
		}
	}
	var lines []report.Series
	for i := range k {
		s := report.Series{Name: name(i), Y: centers.RawRowView(i)}
		for j := range d {
			s.X = append(s.X, float64(j))
			if x.Names == nil {
				s.X[j]++
			}
		}
		lines = append(lines, s)
	}
	out.Sections = []Section{{"", report.Lines(title, x, report.Axis{Label: "value"}, lines...)}}
	return out, nil
}

// rowsOf are the rows of a matrix, fit for JSON.
func rowsOf(x *mat.Dense) [][]report.Number {
	n, _ := x.Dims()
	rows := make([][]report.Number, n)
	for i := range rows {
		rows[i] = report.Numbers(x.RawRowView(i))
	}
	return rows
}
