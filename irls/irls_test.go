package irls

import (
	"context"
	"math"
	"math/rand/v2"
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
