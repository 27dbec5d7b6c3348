package score

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// LogLoss is the mean of -log(probability given to the true class). Row i of p holds the
// probabilities of the classes for sample i. Probabilities below 2^-52 count as that, so
// that one certain mistake does not make the mean infinite.
func LogLoss(truth []int, p *mat.Dense) (float64, error) {
	if err := checkProbabilities("LogLoss", truth, p); err != nil {
		return 0, err
	}
	const least = 0x1p-52
	var sum float64
	for i, t := range truth {
		sum -= math.Log(min(max(p.At(i, t), least), 1-least))
	}
	return sum / float64(len(truth)), nil
}

// Brier is the mean squared distance between probabilities and truth. For two classes it
// is the mean of (probability of class 1 - truth)^2, between 0 and 1; for more it is the
// sum over the classes, between 0 and 2, as Brier defined it.
func Brier(truth []int, p *mat.Dense) (float64, error) {
	if err := checkProbabilities("Brier", truth, p); err != nil {
		return 0, err
	}
	_, classes := p.Dims()
	var sum float64
	for i, t := range truth {
		for j, v := range p.RawRowView(i) {
			if j == t {
				v--
			}
			sum += v * v
		}
	}
	if classes == 2 {
		sum /= 2
	}
	return sum / float64(len(truth)), nil
}

func checkProbabilities(name string, truth []int, p *mat.Dense) error {
	if p == nil || p.IsEmpty() {
		return fmt.Errorf("score: %s: no probabilities", name)
	}
	n, classes := p.Dims()
	if err := checkLengths(name, len(truth), n); err != nil {
		return err
	}
	if classes < 2 {
		return fmt.Errorf("score: %s: probabilities of one class only; give a column for each class", name)
	}
	for i, t := range truth {
		if t < 0 || t >= classes {
			return fmt.Errorf("score: %s: true label %d of sample %d is not between 0 and %d", name, t, i+1, classes-1)
		}
		var sum float64
		for j, v := range p.RawRowView(i) {
			if !(v >= 0 && v <= 1+1e-9) {
				return fmt.Errorf("score: %s: probability %v of sample %d for class %d is not between 0 and 1", name, v, i+1, j)
			}
			sum += v
		}
		if math.Abs(sum-1) > 1e-6 {
			return fmt.Errorf("score: %s: probabilities of sample %d sum to %v, not 1", name, i+1, sum)
		}
	}
	return nil
}
