package classify

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// best is the class that a row with these scores is given, everywhere; models of old files keep to
// the scores.
func (m *Model) best(scores []float64) int {
	if m.parts.Belief != nil {
		return m.parts.Belief.Best(scores)
	}
	return largest(scores)
}

// margin is how far the score of a class is above the best other.
func (m *Model) margin(scores []float64, label int) float64 {
	if m.parts.Belief != nil {
		return m.parts.Belief.Margin(scores, label)
	}
	other := math.Inf(-1)
	for l, s := range scores {
		if l != label {
			other = max(other, s)
		}
	}
	return scores[label] - other
}

// probabilities are those of the classes, nil where there are none.
func (m *Model) probabilities(scores *mat.Dense) *mat.Dense {
	if !m.Probabilistic() {
		return nil
	}
	out := mat.DenseCopyOf(scores)
	n, _ := out.Dims()
	for i := range n {
		m.toProbabilities(out.RawRowView(i))
	}
	return out
}

// toProbabilities turns the scores of a row into probabilities.
func (m *Model) toProbabilities(row []float64) {
	if m.parts.Belief != nil {
		m.parts.Belief.Probabilities(row)
		return
	}
	if m.parts.Joint {
		softmax(row, row, nil)
		return
	}
	for l, f := range row {
		if m.parts.Own {
			row[l] = sigmoid(f)
		} else {
			row[l] = m.parts.Sigmoids[l].At(f)
		}
	}
	normalise(row)
}
