// Package tune chooses parameters and methods by how well they predict rows that the fit
// has not seen.
//
// [Search] cross-validates candidate parameters of one method and ranks them; the
// candidates come from [Axis] values, all combinations of them, random draws, or
// successive halving. [Contest] sets several methods side by side on the same random
// splits, with training rows dirtied on purpose if asked to.
//
//	m, _ := catalog.Lookup("relm")
//	axis, _ := tune.ParseAxis(m, nil, "lambda=1e-6..1e2:5log")
//	found, err := tune.Search{Method: m, Axes: []tune.Axis{axis}, Folds: 5, Seed: 1}.Run(ctx, set)
//	best := found.Chosen() // parameters for a fit on all rows
//
// # What is honest about the numbers
//
// Everything that is learned is learned on training rows: scaling is part of the methods,
// and the coding of text columns is learned again in every fold ([Divide]). A score is
// computed once over all rows of a repeat, each predicted by a model that did not see
// it, because a robust score such as the trimmed error means nothing on the four rows
// of a small fold. Its spread is the jackknife's over the folds, which for plain means
// is the standard deviation of the folds' scores.
//
// Results depend on data, parameters and seed alone: every candidate meets the same folds
// and the same seed, and nothing depends on the number of workers or on whether a
// search was interrupted and resumed from its journal.
package tune
