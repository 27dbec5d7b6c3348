package elm

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// Plain is the extreme learning machine of Huang, Zhu and Siew (2006): the output weights
// of least norm among those that fit best, by pseudo-inverse. Options.Lambda is ignored.
type Plain struct{ Options }

// Fit learns targets, n x k, from the rows of src.
func (m Plain) Fit(ctx context.Context, src linalg.Source, targets *mat.Dense) (*Model, error) {
	m.Lambda = -1
	return m.fit(ctx, src, targets, plan{method: "elm"})
}

// FitBeside learns the last column of a table, which has to fit into memory: nothing but all rows tells its nodes apart.
func (m Plain) FitBeside(ctx context.Context, table linalg.Source, classes int) (*Model, error) {
	m.Lambda = -1
	return m.fitBeside(ctx, table, classes, plan{method: "elm"})
}

// Ridge is the regularised extreme learning machine: squares plus a penalty, eq. (20) of
// the kmpe paper.
type Ridge struct{ Options }

// Fit learns targets, n x k, from the rows of src.
func (m Ridge) Fit(ctx context.Context, src linalg.Source, targets *mat.Dense) (*Model, error) {
	return m.fit(ctx, src, targets, plan{method: "relm"})
}

// FitBeside learns the last column of a table from the others: numbers, or with Labels indices of so many classes. A
// table with many rows that is not in memory is read for a sample, and then until the output weights of all
// rows have settled, mostly twice; the model has neither weights of the rows nor a verdict on each.
func (m Ridge) FitBeside(ctx context.Context, table linalg.Source, classes int) (*Model, error) {
	return m.fitBeside(ctx, table, classes, plan{method: "relm"})
}

// RCC is ELM-RCC: correntropy, Gaussian weights of the errors.
type RCC struct {
	Options
	// Sigma is the bandwidth. Zero: auto, 2.11 robust scales of the errors.
	Sigma loss.Rule
	// Rescale tells when an open bandwidth is recomputed.
	Rescale irls.Rescale
}

// Fit learns targets, n x k, from the rows of src.
func (m RCC) Fit(ctx context.Context, src linalg.Source, targets *mat.Dense) (*Model, error) {
	pl, err := m.plan()
	if err != nil {
		return nil, err
	}
	return m.fit(ctx, src, targets, pl)
}

// FitBeside is [Ridge.FitBeside] with weights, mostly of five readings.
func (m RCC) FitBeside(ctx context.Context, table linalg.Source, classes int) (*Model, error) {
	pl, err := m.plan()
	if err != nil {
		return nil, err
	}
	return m.fitBeside(ctx, table, classes, pl)
}

func (m RCC) plan() (plan, error) {
	return KMPE{P: 2, Sigma: m.Sigma, Rescale: m.Rescale}.plan("elm-rcc")
}

// KMPE is ELM-KMPE, Algorithm 1 of the kmpe paper: the loss (1 - exp(-e^2/2sigma^2))^(p/2).
type KMPE struct {
	Options
	// P is the power. Zero: 2, which is correntropy.
	P float64
	// Sigma is the bandwidth. Zero: auto, 2.11 robust scales of the errors.
	Sigma loss.Rule
	// Rescale tells when an open bandwidth is recomputed.
	Rescale irls.Rescale
}

// Fit learns targets, n x k, from the rows of src.
func (m KMPE) Fit(ctx context.Context, src linalg.Source, targets *mat.Dense) (*Model, error) {
	pl, err := m.plan("elm-kmpe")
	if err != nil {
		return nil, err
	}
	return m.fit(ctx, src, targets, pl)
}

// FitBeside is [Ridge.FitBeside] with weights, mostly of five readings.
func (m KMPE) FitBeside(ctx context.Context, table linalg.Source, classes int) (*Model, error) {
	pl, err := m.plan("elm-kmpe")
	if err != nil {
		return nil, err
	}
	return m.fitBeside(ctx, table, classes, pl)
}

func (m KMPE) plan(method string) (plan, error) {
	spec, err := loss.Parse("kmpe")
	if err == nil && m.P != 0 {
		spec, err = spec.With("p", number64(m.P))
	}
	if err == nil {
		err = m.Sigma.Check()
	}
	if err != nil {
		return plan{}, err
	}
	return plan{method: method, spec: spec.WithRule(m.Sigma), robust: true, rescale: m.Rescale}, nil
}

// Robust is an extreme learning machine with any loss. The zero value is robust.
type Robust struct {
	Options
	// Loss of the errors, from a text (loss.Parse) or of one's own. Nil: DefaultLoss.
	Loss loss.Loss
	// Rescale tells when an open bandwidth is recomputed.
	Rescale irls.Rescale
}

// DefaultLoss is Welsch's loss at 2.11 robust scales of the errors.
var DefaultLoss = loss.MustParse("welsch")

// Fit learns targets, n x k, from the rows of src.
func (m Robust) Fit(ctx context.Context, src linalg.Source, targets *mat.Dense) (*Model, error) {
	pl, err := m.plan()
	if err != nil {
		return nil, err
	}
	return m.fit(ctx, src, targets, pl)
}

// FitBeside is [Ridge.FitBeside] with weights, mostly of five readings.
func (m Robust) FitBeside(ctx context.Context, table linalg.Source, classes int) (*Model, error) {
	pl, err := m.plan()
	if err != nil {
		return nil, err
	}
	return m.fitBeside(ctx, table, classes, pl)
}

func (m Robust) plan() (plan, error) {
	spec, err := loss.Specify(m.Loss, DefaultLoss)
	return plan{method: "elm-robust", spec: spec, robust: true, rescale: m.Rescale}, err
}
