package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/spf13/cobra"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/judge"
	"github.com/inlier-ml/inlier/report"
)

func stripsKind() plotKind {
	return plotKind{
		name: "strips", takes: []string{"MODEL...", "DATA"},
		shows:   "originals, what the models were given, and what each model keeps of them",
		of:      "models that reduce rows",
		long:    "With --corrupt the rows of DATA are dirtied as `inlier data corrupt` does with the same --seed, and the\nmodels see those; numbers are distances from the originals. Rows that are no images become curves.",
		example: "inlier plot strips pca.npz robust.npz faces/ --corrupt occlusion:0.25 --out strips.png",
		fits: func(m *opened) bool {
			_, ok := m.model.(catalog.Transformer)
			return ok
		},
		flags: func(c *cobra.Command, r *plotRequest) {
			f := c.Flags()
			f.StringVar(&r.corrupt, "corrupt", "", "dirt that the models see, such as occlusion:0.25; `inlier data corrupt` lists the kinds")
			f.StringVar(&r.rows, "rows", "", "rows to show, such as 1,5,20-23 (default: 8, half of them dirtied)")
		},
		draw: func(ctx context.Context, a *app, r *plotRequest, args []string) (*drawing, error) {
			return a.strips(ctx, r, args)
		},
	}
}

// stripLine is how one model did.
type stripLine struct {
	Model  string  `json:"model"`
	Method string  `json:"method"`
	Intact number  `json:"intact_error"` // mean distance of intact rows from their reconstruction
	Median number  `json:"intact_error_median"`
	Hit    *number `json:"corrupted_error,omitempty"` // of the originals from the reconstruction of dirtied rows
}

// stripJob is the data of the picture.
type stripJob struct {
	original, given *dataset.Set // the same without dirt
	hit             []bool       // by row of given
	rows            []int        // to show, of given
	names           []string     // of the models
	back            [][][]float64
	lines           []stripLine
}

func (a *app) strips(ctx context.Context, r *plotRequest, args []string) (*drawing, error) {
	paths := args[:len(args)-1]
	models, names, err := a.modelsFor("strips", paths)
	if err != nil {
		return nil, err
	}
	if err := sameColumns(models, paths); err != nil {
		return nil, err
	}
	j := stripJob{names: names}
	if j.original, err = a.loadFor(ctx, models[0], args[len(args)-1], r.data, false); err != nil {
		return nil, err
	}
	j.given, j.hit = j.original, make([]bool, j.original.Rows())
	if r.corrupt != "" {
		dirty, dirt, err := dataset.Corrupt(j.original, r.corrupt, a.seed)
		if err != nil {
			return nil, badInput(err, "inlier data corrupt lists the kinds of dirt")
		}
		j.given, j.hit = dirty, dirt.Rows
	}
	if j.rows, err = parseRows(r.rows, j.given.Rows()); err != nil {
		return nil, err
	}
	if j.rows == nil {
		j.rows = j.usual(8)
	}
	for k, m := range models {
		if err := j.reconstruct(ctx, m.model.(catalog.Transformer), names[k], m.about.Method); err != nil {
			return nil, err
		}
	}
	return j.drawing(models[0].about.Shape, r.corrupt), nil
}

// usual are the rows to show when none are named: dirtied and intact ones, evenly spread.
func (j *stripJob) usual(count int) []int {
	var dirtied, intact []int
	for i, hit := range j.hit {
		if hit {
			dirtied = append(dirtied, i)
		} else {
			intact = append(intact, i)
		}
	}
	half := max(count/2, count-len(intact))
	some := spread(dirtied, half)
	return append(some, spread(intact, count-len(some))...)
}

