package plot

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/corrupt"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
)

func strips() Kind {
	return Kind{
		Name: "strips", Needs: Needs{Subject: OfModels, Several: true, Data: true},
		Shows: "originals, what the models were given, and what each model keeps of them",
		Of:    "models that reduce rows",
		About: "With --corrupt the rows of DATA are dirtied as inlier data corrupt does with the same --seed, and the\nmodels see those; numbers are distances from the originals. Rows that are no images become curves.",
		Params: []Param{
			{Name: "corrupt", Kind: catalog.Text, Meaning: "dirt that the models see, such as occlusion:0.25; inlier data corrupt lists the kinds"},
			{Name: "rows", Kind: catalog.Text, Default: "8, half of them dirtied", Meaning: "rows to show, such as 1,5,20-23"},
		},
		Example: Example{Of: "pca.npz robust.npz faces/", With: [][2]string{{"corrupt", "occlusion:0.25"}}, Out: "strips.png"},
		fits:    (*fitted).transforms,
		draw:    drawStrips,
	}
}

// stripLine is how one model did.
type stripLine struct {
	Model  string         `json:"model"`
	Method string         `json:"method"`
	Intact report.Number  `json:"intact_error"` // mean distance of intact rows from their reconstruction
	Median report.Number  `json:"intact_error_median"`
	Hit    *report.Number `json:"corrupted_error,omitempty"` // of the originals from the reconstruction of dirtied rows
}

// stripJob is the data of the picture.
type stripJob struct {
	original, given *dataset.Set  // the same without dirt
	hit             []bool        // by row of given
	rows            []int         // to show, of given
	names           []string      // of the models
	back            [][][]float64 // by model, then row to show
	lines           []stripLine
}

func drawStrips(ctx context.Context, asked *job) (*Drawing, error) {
	j := stripJob{original: asked.data, given: asked.data, hit: make([]bool, asked.data.Rows())}
	if spec := asked.text("corrupt"); spec != "" {
		dirty, dirt, err := corrupt.Apply(j.original, spec, asked.seed)
		if err != nil {
			return nil, badInput(paramsField+"corrupt", err, "inlier data corrupt lists the kinds of dirt")
		}
		j.given, j.hit = dirty, dirt.Rows
	}
	var err error
	if j.rows, err = parseRows(asked.text("rows"), j.given.Rows()); err != nil {
		return nil, err
	}
	if j.rows == nil {
		j.rows = j.usual(8)
	}
	for _, m := range asked.models {
		if err := j.reconstruct(ctx, m.Model.(catalog.Transformer), m.label, m.about.Method); err != nil {
			return nil, err
		}
	}
	return j.drawing(asked.models[0].about.Shape, asked.text("corrupt")), nil
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

// blockCells is how many numbers are reconstructed at a time.
const blockCells = 1 << 21

// reconstruct measures one model on all rows, in blocks, and keeps the rows to show.
func (j *stripJob) reconstruct(ctx context.Context, t catalog.Transformer, name, method string) error {
	n, d := j.given.X.Dims()
	kept := make([][]float64, len(j.rows))
	var intact, hit []float64
	step := max(1, blockCells/max(1, d))
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
	line := stripLine{Model: name, Method: method, Intact: report.Number(math.NaN()), Median: report.Number(math.NaN())}
	if len(intact) > 0 {
		line.Intact = report.Number(floats.Sum(intact) / float64(len(intact)))
		line.Median = report.Number(univariate.Median(intact))
	}
	if len(hit) > 0 {
		mean := report.Number(floats.Sum(hit) / float64(len(hit)))
		line.Hit = &mean
	}
	j.names, j.back, j.lines = append(j.names, name), append(j.back, kept), append(j.lines, line)
	return nil
}

func (j *stripJob) drawing(shape []int, corrupt string) *Drawing {
	out := &Drawing{Title: "Reconstructions of " + words.Base(j.original.Name), Table: j.table()}
	out.Result = map[string]any{"rows": oneBased(j.rows), "models": j.lines}
	dirty := j.given != j.original
	if dirty {
		out.Lead = fmt.Sprintf("The rows were dirtied by `%s`.", corrupt)
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
	if !pictures(shape, j.given.Dim()) {
		out.Sections = j.curves(names, strips)
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
	out.Sections = sheets(out.Title, text, g)
	return out
}

// curves draws rows that are no images, one chart for each.
func (j *stripJob) curves(names []string, strips [][][]float64) []Section {
	x := report.Axis{Label: "column", Whole: true}
	var at []float64
	if d := j.original.Dim(); d <= 20 && !j.original.Unnamed { // names have room
		x = report.Axis{Names: j.original.Columns}
		for c := range d {
			at = append(at, float64(c))
		}
	}
	var list []Section
	for k, i := range j.rows {
		var lines []report.Series
		for s, name := range names {
			if strips[s][k] == nil {
				continue
			}
			lines = append(lines, report.Series{Name: name, X: at, Y: strips[s][k], Mark: report.Line, Dashed: s == 0, Color: s + 1})
		}
		list = append(list, Section{"", report.Lines("Row "+strconv.Itoa(i+1), x, report.Axis{Label: "value"}, lines...)})
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
