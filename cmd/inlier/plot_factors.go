package main

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/tensor"
)

// factorPictures shows what a decomposition by modes is made of: the outer products of
// its directions as images, or the factors themselves where samples are no images.
func factorPictures(m *opened, count int) (*drawing, error) {
	p := reduction(m).(factored).Parts()
	size := 1
	for _, u := range p.Factors {
		_, r := u.Dims()
		size *= r
	}
	result := &componentResult{Method: m.about.Method, Components: size, Shape: p.Shape}
	out := &drawing{title: "Components of " + m.about.Method, result: result}
	if !drawable(p.Shape) {
		result.Shown = size
		for k, u := range p.Factors {
			n, r := u.Dims()
			s := loadings(fmt.Sprintf("Factor of mode %d", k+1), mat.DenseCopyOf(u.T()), numbered(n), min(r, orDefault(count, 15)))
			out.sections = append(out.sections, s)
		}
		return out, nil
	}
	terms := strongest(p, orDefault(count, 15))
	result.Shown = len(terms)
	cells, captions := [][]float64{stretched(p.Mean)}, []string{"mean"}
	for _, t := range terms {
		cells, captions = append(cells, centred(t.image(p))), append(captions, t.name())
	}
	text := fmt.Sprintf("The mean and the %d of %s that carry most variance: outer products of one direction of each mode, which the captions number.", len(terms), plural(size, "component"))
	if slices.ContainsFunc(p.Factors, whole) {
		text = fmt.Sprintf("The mean and the %d products of directions that carry most variance. A mode that is kept whole has no directions and is drawn constant.", len(terms))
	}
	out.sections = []curveSection{{text, report.Images(out.title, report.Gallery{Shape: p.Shape, Min: 0, Max: 1, Wrap: wrapAt(len(cells)), Cells: [][][]float64{cells}, Captions: [][]string{captions}})}}
	return out, nil
}

func numbered(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = strconv.Itoa(i + 1)
	}
	return list
}

// whole tells whether a factor keeps its mode as it is.
func whole(u *mat.Dense) bool {
	n, r := u.Dims()
	if n != r || n == 1 {
		return false
	}
	for i := range n {
		for j := range n {
			if v := u.At(i, j); i == j && v != 1 || i != j && v != 0 {
				return false
			}
		}
	}
	return true
}

// coreEntry is one entry of the core: a direction of each mode, from 0; -1 for a mode kept whole.
type coreEntry []int

// strongest are the terms of largest variance, which for separable data is the product of
// the variances of the directions.
func strongest(p tensor.Parts, count int) []coreEntry {
	type weighed struct {
		term     coreEntry
		variance float64
	}
	list := []weighed{{nil, 1}}
	for k, u := range p.Factors {
		_, r := u.Dims()
		choices := r
		if whole(u) {
			choices = 0
		}
		var next []weighed
		for _, w := range list {
			if choices == 0 {
				next = append(next, weighed{append(slices.Clone(w.term), -1), w.variance})
			}
			for j := range choices {
				v := 1.0
				if k < len(p.Variances) && j < len(p.Variances[k]) {
					v = p.Variances[k][j]
				}
				next = append(next, weighed{append(slices.Clone(w.term), j), w.variance * v})
			}
		}
		// Variances multiply, so a term outside the best of its beginning is outside the best.
		sort.SliceStable(next, func(a, b int) bool { return next[a].variance > next[b].variance })
		list = next[:min(len(next), max(count, 1))]
	}
	var terms []coreEntry
	for _, w := range list[:min(len(list), count)] {
		terms = append(terms, w.term)
	}
	return terms
}

// image is the outer product of the term's directions, in the order of the sample.
func (t coreEntry) image(p tensor.Parts) []float64 {
	image := []float64{1}
	for k, j := range t {
		n := p.Shape[k]
		next := make([]float64, 0, len(image)*n)
		for _, v := range image {
			for i := range n {
				along := 1.0
				if j >= 0 {
					along = p.Factors[k].At(i, j)
				}
				next = append(next, v*along)
			}
		}
		image = next
	}
	return image
}

// name is "2 x 1": which direction of each mode.
func (t coreEntry) name() string {
	var parts []string
	for _, j := range t {
		if j >= 0 {
			parts = append(parts, strconv.Itoa(j+1))
		}
	}
	return strings.Join(parts, " x ")
}

func centersKind() plotKind {
	return plotKind{
		name: "centers", takes: []string{"MODEL"},
		shows:   "the centers of clusters or classes as images, or as curves over the columns",
		of:      "kmeans, kmeans-robust, density-peaks, nearest-center",
		long:    "Centers behind a reduction are brought back to the input columns.",
		example: "inlier plot centers digits.kmeans.npz --out centers.png",
		fits: func(m *opened) bool {
			_, ok := m.model.State().Arrays["centers"]
			return ok
		},
		draw: func(ctx context.Context, a *app, _ *plotRequest, args []string) (*drawing, error) {
			m, err := a.modelFor("centers", args[0])
			if err != nil {
				return nil, err
			}
			return centerPictures(ctx, m)
		},
	}
}

func centerPictures(ctx context.Context, m *opened) (*drawing, error) {
	centers, err := m.model.State().Arrays["centers"].Dense()
	if err != nil {
		return nil, err
	}
	if c, ok := m.model.(catalog.Chained); ok {
		switch back := c.Reducer().(type) {
		case interface {
			Inverse(context.Context, *mat.Dense) (*mat.Dense, error)
		}:
			centers, err = back.Inverse(ctx, centers)
		case interface {
			Inverse(*mat.Dense) (*mat.Dense, error)
		}:
			centers, err = back.Inverse(centers)
		default:
			err = usage("inlier inspect shows what a model is", "the centers behind %s cannot be brought back to the input columns", c.Reducer().Describe().Method)
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
	out := &drawing{title: title, result: map[string]any{"method": m.about.Method, "classes": m.about.Classes, "centers": rowsAsNumbers(centers)}}
	if drawable(m.about.Shape) && d == product(m.about.Shape) {
		g := report.Gallery{Shape: m.about.Shape, Wrap: wrapAt(k), Cells: make([][][]float64, 1), Captions: make([][]string, 1), Shared: true}
		for i := range k {
			g.Cells[0], g.Captions[0] = append(g.Cells[0], centers.RawRowView(i)), append(g.Captions[0], name(i))
		}
		out.sections = []curveSection{{"", report.Images(title, g)}}
		return out, nil
	}
	x := report.Axis{Label: "column", Whole: true}
	if d <= mostLoadings {
		x = report.Axis{Names: make([]string, d)}
		for j := range d {
			x.Names[j] = columnName(m.about.ColumnNames, j)
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
	out.sections = []curveSection{{"", report.Lines(title, x, report.Axis{Label: "value"}, lines...)}}
	return out, nil
}

func product(shape []int) int {
	n := 1
	for _, l := range shape {
		n *= l
	}
	return n
}
