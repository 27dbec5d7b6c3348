package irls

import (
	"context"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/loss"
)

// The end is a stationary point: the derivative of the objective vanishes there.
func TestEndIsStationary(t *testing.T) {
	y := sample(80, 3)
	for _, text := range texts {
		switch text { // not smooth enough where a row is fitted exactly
		case "l1", "kmpe:p=1,sigma=1", "gcorr:alpha=1,beta=2", "gkmpe:alpha=1.5,beta=2,p=1.5":
			continue
		}
		res, err := irls.Run(context.Background(), &line{y: y}, 4, irls.Settings{Loss: loss.MustParse(text), Tol: 1e-15, MaxSteps: 5000})
		if err != nil {
			t.Fatal(err)
		}
		objective := func(m float64) float64 {
			s := make([]float64, len(y))
			(&line{y: y}).Residuals(context.Background(), m, s)
			sum := 0.0
			for _, v := range s {
				sum += res.Loss.Rho(v)
			}
			return sum / float64(len(s))
		}
		const h = 1e-5
		slope := (objective(res.State+h) - objective(res.State-h)) / (2 * h)
		if math.Abs(slope) > 1e-5 {
			t.Errorf("%s ends (%v) at %v with slope %g", text, res.Status, res.State, slope)
		}
	}
}
