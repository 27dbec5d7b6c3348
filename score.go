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
	// Whole asks for the table in memory, to be drawn; one that does not fit is refused instead of being read in blocks.
	Whole bool `json:"-"`
}

// ScoreResult holds the metrics.
type ScoreResult struct {
	Method  string                   `json:"method"`
	Data    string                   `json:"data"`
	Rows    int                      `json:"rows"`
	Metrics map[string]report.Number `json:"metrics"`
	Remarks []string                 `json:"remarks,omitempty"`
	Memory  int64                    `json:"memory_bound_bytes,omitempty"` // within which a table that does not fit was read in blocks
	Reads   int                      `json:"reads,omitempty"`              // and how often

	List  []judge.Metric `json:"-"` // in their order, with what they mean
	Model catalog.Model  `json:"-"`
	Set   *dataset.Set   `json:"-"` // what it was measured on; nil: read in blocks
}

// Run reads model and data and measures.
func (s Score) Run(ctx context.Context, o Observer) (*ScoreResult, error) {
	ctx = given.AllOrNothing(ctx)
	r := newReporter("score", o)
	m, err := s.Model.Open()
	if err != nil {
		return nil, err
	}
	t, err := m.table(ctx, s.Data, true, needs{Blocks: true}, r)
	if err != nil {
		return nil, err
	}
	defer t.close()
	rows, columns := t.dims()
	r.send(Event{Phase: "score", Rows: rows, Columns: columns})
	result := &ScoreResult{Method: m.About.Method, Data: t.name(), Rows: rows, Metrics: map[string]report.Number{}, Model: m.Model, Set: t.set, Memory: t.bound()}
	switch {
	case t.parts == nil:
		result.List, err = judge.Measure(ctx, m.Model, t.set)
	case s.Whole:
		err = t.inMemory("a picture of all rows", "leave --plot out")
	default:
		err = result.measure(ctx, r, t)
	}
	if err != nil {
		return nil, err
	}
	for _, x := range result.List {
		result.Metrics[x.Name] = x.Value
	}
	return result, nil
}

// measure measures in blocks.
func (s *ScoreResult) measure(ctx context.Context, r *reporter, t *asked) (err error) {
	g := judge.NewMeasuring(s.Model, s.Rows, t.parts.Room())
	for again := true; again; again = g.Again() {
		if err := t.each(ctx, r, "score", func(_ int, part *dataset.Set) error { return g.Add(ctx, part) }); err != nil {
			return err
		}
	}
	s.Reads = int(t.parts.scans.Load())
	s.List, s.Remarks, err = g.Metrics()
	return err
}
