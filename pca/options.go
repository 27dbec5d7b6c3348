package pca

import (
	"fmt"
	"math"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/refusal"
)

// Start names where the reweighting begins.
type Start string

const (
	// StartAuto finds the least outlying half of the rows and starts from their
	// subspace; it survives up to 45 % outliers of any arrangement that was tried.
	StartAuto Start = "auto"
	// StartClassic is ordinary PCA, as in the papers.
	StartClassic Start = "classic"
	// StartSpherical is PCA of the rows' directions from the spatial median
	// (Locantore et al. 1999).
	StartSpherical Start = "spherical"
)

// Scatter names how variances inside the found subspace are estimated.
type Scatter string

const (
	// ScatterAuto is ScatterRobust with StartAuto and ScatterWeighted otherwise.
	ScatterAuto Scatter = "auto"
	// ScatterRobust estimates centre and variances inside the subspace from rows that
	// are not far out within it either (a reweighted minimum covariance determinant).
	ScatterRobust Scatter = "robust"
	// ScatterWeighted uses the weights of the reweighting alone, as in the papers.
	ScatterWeighted Scatter = "weighted"
)

// Options are what all methods of the package share. The zero value means the defaults.
type Options struct {
	// Components is the dimension of the subspace; 0 chooses the smallest that explains
	// Share of the robust variance.
	Components int
	// Share of the variance that the automatic choice must explain. Zero: 0.8.
	Share float64
	// LearnRank is m_r of the kmpe paper: learn the weights with a subspace of this
	// smaller dimension, then take Components directions of the weighted scatter. 0
	// chooses 10 when there are at least as many columns as rows, else no reduction;
	// negative: no reduction.
	LearnRank int
	// Start of the reweighting. Empty: StartAuto.
	Start Start
	// Votes of the rows, one each from 0 to 1, with which the reweighting begins in place of Start: those that
	// a fit with nearly the same loss ended with. Tables that are learned from a sample begin as Start says.
	Votes []float64
	// Scatter inside the subspace. Empty: ScatterAuto.
	Scatter Scatter
	// MaxSteps and Tol as in irls.Settings. Zero: 100 and 1e-6.
	MaxSteps int
	Tol      float64
	// Plain switches step control off (irls.Settings.Plain).
	Plain bool
	// Missing allows missing values (NaN): they are filled by the fit itself.
	Missing bool
	// Seed of the directions and samples that StartAuto draws.
	Seed uint64
	// Weights of the rows; nil: one each. An integer weight acts like repeated rows.
	Weights []float64
	// OnStep observes the reweighting.
	OnStep func(irls.Step)
}

// maxAutoComponents bounds the automatic choice of the number of components.
const maxAutoComponents = 100

func (o Options) filled() Options {
	if o.Share == 0 {
		o.Share = 0.8
	}
	if o.Start == "" {
		o.Start = StartAuto
	}
	if o.Scatter == "" {
		o.Scatter = ScatterAuto
	}
	if o.Scatter == ScatterAuto {
		o.Scatter = ScatterWeighted
		if o.Start == StartAuto {
			o.Scatter = ScatterRobust
		}
	}
	if o.Tol == 0 {
		o.Tol = 1e-6
	}
	if o.MaxSteps == 0 {
		o.MaxSteps = 100
	}
	return o
}

// check validates the options against the size of the data.
func (o Options) check(n, d int) error {
	switch {
	case n < 2:
		return refusal.Few(n, 2, "%d row given; at least 2 are needed", n)
	case d < 1:
		return refusal.Data("the data have no columns")
	case o.Components < 0:
		return &refusal.RankError{Name: "components", Asked: o.Components, Most: min(d, n-1), Why: "is less than one"}
	case o.Components > d:
		return &refusal.RankError{Name: "components", Asked: o.Components, Most: min(d, n-1), Why: fmt.Sprintf("is more than possible: the data have %d columns", d)}
	case o.Components > n-1:
		return &refusal.RankError{Name: "components", Asked: o.Components, Most: min(d, n-1), Why: fmt.Sprintf("is more than possible: %d rows span at most %d dimensions", n, n-1)}
	case o.LearnRank > d:
		return refusal.Parameter("learn-rank", o.LearnRank, "is more than possible: the data have %d columns", d)
	case o.Share < 0 || o.Share > 1 || math.IsNaN(o.Share):
		return refusal.Parameter("share", o.Share, "must be between 0 and 1")
	case o.Weights != nil && len(o.Weights) != n:
		return refusal.Weights("%d weights for %d rows", len(o.Weights), n)
	case o.Votes != nil && len(o.Votes) != n:
		return refusal.Weights("%d votes for %d rows", len(o.Votes), n)
	}
	positive := 0
	for i, w := range o.Weights {
		if w < 0 || math.IsNaN(w) || math.IsInf(w, 0) {
			return refusal.Weights("weight %g of row %d must be a number of at least 0", w, i+1)
		}
		if w > 0 {
			positive++
		}
	}
	if o.Weights != nil && positive < 2 {
		return refusal.Weights("%d row has a weight above 0; at least 2 are needed", positive)
	}
	switch o.Start {
	case StartAuto, StartClassic, StartSpherical:
	default:
		return refusal.Parameter("start", o.Start, "must be %s, %s or %s", StartAuto, StartClassic, StartSpherical)
	}
	if o.Scatter != ScatterRobust && o.Scatter != ScatterWeighted {
		return refusal.Parameter("scatter", o.Scatter, "must be %s, %s or %s", ScatterAuto, ScatterRobust, ScatterWeighted)
	}
	return nil
}
