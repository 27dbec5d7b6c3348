package irls

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/inlier-ml/inlier/loss"
)

// line is the smallest useful problem: the weighted mean of numbers, with a ridge penalty
// lambda*m^2 when lambda is set.
type line struct {
	y      []float64
	lambda float64
	solves int
	fail   error
}

func (l *line) Len() int { return len(l.y) }

func (l *line) Residuals(_ context.Context, at float64, s []float64) error {
	for i, v := range l.y {
		s[i] = (v - at) * (v - at)
	}
	return nil
}

func (l *line) Solve(_ context.Context, _ float64, w []float64) (float64, error) {
	l.solves++
	if l.fail != nil {
		return 0, l.fail
	}
	sum, total := 0.0, 0.0
	for i, v := range l.y {
		sum += w[i] * v
		total += w[i]
	}
	if l.lambda > 0 {
		total += l.lambda * float64(len(l.y))
	}
	return sum / total, nil
}

func (l *line) Penalty(at float64) float64 { return l.lambda * at * at }
func (l *line) Between(a, b, t float64) (float64, error) {
	return (1-t)*a + t*b, nil
}
func (l *line) Distance(a, b float64) float64 { return math.Abs(a - b) }

func sample(n int, seed uint64) []float64 {
	random := rand.New(rand.NewPCG(seed, 1))
	y := make([]float64, n)
	for i := range y {
		y[i] = 3 + random.NormFloat64()
		if i%5 == 0 {
			y[i] += 30 * random.Float64()
		}
	}
	return y
}

var texts = []string{
	"square", "welsch:sigma=1", "kmpe:p=1,sigma=1", "kmpe:p=2,sigma=0.5", "kmpe:p=4,sigma=2", "kmpe:p=10,sigma=3", "gcorr:alpha=1,beta=2", "gcorr:alpha=4,beta=3",
	"gkmpe:alpha=1.5,beta=2,p=1.5", "gm:p=0.4,delta=0.01", "lp:p=1.5", "l1", "huber:c=1", "cauchy:c=1", "tukey:c=4",
}

// The end is a stationary point: the derivative of the objective vanishes there.
func TestEndIsStationary(t *testing.T) {
	y := sample(80, 3)
	for _, text := range texts {
		switch text { // not smooth enough where a row is fitted exactly
		case "l1", "kmpe:p=1,sigma=1", "gcorr:alpha=1,beta=2", "gkmpe:alpha=1.5,beta=2,p=1.5":
			continue
		}
		res, err := Run(context.Background(), &line{y: y}, 4, Settings{Loss: loss.MustParse(text), Tol: 1e-15, MaxSteps: 5000})
		if err != nil {
			t.Fatal(err)
		}
		objective := func(m float64) float64 {
			s := make([]float64, len(y))
			(&line{y: y}).Residuals(context.Background(), m, s)
			return meanLoss(res.Loss, s, nil)
		}
		const h = 1e-5
		slope := (objective(res.State+h) - objective(res.State-h)) / (2 * h)
		if math.Abs(slope) > 1e-5 {
			t.Errorf("%s ends (%v) at %v with slope %g", text, res.Status, res.State, slope)
		}
	}
}
