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

// Ridge is the regularised extreme learning machine: squares plus a penalty, eq. (20) of
// the kmpe paper.
type Ridge struct{ Options }

// Fit learns targets, n x k, from the rows of src.
func (m Ridge) Fit(ctx context.Context, src linalg.Source, targets *mat.Dense) (*Model, error) {
	return m.fit(ctx, src, targets, plan{method: "relm"})
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
	return KMPE{Options: m.Options, P: 2, Sigma: m.Sigma, Rescale: m.Rescale}.as(ctx, "elm-rcc", src, targets)
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
	return m.as(ctx, "elm-kmpe", src, targets)
}

func (m KMPE) as(ctx context.Context, method string, src linalg.Source, targets *mat.Dense) (*Model, error) {
	spec, err := loss.Parse("kmpe")
	if err != nil {
		return nil, err
	}
	if m.P != 0 {
		if spec, err = spec.With("p", number64(m.P)); err != nil {
			return nil, err
		}
	}
	if err := m.Sigma.Check(); err != nil {
		return nil, err
	}
	return m.fit(ctx, src, targets, plan{method: method, spec: spec.WithRule(m.Sigma), robust: true, rescale: m.Rescale})
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
	spec, err := loss.Specify(m.Loss, DefaultLoss)
	if err != nil {
		return nil, err
	}
	return m.fit(ctx, src, targets, plan{method: "elm-robust", spec: spec, robust: true, rescale: m.Rescale})
}
