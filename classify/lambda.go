package classify

import (
	"context"

	"github.com/inlier-ml/inlier/kernel"
)

// PrintedLambda is the penalty of the correntropy machine as printed when none is given; the
// paper names none.
const PrintedLambda = 0.01

// logisticShare is the penalty of kernel machines with the logistic loss in units of that of the others: it bends at most a
// quarter as much as the square does for the same miss, and much less for rows that are right. A quarter, a sixteenth and a
// fiftieth were held against each other on the 18 sets of docs/measured/measurements.md: points ahead of support vector machines
// +0.7, +1.4, +1.6 clean and +0.3, +0.5, +0.1 with a fifth of the labels wrong.
const logisticShare = 0.0625

// squareShare is the same for linear machines with the square loss, which have no half before it: alpha = 1 of ridge
// classifiers elsewhere.
const squareShare = 2

// usualLambda is the penalty when none is given, 1/(2n) for n rows of weight one: beside the
// sum of the losses half of the squared norm, which is C = 1 of support vector machines and
// logistic regression elsewhere. A table twice as long tells twice as much, and the penalty
// falls accordingly.
func usualLambda(m machine, t *task) float64 {
	share, linear := 1.0, t.o.Kernel.Kind == kernel.Linear
	switch m.(type) {
	case Logistic:
		if !linear {
			share = logisticShare
		}
	case Square:
		if linear {
			share = squareShare
		}
	}
	return share / (2 * t.total)
}

// penalise sets the penalty where none is given, and the form of a linear robust machine, or of a support vector machine of several classes, where that is open too. It
// returns the machine and the held-out scores that it was chosen by, nil where nothing was.
func penalise(ctx context.Context, m machine, t *task) (machine, *heldOut, error) {
	t.o.Lambda = usualLambda(m, t)
	if r, robust := m.(RegMaxCEM); robust && r.open && t.o.Kernel.Kind == kernel.Linear && t.choosable() && t.total >= settledRows {
		return r.settle(ctx, t)
	}
	if r, robust := m.(RegMaxCEM); robust && r.Variant != AsPrinted && t.o.Kernel.Kind != kernel.Linear && t.choosable() {
		held, err := r.trust(ctx, t)
		return m, held, err
	}
	held, err := choosePenalty(ctx, m, t)
	if h, hinge := m.(Hinge); hinge && err == nil {
		return h.inPairs(ctx, t, held)
	}
	return m, held, err
}

// choosable tells whether held-out rows are there to choose by.
func (t *task) choosable() bool { return t.o.Calibration != NoCalibration && len(t.parts()) > 1 }

// morePenalty are the penalties that are tried beside the usual one, in units of it, with a kernel and without.
var morePenalty = map[bool][]float64{true: {4, 16}, false: {10, 100}}

const (
	// clearlyMore is by how much the logarithm of the likelihood of held-out labels must rise for another penalty
	// than the usual one of linear machines: less is chance, since the rows are the same. With a kernel, which follows single wrong
	// labels, a larger one is the safer choice.
	clearlyMore = 5
	// manyWrong is the share of labels from which on wrong ones are a reason to try larger penalties.
	manyWrong = 0.05
	// fewRows is the number of rows for each column below which there are few of them.
	fewRows = 10
	// settledRows is the number of rows below which held-out ones do not tell wrong labels from hard ones: a robust machine then
	// keeps the form that lets wrong labels go.
	settledRows = 150
	// tellingRows is the number of rows below which a kernel that follows wrong labels may take them for hard ones: there the first larger penalty is tried
	// whatever labels seem, and the next where they seem wrong by it.
	tellingRows = 500
	// choosingWidth is the most columns with which few rows alone are a reason: beyond, a fit takes long enough.
	choosingWidth = 256
)

// doubtful tells whether larger penalties, or losses that reject more, are worth a try: labels seem wrong, or a linear machine has so few
// rows for its columns that it follows wrong ones too closely to tell.
func (t *task) doubtful(held *heldOut) bool {
	n, p := t.a.Dims()
	few := t.o.Kernel.Kind == kernel.Linear && n < fewRows*p && p <= choosingWidth
	return few || held.rule().OfLabels().Wrong >= manyWrong
}

// choosePenalty takes a larger penalty than the usual one, which is too weak where rows have many columns, or a kernel, and wrong labels,
// if held-out labels are clearly more probable by it, their share of wrong ones included. Robust ones with a kernel have trust.go instead. Linear machines but the robust ones keep
// the penalty that they have elsewhere. It returns the held-out scores of the choice; nil, and the penalty as it is, for machines and
// settings that do not choose.
func choosePenalty(ctx context.Context, m machine, t *task) (*heldOut, error) {
	r, robust := m.(RegMaxCEM)
	kernels := t.o.Kernel.Kind != kernel.Linear
	if robust && r.Variant == AsPrinted || !robust && !kernels || !t.choosable() {
		return nil, nil
	}
	parts := t.parts()
	usual := t.o.Lambda
	held, err := t.hold(ctx, m, parts, nil)
	if err != nil {
		return nil, err
	}
	seems := t.doubtful(held)
	if !seems && !(kernels && t.total < tellingRows) {
		return held, nil
	}
	least, last := held.rule().Evidence(), held.rule().Evidence()
	if !kernels {
		least += clearlyMore
	}
	for _, times := range morePenalty[kernels] {
		other := *t
		other.o.Lambda = usual * times
		next, err := other.hold(ctx, m, parts, held)
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
		if seems = seems || t.doubtful(next); !seems {
			break
		}
	}
	return held, nil
}
