package classify

import (
	"context"

	"github.com/inlier-ml/inlier/kernel"
)

// PrintedLambda is the penalty of the correntropy machine as printed when none is given; the
// paper names none.
const PrintedLambda = 0.01

// logisticShare is the penalty of kernel machines with the logistic loss in units of that of
// the others: it bends at most a quarter as much as the square does for the same miss.
const logisticShare = 0.25

// squareShare is the same for linear machines with the square loss, which have no half before it: alpha = 1 of ridge
// classifiers elsewhere.
const squareShare = 2

// usualLambda is the penalty when none is given, 1/(2n) for n rows of weight one: beside the
// sum of the losses half of the squared norm, which is C = 1 of support vector machines and
// logistic regression elsewhere. A table twice as long tells twice as much, and the penalty
// falls accordingly.
func usualLambda(m machine, t *task) float64 {
	share, linear := 1.0, t.o.Kernel.Kind == kernel.Linear
	switch {
	case m.name() == "logistic" && !linear:
		share = logisticShare
	case m.name() == "square" && linear:
		share = squareShare
	}
	return share / (2 * t.total)
}

// morePenalty are the penalties that a robust machine tries beside the usual one, in units of it.
var morePenalty = []float64{10, 100}

// clearlyMore is by how much the logarithm of the likelihood of held-out labels must rise for another penalty
// than the usual one: less is chance, since the rows are the same.
const clearlyMore = 5

// choosingWidth is the most columns with which penalties are tried: beyond, a fit takes long enough.
const choosingWidth = 256

// choosePenalty takes a larger penalty than the usual one, which is too weak where few rows have many columns and wrong labels,
// if held-out labels are clearly more probable by it, their share of wrong ones included. With a kernel it made no difference.
// It returns the held-out scores of the choice; nil, and the penalty as it is, for machines and settings that do not choose.
func choosePenalty(ctx context.Context, m machine, t *task) (*heldOut, error) {
	_, p := t.a.Dims()
	r, robust := m.(RegMaxCEM)
	if !robust || r.Variant == AsPrinted || t.o.Calibration == NoCalibration || t.o.Kernel.Kind != kernel.Linear || p > choosingWidth {
		return nil, nil
	}
	parts := t.parts()
	if len(parts) < 2 {
		return nil, nil
	}
	usual := t.o.Lambda
	held, err := t.hold(ctx, m, parts)
	if err != nil {
		return nil, err
	}
	least, last := held.rule().Evidence()+clearlyMore, held.rule().Evidence()
	for _, times := range morePenalty {
		other := *t
		other.o.Lambda = usual * times
		next, err := other.hold(ctx, m, parts)
		if err != nil {
			return nil, err
		}
		evidence := next.rule().Evidence()
		if evidence <= last {
			break
		}
		if last = evidence; evidence > least {
			held, least, t.o.Lambda = next, evidence, other.o.Lambda
		}
	}
	return held, nil
}
