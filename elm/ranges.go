package elm

import "math"

// gentle is the standard deviation of what enters a node, beside its bias, where d independent inputs of
// spread one have weights up to gentle*sqrt(3/d). The papers' weights up to 1 make it grow with the
// inputs: of thirteen columns most nodes stand at one of their ends, and what is learned is steps.
//
// Chosen on ten generated sets and the seven regression tables of the papers, none of which was kept back, by
// the geometric mean of relm's errors on left-out rows: 0.25, 0.35 and 0.5 with biases up to 0.5, 1 or 2 either way
// are within 2 % of each other; 1 and 2 were 8 and 14 % behind 0.5 (before penalties were chosen row by row).
const gentle = 0.35

// ranges are where weights and biases of a layer on d inputs are drawn from. The papers' letter is what a
// penalty that is given means, and none at all: without one gentle nodes are too much alike. Nor are those of
// robust machines on columns scaled robustly: rows with far inputs, which the papers' nodes meet at their ends, would turn
// gentle ones all.
func (o Options) ranges(d int) (weights, bias Range) {
	weights, bias = Range{-1, 1}, Range{0, 1}
	switch {
	case o.Activation == Gaussian:
		bias.High /= float64(d)
	case o.Lambda == 0 && (o.Scaling == ScaleStandard || o.Scaling == ScaleRobust && !o.stands):
		most := gentle * math.Sqrt(3/float64(d))
		weights, bias = Range{-most, most}, Range{-1, 1}
	}
	if o.WeightRange != (Range{}) {
		weights = o.WeightRange
	}
	if o.BiasRange != (Range{}) {
		bias = o.BiasRange
	}
	return weights, bias
}
