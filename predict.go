package inlier

import (
	"context"
	"fmt"
	"slices"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
)

// Predict is the job of predicting a number or a class for every row.
type Predict struct {
	Model         Model `json:"model"`
	Data          Data  `json:"data"`
	Probabilities bool  `json:"probabilities,omitempty"` // also those of each class, where the model has them
	Gaps          bool  `json:"gaps,omitempty"`          // a missing cell leaves its row without a prediction, in place of refusing the table
}

// PredictResult holds one prediction per row.
type PredictResult struct {
	Method     string
	Data       string
	Classes    []string
	IDs        []string // names of the rows, where they have names
	Prediction *catalog.Prediction
	Memory     int64 // bytes within which a table that does not fit was read in blocks; 0: it was in memory

	first         int        // number of the first row, from 0
	outside       words.Runs // rows far outside, where predictions are handed over in parts
	probabilities bool
	said          []string // of words that the model has not learned, so far
}

// Run reads model and data and predicts.
func (p Predict) Run(ctx context.Context, o Observer) (*PredictResult, error) {
	return p.Stream(ctx, o, nil)
}

// Stream predicts as Run does and hands predictions over as they are made, in the order of the rows. Nothing is kept of
// them, so that a table that does not fit into memory is read in blocks, and the result has none. A part may be used only during the call.
func (p Predict) Stream(ctx context.Context, o Observer, each func(part *PredictResult) error) (*PredictResult, error) {
	ctx = given.AllOrNothing(ctx)
	r := newReporter("predict", o)
	m, err := p.Model.Open()
	if err != nil {
		return nil, err
	}
	predictor, ok := m.Model.(catalog.Predictor)
	if !ok {
		return nil, about("model", usage("models that reduce rows have scores: inlier transform", "%s: %s models do not predict", m.Name, m.About.Method))
	}
	t, err := m.table(ctx, p.Data, false, needs{Blocks: true, Missing: p.Gaps, Words: true}, r)
	if err != nil {
		return nil, err
	}
	defer t.close()
	result := func(first int, set *dataset.Set) (*PredictResult, error) {
		set, lacking := t.whole(first, set)
		made, err := predictor.Predict(ctx, set.X)
		if err == nil {
			unpredicted(made, lacking)
		}
		return &PredictResult{Method: m.About.Method, Data: t.name(), Classes: m.About.Classes, IDs: set.IDs, Prediction: made, Memory: t.bound(), first: first, probabilities: p.Probabilities, said: t.remarks()}, err
	}
	if each == nil {
		if err := t.inMemory("a prediction for every row", "--out writes a table as it is predicted"); err != nil {
			return nil, err
		}
		r.send(Event{Phase: "predict", Rows: t.set.Rows(), Columns: t.set.Dim()})
		made, err := result(0, t.set)
		if err != nil {
			return nil, err
		}
		return made, nil
	}
	whole := &PredictResult{Method: m.About.Method, Data: t.name(), Classes: m.About.Classes, Memory: t.bound(), outside: words.Runs{Most: mostOutside}}
	err = t.each(ctx, r, "predict", func(first int, part *dataset.Set) error {
		made, err := result(first, part)
		if err != nil {
			return err
		}
		for _, row := range made.Outside() {
			whole.outside.Add(row)
		}
		return each(made)
	})
	if err != nil {
		return nil, err
	}
	whole.said = t.remarks()
	return whole, nil
}

// mostOutside is how many rows, or runs of them, a remark names.
const mostOutside = 10

// Outside are the rows, from 1, that lie far outside of all that the model learned from.
func (r *PredictResult) Outside() []int {
	var rows []int
	if r.Prediction == nil {
		return nil
	}
	for i, far := range r.Prediction.Outside {
		if far {
			rows = append(rows, r.first+i+1)
		}
	}
	return rows
}

// Remarks are what the user of the predictions should know.
func (r *PredictResult) Remarks() []string {
	runs := r.outside
	runs.Most = mostOutside
	for _, row := range r.Outside() {
		runs.Add(row)
	}
	if runs.Count == 0 {
		return r.said
	}
	return append(slices.Clone(r.said), fmt.Sprintf("%s far outside the range of the rows that the model learned from; predictions there are guesses: %s",
		words.Plural(runs.Count, "row"), runs.String()))
}

// MarshalJSON writes one object per row, with the columns of the table as keys.
func (r *PredictResult) MarshalJSON() ([]byte, error) {
	return report.JSON(struct {
		Method  string           `json:"method"`
		Data    string           `json:"data"`
		Rows    []map[string]any `json:"rows"`
		Outside []int            `json:"outside,omitempty"`
		Remarks []string         `json:"remarks,omitempty"`
	}{r.Method, r.Data, r.Table().Objects(), r.Outside(), r.Remarks()})
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
