package classify

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/internal/belief"
	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/internal/scaling"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
	"github.com/inlier-ml/inlier/verdict"
)

// parts is everything a model consists of, for saving and restoring.
type parts struct {
	Method        string // square, hinge, logistic, regmaxcem
	Kernel        string // text form with its gamma
	Approximation Approximation
	Scaling       scaling.Scaling  // of the columns
	Places        *scaling.Classes // where the classes lie; nil: not known, in files of old
	Coef          *mat.Dense       // k x columns (linear), x support rows (kernel) or x features (Fourier)
	Intercept     []float64
	Support       *mat.Dense   // scaled rows that the kernel compares with; nil: linear, Fourier
	Frequencies   *mat.Dense   // of Fourier features; nil: others
	Belief        *belief.Rule // probabilities and doubtful labels; nil: not calibrated
	Known         belief.Known // what held-out scores said of the labels of training rows
	Sigmoids      []plattCurve // one per class, in files of old; nil: none
	Own           bool         // scores are log-odds by themselves
	Joint         bool         // of all classes together
	Weights       []float64    // of the training rows, or of rows and classes, in the end
	PerElement    bool
	Lambda        float64 // penalty beside the mean loss; 0: not known, in files of old
	Loss          string  // of robust machines, with its bandwidth
	BestCutoff    float64 // a row whose best score is below is far from all classes
	Steps         []irls.Step
	Status        irls.Status
}

// Model is a trained machine.
type Model struct {
	parts    parts
	kernel   kernel.Kernel
	loss     loss.Scaled
	full     float64 // weight of the loss that counts as 1
	warnings []warning
	left     *scaling.Left // rows left out because of their inputs; nil: none
	training *verdict.Rows
	right    int       // training rows whose label the model gives
	rows     int       // where nothing is kept of single ones; else 0
	seen     *manyLook // what the last reading of rows that are not in memory has found; else nil
	kept     archive.Kept
}

// Rows is the number of training rows.
func (m *Model) Rows() int {
	if m.rows > 0 {
		return m.rows
	}
	if m.parts.PerElement {
		return len(m.parts.Weights) / len(m.parts.Intercept)
	}
	return len(m.parts.Weights)
}

// Loss is the loss of a robust machine at its final bandwidth, nil for the others.
func (m *Model) Loss() loss.Scaled { return m.loss }

// Training is the verdict on the training rows; nil for models read from a file, and of rows that were not in memory.
func (m *Model) Training() *verdict.Rows { return m.training }

// OutlyingRows are the outlying training rows, from 0, of a table that was not in memory; false of every other model, and where
// they are too many to be named.
func (m *Model) OutlyingRows() (rows []int, known bool) {
	if m.seen == nil || m.seen.Flagged != len(m.seen.Rows) {
		return nil, false
	}
	return slices.Clone(m.seen.Rows), true
}

// counts are how many training rows are outliers, and of which kind.
func (m *Model) counts() (all, doubtful, far int) {
	if m.seen != nil {
		return m.seen.Flagged, m.seen.Doubtful, m.seen.Far
	}
	return m.training.Count(), m.training.CountKind(verdict.DoubtfulLabel), m.training.CountKind(verdict.FarFromAll)
}

// fromParts makes a model again; it checks that the parts fit together.
func fromParts(p parts) (*Model, error) {
	m := &Model{parts: p}
	bad := func(format string, args ...any) (*Model, error) {
		return nil, fmt.Errorf("classify: model: "+format, args...)
	}
	if p.Coef == nil {
		return bad("coefficients are missing")
	}
	k, columns := p.Coef.Dims()
	d := len(p.Scaling.Offset)
	if len(p.Intercept) != k || k < 2 {
		return bad("%d classes and %d intercepts", k, len(p.Intercept))
	}
	if d == 0 || !p.Scaling.Valid(d) {
		return bad("scaling of %d and %d columns, or with a number that is none", d, len(p.Scaling.Scale))
	}
	var err error
	if m.kernel, err = kernel.Parse(p.Kernel); err != nil {
		return nil, err
	}
	want := d
	switch {
	case p.Support != nil:
		rows, width := p.Support.Dims()
		if want = rows; width != d {
			return bad("support rows of %d numbers for %d columns", width, d)
		}
	case p.Frequencies != nil:
		width, half := p.Frequencies.Dims()
		if want = 2 * half; width != d {
			return bad("frequencies of %d columns for %d", width, d)
		}
	case m.kernel.Kind != kernel.Linear:
		return bad("kernel %s without support rows", p.Kernel)
	}
	if columns != want {
		return bad("%d coefficients per class, want %d", columns, want)
	}
	if p.Sigmoids != nil && len(p.Sigmoids) != k {
		return bad("%d sigmoids for %d classes", len(p.Sigmoids), k)
	}
	if p.Belief != nil && (len(p.Belief.Shift) != k || len(p.Belief.Confidence) != k) {
		return bad("probabilities of %d classes for %d", len(p.Belief.Shift), k)
	}
	if p.Loss != "" {
		spec, err := loss.Parse(p.Loss)
		if err != nil {
			return nil, err
		}
		m.loss = spec.At(spec.Rule().Value)
		m.full = fullWeight(m.loss)
	}
	return m, nil
}

