package inlier

import (
	"context"
	"fmt"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
)

// Predict is the job of predicting a number or a class for every row.
type Predict struct {
	Model         Model `json:"model"`
	Data          Data  `json:"data"`
	Probabilities bool  `json:"probabilities,omitempty"` // also those of each class, where the model has them
}

// PredictResult holds one prediction per row.
type PredictResult struct {
	Method     string
	Data       string
	Classes    []string
	IDs        []string // names of the rows, where they have names
	Prediction *catalog.Prediction

	probabilities bool
}

// Run reads model and data and predicts.
func (p Predict) Run(ctx context.Context, o Observer) (*PredictResult, error) {
	ctx = given.Context(ctx)
	r := newReporter("predict", o)
	m, err := p.Model.Open()
	if err != nil {
		return nil, err
	}
	predictor, ok := m.Model.(catalog.Predictor)
	if !ok {
		return nil, about("model", usage("models that reduce rows have scores: inlier transform", "%s: a %s model does not predict", m.Name, m.About.Method))
	}
	set, err := m.read(ctx, p.Data, false, r)
	if err != nil {
		return nil, err
	}
	r.send(Event{Phase: "predict", Rows: set.Rows(), Columns: set.Dim()})
	made, err := predictor.Predict(ctx, set.X)
	if err != nil {
		return nil, err
	}
	return &PredictResult{Method: m.About.Method, Data: set.Name, Classes: m.About.Classes, IDs: set.IDs, Prediction: made, probabilities: p.Probabilities}, nil
}

// Outside are the rows, from 1, that lie far outside of all that the model learned from.
func (r *PredictResult) Outside() []int {
	var rows []int
	for i, far := range r.Prediction.Outside {
		if far {
			rows = append(rows, i+1)
		}
	}
	return rows
}

// Remarks are what the user of the predictions should know.
func (r *PredictResult) Remarks() []string {
	rows := r.Outside()
	if rows == nil {
		return nil
	}
	return []string{fmt.Sprintf("%s far outside the range of the rows that the model learned from; predictions there are guesses: %s",
		words.Plural(len(rows), "row"), words.Ranges(rows, 10))}
}

// MarshalJSON writes one object per row, with the columns of the table as keys.
func (r *PredictResult) MarshalJSON() ([]byte, error) {
	return report.JSON(struct {
		Method  string           `json:"method"`
		Data    string           `json:"data"`
		Rows    []map[string]any `json:"rows"`
		Outside []int            `json:"outside,omitempty"`
	}{r.Method, r.Data, r.Table().Objects(), r.Outside()})
}

// Table lays predictions out: a column "prediction" for regression; for classification a
// column "label", one score column per class, and the probabilities if asked for.
func (r *PredictResult) Table() *report.Table {
	p, t := r.Prediction, &report.Table{}
	name := func(k int) string {
		if k < 0 { // of a row with a missing number
			return ""
		}
		if k < len(r.Classes) {
			return r.Classes[k]
		}
		return fmt.Sprint(k)
	}
	n := len(p.Values)
	switch {
	case p.Values != nil:
		t.Columns = []report.Column{{Name: "prediction", Format: report.Value}}
	default:
		n = len(p.Labels)
		t.Columns = []report.Column{{Name: "label"}}
		if p.Scores != nil {
			_, k := p.Scores.Dims()
			for j := range k {
				t.Columns = append(t.Columns, report.Column{Name: "score_" + name(j), Format: "%.6g"})
			}
		}
		if r.probabilities && p.Probabilities != nil {
			_, k := p.Probabilities.Dims()
			for j := range k {
				t.Columns = append(t.Columns, report.Column{Name: "probability_" + name(j), Format: "%.6g"})
			}
		}
	}
	for i := range n {
		var cells []any
		if p.Values != nil {
			cells = append(cells, p.Values[i])
		} else {
			cells = append(cells, name(p.Labels[i]))
			if p.Scores != nil {
				for _, v := range p.Scores.RawRowView(i) {
					cells = append(cells, v)
				}
			}
			if r.probabilities && p.Probabilities != nil {
				for _, v := range p.Probabilities.RawRowView(i) {
					cells = append(cells, v)
				}
			}
		}
		t.Rows = append(t.Rows, cells)
	}
	nameRows(t, r.IDs)
	return t
}
