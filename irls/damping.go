package irls

import "github.com/inlier-ml/inlier/loss"

// Damping is the part of a full reweighting step that suits a loss which behaves like
// |e|^q near residual 0: 1 for q <= 2 and 1/(q-1) beyond, where the plain iteration
// overshoots and may cycle between two states. A Problem whose residuals are linear in
// its state, such as a regression, may shorten its Solve by it.
//
// Why: the weighted step for the sum of |e_i|^q, weights |e_i|^(q-2), is (q-1) times
// Newton's step.
func Damping(spec loss.Spec) float64 {
	if q := spec.Order(); q > 2 {
		return 1 / (q - 1)
	}
	return 1
}
