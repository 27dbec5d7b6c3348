package inlier

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/version"
	"github.com/inlier-ml/inlier/onnx"
)

// Export is the job of writing a model as ONNX, for programs and services that run such files.
//
// The graph takes the numeric columns of a row as X, and every text column that the model has coded as an input of its
// own, and computes what the model would: scores, reconstruction, distances and the verdict of a subspace; predictions;
// scores, probabilities and labels. Any number of rows may be asked at a time; one that is not complete, or has a text that the
// model does not know, has NaN for numbers, no label (-1) and is an outlier; one of numbers beyond 1e150 is infinitely far from everything,
// and its nearest class the first. Column names, classes, method and version
// stand beside it as metadata.
type Export struct {
	Model Model `json:"model"`
	// Float32 lets numbers of 32 bits enter and leave; inside the graph has 64.
	Float32 bool `json:"float32,omitempty"`
}

// ExportResult is an ONNX model.
type ExportResult struct {
	Method  string         `json:"method"`
	Inputs  []ExportTensor `json:"inputs"`
	Outputs []ExportTensor `json:"outputs"`
	Bytes   int            `json:"bytes"`

	Content []byte `json:"-"` // the file
}

// ExportTensor is an input or output of an ONNX model: one line per row of the data.
type ExportTensor struct {
	Name    string `json:"name"`
	Element string `json:"element"`           // as ONNX calls it: double, float, int64, string, bool
	Columns int    `json:"columns,omitempty"` // 0: one element per row
	Meaning string `json:"meaning,omitempty"`
}

// Run reads the model and makes the graph.
func (e Export) Run(ctx context.Context, o Observer) (*ExportResult, error) {
	ctx = given.AllOrNothing(ctx)
	newReporter("export", o).phase("export")
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m, err := e.Model.Open()
	if err != nil {
		return nil, err
	}
	g := onnx.New(e.Float32)
	rows, err := m.exportInputs(g)
	if err != nil {
		return nil, err
	}
	outputs, err := catalog.Export(m.Model, g, rows)
	if err != nil {
		return nil, about("model", err)
	}
	for _, t := range outputs {
		for _, in := range g.Inputs() {
			if in.Name == t.Name {
				return nil, about("model", usage("rename the column and fit again", "the text column %q is called as an output of the graph is", t.Name))
			}
		}
		g.Output(t)
	}
	for _, note := range [][2]string{{"method", m.About.Method}, {"version", version.String()}, {"columns", list(m.About.ColumnNames)}, {"classes", list(m.About.Classes)}, {"target", m.About.Target}, {"loss", m.About.Loss}} {
		if note[1] != "" {
			g.Note(note[0], note[1])
		}
	}
	text := fmt.Sprintf("%s, fitted to %d rows of %d columns", m.About.Method, m.About.Rows, m.About.Columns)
	r := &ExportResult{Method: m.About.Method, Inputs: tensors(g.Inputs()), Outputs: tensors(g.Outputs()), Content: g.Bytes("inlier", version.String(), text)}
	r.Bytes = len(r.Content)
	return r, nil
}

// exportInputs gives a graph the columns of the model as they are in files and codes texts.
func (m *Opened) exportInputs(g *onnx.Graph) (onnx.Value, error) {
	names, coder := m.About.ColumnNames, m.Input.Coder
	raw := coder.Raw(names)
	numbers := 0
	for _, name := range raw {
		if coder.Of(name) == nil {
			numbers++
		}
	}
	if coder == nil || numbers == len(raw) {
		return g.Input(onnx.Tensor{Name: "X", Columns: []int{m.About.Columns}, Meaning: "the columns of the model, in their order"}), nil
	}
	var x onnx.Value
	if numbers > 0 {
		x = g.Input(onnx.Tensor{Name: "X", Columns: []int{numbers}, Meaning: "the numeric columns of the model, in their order"})
	}
	var parts []onnx.Value
	var made []string
	at := 0
	for _, name := range raw {
		c := coder.Of(name)
		if c == nil {
			parts, made = append(parts, g.With("Gather", map[string]any{"axis": 1}, x, g.Integers(at))), append(made, name)
			at++
			continue
		}
		if name == "X" || onnx.Inner(name) {
			return "", usage("rename the column and fit again", "a text column is called %s, as the input of numbers or a step within the graph is", name)
		}
		texts := g.Input(onnx.Tensor{Name: name, Element: onnx.Text, Columns: []int{1}, Meaning: "text column; known: " + list(c.Levels)})
		if c.OneHot {
			hot := g.Learned("OneHotEncoder", map[string]any{"cats_strings": c.Levels, "zeros": 1}, texts)
			places := g.Wide(g.Do("Reshape", hot, g.Integers(-1, len(c.Levels))))
			known := g.Do("Equal", g.Sum(places, len(c.Levels)), g.Number(1)) // a row that is not must not stop the others
			parts = append(parts, g.Do("Where", known, places, g.Number(math.NaN())))
		} else {
			codes := make([]float32, len(c.Levels))
			for k := range codes {
				codes[k] = float32(k)
			}
			parts = append(parts, g.Wide(g.Learned("LabelEncoder", map[string]any{"keys_strings": c.Levels, "values_floats": codes, "default_float": float32(math.NaN())}, texts)))
		}
		made = append(made, c.Names()...)
	}
	if !slices.Equal(made, names) {
		return "", usage("", "columns of the model do not follow from those of the file")
	}
	return g.Beside(parts...), nil
}

// list is a list as JSON; none: nothing.
func list(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	out, err := json.Marshal(texts)
	if err != nil {
		panic("inlier: a list of texts: " + err.Error())
	}
	return string(out)
}

func tensors(of []onnx.Tensor) []ExportTensor {
	words := map[onnx.Element]string{onnx.Double: "double", onnx.Single: "float", onnx.Integer: "int64", onnx.Text: "string", onnx.Flag: "bool"}
	out := make([]ExportTensor, len(of))
	for k, t := range of {
		out[k] = ExportTensor{Name: t.Name, Element: words[t.Element], Meaning: t.Meaning}
		if t.Columns != nil {
			out[k].Columns = t.Columns[0]
		}
	}
	return out
}
