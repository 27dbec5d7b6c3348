package classify

// usualGamma is the inverse width of an open kernel in units of one over the median squared distance: two over the mean one
// of standardised columns is gamma=scale of support vector machines elsewhere.
const usualGamma = 2

// squareGamma is the same for machines with the square loss, which pay for every row and so follow single wrong labels closest: a wider
// kernel is as accurate on clean labels and more so among wrong ones. To Logistic it is not: .8 points better on eight sets with a fifth of the
// labels wrong, .2 worse on fifteen others.
const squareGamma = 1

// gammaOf is that of a machine.
func gammaOf(m machine) float64 {
	if _, square := m.(Square); square {
		return squareGamma
	}
	return usualGamma
}

// exactRowsOf is the most rows of which a machine takes the kernel exactly by itself: steps along pairs of rows touch few of them.
func exactRowsOf(m machine) int {
	if h, ok := m.(Hinge); ok && h.Power != 2 {
		return exactLimit
	}
	return ExactRows
}
