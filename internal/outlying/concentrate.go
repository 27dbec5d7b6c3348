package outlying

import (
	"context"
	"math"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// concentrationSteps bounds the steps that shrink a trimmed sum.
const concentrationSteps = 30

// HalfSize is the weight of rows that must agree: just over a half of n, and more where rows
// could lie in a subspace of that many components by chance.
func HalfSize(n float64, components int) float64 {
	return math.Min(n, math.Floor((n+float64(components)+2)/2))
}

// Fit is what concentration needs to know of a model with state S.
type Fit[S any] interface {
	Len() int
	// Residuals writes the squared distances of the rows.
	Residuals(ctx context.Context, at S, squared []float64) error
	// Solve fits the rows with the given weights.
	Solve(ctx context.Context, from S, weights []float64) (S, error)
}

// Concentrate lowers the sum of the smallest squared distances that hold the weight h, in
// steps, until it falls by less than the share still: each fits the rows that are nearest. It returns the
// squared distances too.
func Concentrate[S any](ctx context.Context, fit Fit[S], at S, w []float64, h, still float64) (S, []float64, error) {
	s := make([]float64, fit.Len())
	before := math.Inf(1)
	for range concentrationSteps {
		if err := fit.Residuals(ctx, at, s); err != nil {
			return at, nil, err
		}
		half := univariate.SmallestWeight(s, w, h)
		sum := 0.0
		for i, a := range half {
			if a > 0 {
				sum += a * s[i]
			}
		}
		if sum >= before*(1-still) {
			break
		}
		before = sum
		next, err := fit.Solve(ctx, at, half)
		if err != nil {
			return at, nil, err
		}
		at = next
	}
	return at, s, nil
}
