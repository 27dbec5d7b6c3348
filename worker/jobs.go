package worker

import (
	"bytes"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/version"
	"github.com/inlier-ml/inlier/judge"
	"github.com/inlier-ml/inlier/model"
	"github.com/inlier-ml/inlier/verdict"
)

// jobs are what can be asked for.
var jobs = map[string]func(*call) (*answer, error){
	"hello": hello, "methods": methods,
	"fit": fit, "load": load, "predict": predict, "transform": transform, "reconstruct": reconstruct, "judge": judgeRows, "export": export,
	"check": check, "page": page, "model": checkModel,
}

// hello tells who answers.
func hello(*call) (*answer, error) {
	return &answer{Result: map[string]any{"version": version.String(), "protocol": magic}}, nil
}

func methods(*call) (*answer, error) { return &answer{Result: inlier.Methods()}, nil }

// set is the table of a request.
func (c *call) set() (*dataset.Set, error) {
	if c.X == nil {
		return nil, fmt.Errorf("worker: %s came without rows", c.Job)
	}
	x, err := c.X.matrix(c.frames)
	if err != nil {
		return nil, err
	}
	s := &dataset.Set{Name: "X", X: x, Columns: c.Names, Shape: c.Shape}
	if s.Columns == nil {
		if s, err = dataset.FromMatrix(x, nil); err != nil {
			return nil, err
		}
		s.Name, s.Shape, s.Unnamed = "X", c.Shape, true
	}
	if c.Y == nil {
		return s, nil
	}
	y, err := c.Y.floats(c.frames)
	if err != nil {
		return nil, err
	}
	s.Target = &dataset.Target{Name: c.Target, Classes: c.Classes}
	if s.Target.Name == "" {
		s.Target.Name = "y"
	}
	if c.Classes == nil {
		s.Target.Values = y
		return s, nil
	}
	s.Target.Labels = make([]int, len(y))
	for i, k := range y {
		if s.Target.Labels[i] = int(k); !(k >= -1 && k < float64(len(c.Classes))) {
			return nil, fmt.Errorf("worker: row %d has class %g of %d", i+1, k, len(c.Classes))
		}
	}
	return s, nil
}

// fit fits. The model that is kept is that of its file: it holds nothing of the table.
func fit(c *call) (*answer, error) {
	job := inlier.Fit{}
	if err := c.decode(&job); err != nil {
		return nil, err
	}
	set, err := c.set()
	if err != nil {
		return nil, err
	}
	if c.Weights != nil {
		if job.Weights, err = c.Weights.floats(c.frames); err != nil {
			return nil, err
		}
	}
	job.Data = inlier.Data{Set: set, Constant: "keep"}
	done, err := job.Run(c, c.observer())
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	if err := done.Fitted().Write(&file); err != nil {
		return nil, err
	}
	a := &answer{Result: done}
	a.add("model", "uint8", file.Bytes(), file.Len())
	weights, err := votes(c, done, set)
	if err != nil {
		return nil, err
	}
	a.numbers("weights", weights)
	outlier := make([]byte, set.Rows())
	for _, row := range done.OutlierRows {
		outlier[row-1] = 1
	}
	a.add("outliers", "bool", outlier, len(outlier))
	done.OutlierRows = nil
	opened, err := read(file.Bytes())
	if err != nil {
		return nil, err
	}
	a.Handle = c.keep(opened)
	return a, nil
}

// votes are what the loss gave the training rows: as the model has kept them, else asked again, in parts; 1 each where
// there is no loss.
func votes(c *call, done *inlier.FitResult, set *dataset.Set) ([]float64, error) {
	m := done.Fitted().Value
	kept := m.State().Arrays["weights"]
	if len(kept.Data) == set.Rows() {
		return kept.Data, nil
	}
	out := slices.Repeat([]float64{1}, set.Rows())
	d, ok := m.(catalog.Detector)
	if !ok || done.Loss == "" && len(kept.Data) == 0 {
		return out, nil
	}
	const part = 1 << 16
	for from := 0; from < len(out); from += part {
		rows := make([]int, min(part, len(out)-from))
		for i := range rows {
			rows[i] = from + i
		}
		judged, err := d.Outliers(c, set.Subset(rows))
		if err != nil {
			return nil, err
		}
		copy(out[from:], judged.Weight)
	}
	return out, nil
}

// read makes a model of the bytes of its file.
func read(file []byte) (*inlier.Model, error) {
	content, err := model.Read(bytes.NewReader(file), int64(len(file)), "model")
	if err != nil {
		return nil, err
	}
	m, err := content.Model()
	if err != nil {
		return nil, err
	}
	return &inlier.Model{Value: m, Input: content.Input}, nil
}