// Columns is how many numbers a row has.
func (m *Model) Columns() int { return len(m.parts.Scaling.Offset) }

// Classes is how many classes there are.
func (m *Model) Classes() int { return len(m.parts.Intercept) }

func (m *Model) dims() (columns, classes int) {
	return len(m.parts.Scaling.Offset), len(m.parts.Intercept)
}

// Status tells how the fit ended.
func (m *Model) Status() irls.Status { return m.parts.Status }

// Steps is the trace of the fit.
func (m *Model) Steps() []irls.Step { return m.parts.Steps }

// warning is a remark on the fit.
type warning struct {
	Class int // that it is about; -1: none in particular
	Text  string
}

// Warnings are remarks on the fit.
func (m *Model) Warnings() []string {
	if d, ok := m.kept.Description(); ok {
		return d.Warnings
	}
	return m.named(archive.Names{})
}

// bandwidth is the bandwidth of a robust machine, 0 for the others.
func (m *Model) bandwidth() float64 {
	if m.loss == nil {
		return 0
	}
	return m.loss.Scale()
}

// Weights of the training rows: the mean over classes where each had its own. Of rows that were not in memory there are none.
func (m *Model) Weights() []float64 {
	if !m.parts.PerElement {
		return m.parts.Weights
	}
	k := len(m.parts.Intercept)
	out := make([]float64, len(m.parts.Weights)/k)
	for i := range out {
		out[i] = total(m.parts.Weights[i*k:(i+1)*k]) / float64(k)
	}
	return out
}

// Probabilistic tells whether the model gives probabilities.
func (m *Model) Probabilistic() bool {
	return m.parts.Own || m.parts.Belief != nil || m.parts.Sigmoids != nil
}

// Scores returns the decision score of every class for every row.
func (m *Model) Scores(ctx context.Context, x *mat.Dense) (*mat.Dense, error) {
	ctx = given.Context(ctx)
	n, d := x.Dims()
	if d != len(m.parts.Scaling.Offset) {
		return nil, &refusal.ColumnsError{Columns: d, Want: len(m.parts.Scaling.Offset), Problem: fmt.Sprintf("rows of %d columns; the model was trained on %d", d, len(m.parts.Scaling.Offset))}
	}
	if n == 0 {
		return nil, refusal.Few(0, 1, "no rows to classify")
	}
	if err := checkFinite(x); err != nil {
		return nil, err
	}
	k := len(m.parts.Intercept)
	out := mat.NewDense(n, k, nil)
	for first := 0; first < n; first += mapRows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		last := min(first+mapRows, n)
		rows := m.parts.Scaling.Apply(x.Slice(first, last, 0, d).(*mat.Dense))
		var features kernel.Map
		switch {
		case m.parts.Frequencies != nil:
			features = &kernel.Fourier{Frequencies: m.parts.Frequencies}
		case m.parts.Support != nil:
			features = &kernel.Landmarks{Kernel: m.kernel, Points: m.parts.Support}
		}
		if features != nil {
			var err error
			if rows, err = kernel.Transform(features, rows); err != nil {
				return nil, err
			}
		}
		to := out.Slice(first, last, 0, k).(*mat.Dense)
		linalg.Mul(to, rows, m.parts.Coef.T())
		for i := range last - first {
			row := to.RawRowView(i)
			for l, b := range m.parts.Intercept {
				row[l] += b
			}
		}
	}
	return out, nil
}

// Predict classifies rows: the most probable class, or, of a model without probabilities, the one
// with the highest score; the first of equals.
func (m *Model) Predict(ctx context.Context, x *mat.Dense) (*verdict.Prediction, error) {
	ctx = given.Context(ctx)
	scores, err := m.Scores(ctx, x)
	if err != nil {
		return nil, err
	}
	n, _ := scores.Dims()
	p := &verdict.Prediction{Labels: make([]int, n), Scores: scores, Probabilities: m.probabilities(scores)}
	for i := range n {
		p.Labels[i] = m.best(scores.RawRowView(i))
	}
	return p, nil
}

// Effective is the effective number of training rows.
func (m *Model) Effective() float64 {
	if m.seen != nil {
		return m.seen.effective()
	}
	return loss.EffectiveSampleSize(m.Weights())
}

// Objective is the last objective of the trace.
func (m *Model) Objective() float64 {
	if len(m.parts.Steps) == 0 {
		return math.NaN()
	}
	return m.parts.Steps[len(m.parts.Steps)-1].Objective
}
