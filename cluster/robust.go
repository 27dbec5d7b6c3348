package cluster

import (
	"context"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// DefaultLoss is the loss of Robust when none is named: Welsch's, with a bandwidth from the
// median distance.
var DefaultLoss = loss.MustParse("welsch")

// Robust is k-means in which rows far from every center lose their vote: by DefaultLoss
// unless a Loss or a share to Trim is given. The zero value is robust.
type Robust struct{ KMeans }

// Fit finds the centers.
func (r Robust) Fit(ctx context.Context, src linalg.Source) (*Model, error) {
	ctx = given.Context(ctx)
	if r.Loss == nil && r.Trim == 0 {
		r.Loss = DefaultLoss
	}
	return r.KMeans.Fit(ctx, src)
}