// load keeps the model of a file that the request holds.
func load(c *call) (*answer, error) {
	if c.From == nil {
		return nil, fmt.Errorf("worker: load came without a file")
	}
	file, err := c.From.bytes(c.frames)
	if err != nil {
		return nil, err
	}
	m, err := read(file)
	if err != nil {
		return nil, err
	}
	return &answer{Handle: c.keep(m)}, nil
}

// asked is the model and the table of a request.
func (c *call) asked() (inlier.Model, inlier.Data, error) {
	m, err := thing[*inlier.Model](c)
	if err != nil {
		return inlier.Model{}, inlier.Data{}, err
	}
	set, err := c.set()
	return *m, inlier.Data{Set: set}, err
}

func predict(c *call) (*answer, error) {
	m, data, err := c.asked()
	if err != nil {
		return nil, err
	}
	done, err := inlier.Predict{Model: m, Data: data, Probabilities: true}.Run(c, c.observer())
	if err != nil {
		return nil, err
	}
	a, p := &answer{}, done.Prediction
	a.numbers("values", p.Values)
	if p.Labels != nil {
		labels := make([]int64, len(p.Labels))
		for i, k := range p.Labels {
			labels[i] = int64(k)
		}
		a.add("labels", "int64", raw(labels), len(labels))
	}
	a.table("scores", p.Scores)
	a.table("probabilities", p.Probabilities)
	return a, nil
}

// table puts a matrix into the answer; nil is left out.
func (a *answer) table(name string, x *mat.Dense) {
	if x == nil {
		return
	}
	n, d := x.Dims()
	v := x.RawMatrix()
	if v.Stride != d {
		v = mat.DenseCopyOf(x).RawMatrix()
	}
	a.numbers(name, v.Data, n, d)
}

func transform(c *call) (*answer, error) {
	m, data, err := c.asked()
	if err != nil {
		return nil, err
	}
	return rows(inlier.Transform{Model: m, Data: data}.Run(c, c.observer()))
}

func reconstruct(c *call) (*answer, error) {
	m, data, err := c.asked()
	if err != nil {
		return nil, err
	}
	return rows(inlier.Reconstruct{Model: m, Data: data}.Run(c, c.observer()))
}

func rows(done *inlier.RowsResult, err error) (*answer, error) {
	if err != nil {
		return nil, err
	}
	a := &answer{}
	a.table("rows", done.Set.X)
	return a, nil
}

// judgeRows answers column by column; kinds are places in a list.
func judgeRows(c *call) (*answer, error) {
	m, data, err := c.asked()
	if err != nil {
		return nil, err
	}
	job := inlier.Judge{}
	if err := c.decode(&job); err != nil {
		return nil, err
	}
	job.Model, job.Data = m, data
	done, err := job.Run(c, c.observer())
	if err != nil {
		return nil, err
	}
	n := len(done.Rows)
	number, weight, outlier, kind := make([]int64, n), make([]float64, n), make([]bool, n), make([]int64, n)
	var distances [3][]float64
	kinds, why, suggested := []verdict.Kind{}, make([]string, n), make([]string, n)
	for i := range done.Rows {
		r := &done.Rows[i]
		number[i], weight[i], outlier[i] = int64(r.Row-1), float64(r.Weight), r.Outlier
		at := slices.Index(kinds, r.Kind)
		if at < 0 {
			at, kinds = len(kinds), append(kinds, r.Kind)
		}
		kind[i] = int64(at)
		for k, v := range []*float64{(*float64)(r.Orthogonal), (*float64)(r.Score), (*float64)(r.Residual)} {
			if v != nil {
				if distances[k] == nil {
					distances[k] = make([]float64, n)
				}
				distances[k][i] = *v
			}
		}
		why[i], suggested[i] = judge.ReasonText(r.Why), r.Suggested
	}
	about := map[string]any{"kinds": kinds, "outliers": done.Outliers, "orthogonal_cutoff": done.Orthogonal, "score_cutoff": done.Score, "residual_cutoff": done.Residual}
	if job.Why {
		about["why"] = why
	}
	if slices.ContainsFunc(suggested, func(s string) bool { return s != "" }) {
		about["suggested"] = suggested
	}
	a := &answer{Result: about}
	a.add("row", "int64", raw(number), n)
	a.numbers("weight", weight)
	a.numbers("orthogonal_distance", distances[0])
	a.numbers("score_distance", distances[1])
	a.numbers("residual", distances[2])
	a.add("outlier", "bool", raw(outlier), n)
	a.add("kind", "int64", raw(kind), n)
	return a, nil
}

func export(c *call) (*answer, error) {
	m, err := thing[*inlier.Model](c)
	if err != nil {
		return nil, err
	}
	job := inlier.Export{}
	if err := c.decode(&job); err != nil {
		return nil, err
	}
	job.Model = *m
	done, err := job.Run(c, nil)
	if err != nil {
		return nil, err
	}
	a := &answer{Result: done}
	a.add("onnx", "uint8", done.Content, len(done.Content))
	return a, nil
}
