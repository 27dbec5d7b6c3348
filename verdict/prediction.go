package verdict

import "gonum.org/v1/gonum/mat"

// Prediction is what a model says of the target of rows, one entry per row. What does not
// apply is nil.
type Prediction struct {
	Values        []float64  // regression
	Labels        []int      // classes and clusters, from 0
	Scores        *mat.Dense // decision score of each class
	Probabilities *mat.Dense // probability of each class, when the model has them
	Outside       []bool     // rows far outside of all that was learned from, which are guessed at; nil: none that is known
}
