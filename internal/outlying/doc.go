// Package outlying holds what the methods that find subspaces, of rows and of tensors, have
// in common: which rows are the least outlying half that a fit starts from ([Degrees],
// [Concentrate]), how far from the subspace regular rows lie ([Limit]), which
// rows are left out together to measure them as new ones ([Deal]), and what of their distances
// rounding of their numbers explains ([RoundingNoise]).
//
// Rows may have weights; an integer weight acts like repeated rows, nil means ones.
package outlying