// reconstruct measures one model on all rows, in blocks, and keeps the rows to show.
func (j *stripJob) reconstruct(ctx context.Context, t catalog.Transformer, name, method string) error {
	n, d := j.given.X.Dims()
	kept := make([][]float64, len(j.rows))
	var intact, hit []float64
	step := max(1, judge.BlockCells/max(1, d))
	for first := 0; first < n; first += step {
		last := min(first+step, n)
		back, err := t.Reconstruct(ctx, j.given.X.Slice(first, last, 0, d).(*mat.Dense))
		if err != nil {
			return err
		}
		for i := first; i < last; i++ {
			for k, row := range j.rows {
				if row == i {
					kept[k] = slices.Clone(back.RawRowView(i - first))
				}
			}
			if i >= j.original.Rows() {
				continue // there is no original to compare with
			}
			far := distance(j.original.X.RawRowView(i), back.RawRowView(i-first))
			if j.hit[i] {
				hit = append(hit, far)
			} else {
				intact = append(intact, far)
			}
		}
	}
	line := stripLine{Model: name, Method: method, Intact: number(math.NaN()), Median: number(math.NaN())}
	if len(intact) > 0 {
		line.Intact = number(floats.Sum(intact) / float64(len(intact)))
		line.Median = number(univariate.Median(intact))
	}
	if len(hit) > 0 {
		mean := number(floats.Sum(hit) / float64(len(hit)))
		line.Hit = &mean
	}
	j.back, j.lines = append(j.back, kept), append(j.lines, line)
	return nil
}

func (j *stripJob) drawing(shape []int, corrupt string) *drawing {
	out := &drawing{title: "Reconstructions of " + shortName(j.original.Name), table: j.table()}
	out.result = map[string]any{"rows": oneBased(j.rows), "models": j.lines}
	dirty := j.given != j.original
	if dirty {
		out.lead = fmt.Sprintf("The rows were dirtied by `%s`.", corrupt)
	}
	// The strips: name, and the values of each row shown.
	var names []string
	var strips [][][]float64
	add := func(name string, row func(i int) []float64) {
		values := make([][]float64, len(j.rows))
		for k, i := range j.rows {
			values[k] = row(i)
		}
		names, strips = append(names, name), append(strips, values)
	}
	add("original", func(i int) []float64 {
		if i >= j.original.Rows() {
			return nil
		}
		return j.original.X.RawRowView(i)
	})
	if dirty {
		add("given", j.given.X.RawRowView)
	}
	names, strips = append(names, j.names...), append(strips, j.back...)
	text := "Below the reconstructions: distance from the original."
	if !drawable(shape) || product(shape) != j.given.Dim() {
		out.sections = j.curves(names, strips)
		return out
	}
	g := report.Gallery{Shape: shape, RowNames: names, Cells: strips}
	g.Min, g.Max = report.Range(strips[0]...)
	for _, i := range j.rows {
		g.ColumnNames = append(g.ColumnNames, "row "+strconv.Itoa(i+1))
	}
	g.Captions = make([][]string, len(strips))
	for s := range j.back {
		at := len(strips) - len(j.back) + s
		for k, i := range j.rows {
			caption := ""
			if i < j.original.Rows() {
				caption = report.Short(distance(j.original.X.RawRowView(i), j.back[s][k]))
			}
			g.Captions[at] = append(g.Captions[at], caption)
		}
	}
	out.sections = sheets(out.title, text, g)
	return out
}

// curves draws rows that are no images, one chart for each.
func (j *stripJob) curves(names []string, strips [][][]float64) []curveSection {
	x := report.Axis{Label: "column", Whole: true}
	var at []float64
	if d := j.original.Dim(); d <= 20 && !j.original.Unnamed { // names have room
		x = report.Axis{Names: j.original.Columns}
		for c := range d {
			at = append(at, float64(c))
		}
	}
	var list []curveSection
	for k, i := range j.rows {
		var lines []report.Series
		for s, name := range names {
			if strips[s][k] == nil {
				continue
			}
			lines = append(lines, report.Series{Name: name, X: at, Y: strips[s][k], Mark: report.Line, Dashed: s == 0, Color: s + 1})
		}
		list = append(list, curveSection{"", report.Lines("Row "+strconv.Itoa(i+1), x, report.Axis{Label: "value"}, lines...)})
	}
	return list
}

func (j *stripJob) table() *report.Table {
	t := &report.Table{Columns: []report.Column{{Name: "model"}, {Name: "error, intact", Format: "%.4g", Best: report.Lowest}, {Name: "median", Format: "%.4g", Best: report.Lowest}}}
	hit := slices.ContainsFunc(j.lines, func(l stripLine) bool { return l.Hit != nil })
	if hit {
		t.Columns = append(t.Columns, report.Column{Name: "error, dirtied", Format: "%.4g", Best: report.Lowest})
	}
	t.Notes = []string{"error, median: mean and median distance between the originals and their reconstructions."}
	for _, l := range j.lines {
		cells := []any{l.Model, float64(l.Intact), float64(l.Median)}
		if hit {
			cells = append(cells, float64(*l.Hit))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}
