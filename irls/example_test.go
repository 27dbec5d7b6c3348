package irls_test

import (
	"context"
	"fmt"
	"math"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

// gemanMcClure is a loss of one's own.
type gemanMcClure struct{}

func (gemanMcClure) Rho(s float64) float64    { return s / (1 + s) }
func (gemanMcClure) Weight(s float64) float64 { return 1 / (1 + s) / (1 + s) }

// slope is a problem of one's own: y = b x. Its state is b.
type slope struct{ x, y []float64 }

func (p slope) Len() int { return len(p.y) }

func (p slope) Residuals(_ context.Context, b float64, s []float64) error {
	for i, x := range p.x {
		s[i] = (p.y[i] - b*x) * (p.y[i] - b*x)
	}
	return nil
}

func (p slope) Solve(_ context.Context, _ float64, w []float64) (float64, error) {
	var xy, xx float64
	for i, x := range p.x {
		xy += w[i] * x * p.y[i]
		xx += w[i] * x * x
	}
	return xy / xx, nil
}

func (p slope) Penalty(float64) float64                  { return 0 }
func (p slope) Between(a, b, t float64) (float64, error) { return a + t*(b-a), nil }
func (p slope) Distance(a, b float64) float64            { return math.Abs(b-a) / math.Abs(b) }

// The engine solves a problem of one's own with a loss of one's own: the bandwidth settles,
// and the two wrong numbers lose their weight.
func Example() {
	p := slope{x: []float64{1, 2, 3, 4, 5, 6, 7}, y: []float64{2.1, 3.9, 6, 90, 10.1, 12, -70}}
	spec, err := loss.Specify(gemanMcClure{}, loss.Spec{})
	if err != nil {
		fmt.Println(err)
		return
	}
	best, err := irls.Best(context.Background(), p, []float64{0, 2, 20}, irls.Settings{Loss: spec})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("y = %.2f x (%v), weights %.2f\n", best.State, best.Status, best.Weights)
	// Output: y = 2.01 x (converged), weights [0.83 0.77 1.00 0.00 0.89 0.98 0.00]
}
