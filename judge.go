package inlier

import (
	"context"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
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
	Gaps    bool  `json:"gaps,omitempty"`    // a missing cell or target costs the verdict on its row, whose kind is missing, in place of refusing the table
	Partly  bool  `json:"partly,omitempty"`  // reasons that need all rows are left out where these do not fit into memory, in place of refusing the table
}

// verdictBytes is about what the verdict on a row takes, with a line of a table.
const verdictBytes = 512

// JudgeResult is the verdict on the rows. Its Table lays it out, its Map draws it.
type JudgeResult = judge.Verdict

// Check refuses what cannot be asked for, before anything is read.
func (j Judge) Check() error {
	if j.Top < 0 {
		return usage("it is a number of rows", "--top %d is not allowed", j.Top)
	}
	return nil
}

// Run reads model and data and judges every row. A table that does not fit into memory is judged in blocks where not all
// rows are asked for.
func (j Judge) Run(ctx context.Context, o Observer) (*JudgeResult, error) {
	return j.Stream(ctx, o, nil)
}

// Stream judges as Run does and hands the rows over as they are judged, in their order, those asked for; the
// worst ones at the end. Nothing is kept of the others, so that a table that does not fit into memory is read and judged in
// blocks, and the result has no rows. A part may be used only during the call.
func (j Judge) Stream(ctx context.Context, o Observer, each func(part *JudgeResult) error) (*JudgeResult, error) {
	ctx = given.AllOrNothing(ctx)
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
		return nil, about("model", usage("inlier inspect shows what a model is", "%s: %s models do not judge rows", m.Name, m.About.Method))
	}
	n := needs{Blocks: true, Missing: j.Gaps, Words: true}
	if each == nil && !j.Flagged && j.Top == 0 {
		n.PerRow = verdictBytes
	}
	t, err := m.table(ctx, j.Data, true, n, r)
	if err != nil {
		return nil, err
	}
	defer t.close()
	p := judge.NewParts(d, t.name(), j.Why)
	p.Gaps = t.gaps
	if t.parts == nil && each == nil {
		r.send(Event{Phase: "judge", Rows: t.set.Rows(), Columns: t.set.Dim()})
		v, err := p.All(ctx, t.set)
		if err != nil {
			return nil, err
		}
		v.Rows = v.Select(j.Flagged, j.Top)
		return v, nil
	}
	return j.inParts(ctx, r, t, p, each)
}

// inParts judges one part after the other.
func (j Judge) inParts(ctx context.Context, r *reporter, t *asked, p *judge.Parts, each func(part *JudgeResult) error) (*JudgeResult, error) {
	keeps := each == nil || j.Top > 0
	if keeps && !j.Flagged && j.Top == 0 {
		if err := t.inMemory("a verdict on every row", "--top and --flagged keep fewer, --out writes a table as it is judged"); err != nil {
			return nil, err
		}
	}
	if p.NeedsAll() {
		err := t.inMemory("a reason why labels are doubtful", "leave --why out")
		switch {
		case err == nil:
			p.Among(t.set)
		case j.Partly:
			p.Silence()
		default:
			return nil, err
		}
	}
	total := p.Total()
	err := t.each(ctx, r, "judge", func(first int, part *dataset.Set) error {
		v, err := p.Judge(ctx, first, part)
		switch {
		case err != nil:
			return err
		case keeps:
			total.Keep(v, j.Flagged, j.Top)
			return nil
		}
		v.Rows = v.Select(j.Flagged, 0)
		return each(v)
	})
	if err != nil {
		return nil, err
	}
	total.Rows, total.Memory = total.Select(false, j.Top), t.bound()
	if keeps && each != nil {
		if err := each(total); err != nil {
			return nil, err
		}
	}
	return total, nil
}
