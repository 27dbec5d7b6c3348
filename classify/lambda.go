package classify

import "github.com/inlier-ml/inlier/kernel"

// PrintedLambda is the penalty of the correntropy machine as printed when none is given; the
// paper names none.
const PrintedLambda = 0.01

// logisticShare is the penalty of kernel machines with the logistic loss in units of that of
// the others: it bends at most a quarter as much as the square does for the same miss.
const logisticShare = 0.25

// usualLambda is the penalty when none is given, 1/(2n) for n rows of weight one: beside the
// sum of the losses half of the squared norm, which is C = 1 of support vector machines and
// logistic regression elsewhere. A table twice as long tells twice as much, and the penalty
// falls accordingly.
func usualLambda(m machine, t *task) float64 {
	share := 1.0
	if m.name() == "logistic" && t.o.Kernel.Kind != kernel.Linear {
		share = logisticShare
	}
	return share / (2 * t.total)
}
