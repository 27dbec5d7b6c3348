package nearest

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Kind is what a row looks like beside the classes.
type Kind uint8

// The kinds of rows.
const (
	Regular    Kind = iota // as near to its class as rows of that class are
	Far                    // further from its class than its rows are, and no other class claims it
	Mislabeled             // far from the class it is given, near to the class it is nearest to
)

// Kinds are the names of the kinds in order.
var Kinds = []string{"regular", "far from its class", "mislabelled"}

// String is the kind's name.
func (k Kind) String() string { return Kinds[k] }

// Verdict is what the distances say of rows.
type Verdict struct {
	Label []int     // the nearest class
	Ratio []float64 // distance from the given class, or else the nearest, over its cut-off
	Kind  []Kind
}

// Judge compares distances (one row for each row, one column for each class) with the
// cut-offs of the classes. given[i] is the label that row i came with, or -1; nil: none
// has one.
func Judge(distance *mat.Dense, cutoffs []float64, given []int) *Verdict {
	n, _ := distance.Dims()
	v := &Verdict{Label: make([]int, n), Ratio: make([]float64, n), Kind: make([]Kind, n)}
	for i := range n {
		row := distance.RawRowView(i)
		best := 0
		for k, d := range row {
			if d < row[best] {
				best = k
			}
		}
		v.Label[i] = best
		class := best
		if given != nil && given[i] >= 0 {
			class = given[i]
		}
		v.Ratio[i] = math.Min(row[class]/cutoffs[class], math.MaxFloat64)
		switch {
		case row[class] <= cutoffs[class]:
		case class != best && row[best] <= cutoffs[best]:
			v.Kind[i] = Mislabeled
		default:
			v.Kind[i] = Far
		}
	}
	return v
}
