package inlier

import (
	"context"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/judge"
	"github.com/inlier-ml/inlier/report"
)

// Score is the job of measuring a model on data by the metrics that fit its task.
type Score struct {
	Model Model `json:"model"`
	Data  Data  `json:"data"`
}

// ScoreResult holds the metrics.
type ScoreResult struct {
	Method  string                   `json:"method"`
	Data    string                   `json:"data"`
	Rows    int                      `json:"rows"`
	Metrics map[string]report.Number `json:"metrics"`

	List  []judge.Metric `json:"-"` // in their order, with what they mean
	Model catalog.Model  `json:"-"`
	Set   *dataset.Set   `json:"-"` // what it was measured on
}

// Run reads model and data and measures.
func (s Score) Run(ctx context.Context, o Observer) (*ScoreResult, error) {
	ctx = given.Context(ctx)
	r := newReporter("score", o)
	m, err := s.Model.Open()
	if err != nil {
		return nil, err
	}
	set, err := m.read(ctx, s.Data, true, r)
	if err != nil {
		return nil, err
	}
	r.send(Event{Phase: "score", Rows: set.Rows(), Columns: set.Dim()})
	list, err := judge.Measure(ctx, m.Model, set)
	if err != nil {
		return nil, err
	}
	result := &ScoreResult{Method: m.About.Method, Data: set.Name, Rows: set.Rows(), Metrics: map[string]report.Number{}, List: list, Model: m.Model, Set: set}
	for _, x := range list {
		result.Metrics[x.Name] = x.Value
	}
	return result, nil
}
