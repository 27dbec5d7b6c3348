package inlier

import (
	"context"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/judge"
)

// Judge is the job of judging the rows of a table by a model: which are outliers, of
// what kind, and why.
type Judge struct {
	Model   Model `json:"model"`
	Data    Data  `json:"data"`
	Why     bool  `json:"why,omitempty"`     // name the columns that make a row an outlier
	Flagged bool  `json:"flagged,omitempty"` // only the rows that are outliers
	Top     int   `json:"top,omitempty"`     // only so many rows, the worst first; 0: all
}

// JudgeResult is the verdict on the rows. Its Table lays it out, its Map draws it.
type JudgeResult = judge.Verdict

// Check refuses what cannot be asked for, before anything is read.
func (j Judge) Check() error {
	if j.Top < 0 {
		return usage("it is a number of rows", "--top %d is not allowed", j.Top)
	}
	return nil
}

// Run reads model and data and judges every row.
func (j Judge) Run(ctx context.Context, o Observer) (*JudgeResult, error) {
	ctx = given.Context(ctx)
	if err := j.Check(); err != nil {
		return nil, err
	}
	r := newReporter("judge", o)
	m, err := j.Model.Open()
	if err != nil {
		return nil, err
	}
	d, ok := m.Model.(catalog.Detector)
	if !ok {
		return nil, about("model", usage("inlier inspect shows what a model is", "%s: a %s model does not judge rows", m.Name, m.About.Method))
	}
	set, err := m.read(ctx, j.Data, true, r)
	if err != nil {
		return nil, err
	}
	r.send(Event{Phase: "judge", Rows: set.Rows(), Columns: set.Dim()})
	v, err := judge.All(ctx, d, set, j.Why)
	if err != nil {
		return nil, err
	}
	v.Rows = v.Select(j.Flagged, j.Top)
	return v, nil
}
