// Package experiment runs comparisons of methods so that their results can be trusted,
// repeated and judged: the tables and figures of the papers, and studies of our own.
//
// An experiment is a [Spec]. It plans cases (a data set, a kind of dirt, a setting); each
// case draws its data once per repeat and shows them to every entrant. The framework owns
// everything that could favour a method:
//
//   - the seed of a draw is a hash of the base seed, the experiment's data and the number of
//     the repeat, never of the method, so that all methods meet the same rows, splits
//     and dirt;
//   - timing, status and steps are taken by [Bench.Fit], not by the method;
//   - every finished run is one [Record], written to a journal as soon as it ends, so that
//     an interrupted experiment goes on where it was;
//   - runs are spread over the cores, and the results do not depend on how many there are.
//
// The numbers that a paper prints stand in data files ([Published]) beside the spec. The
// [Verdict] on its numbers and on its conclusions is computed from them and from the records
// by a rule that [Rule] states; nobody types it in. [Site] writes one page per experiment and an index of verdicts.
//
// The specs themselves are in package papers, one file per table or figure. To add one,
// write its file with a Spec and a call of [Register], and its published numbers as JSON.
package experiment
