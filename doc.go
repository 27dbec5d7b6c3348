// Package inlier learns from dirty data: it fits models to tables of which a part is
// wrong, tells which rows are wrong, and why.
//
// One idea carries everything. A robust loss turns every residual into a weight; a loop
// alternates weights and a weighted least-squares step. Rows that do not fit lose their
// vote, so they can neither turn a subspace nor bend a regression, and afterwards they
// stand out.
//
// # Jobs
//
// This package holds the jobs. A job is a value whose fields say what is wanted; the zero
// value of a field means the usual. Its Run does the work and returns a result:
//
//	fit, err := inlier.Fit{Data: inlier.Data{Path: "sales.csv"}}.Run(ctx, nil)
//	verdict, err := inlier.Judge{Model: fit.Fitted(), Data: inlier.Data{Path: "sales.csv"}, Why: true, Top: 10}.Run(ctx, nil)
//	err = fit.Save("sales.npz")
//
// Requests and results have JSON fields: the command line (cmd/inlier) makes requests of
// flags and prints results, other programs may send and store them. There are
//
//   - [Check] to find what is wrong in a table as people keep them, without a word about it;
//   - [Fit], [Tune] and [Compare] to make models and to choose between them;
//   - [Judge], [Predict], [Transform], [Reconstruct], [Score], [Inspect] and [Export] to use one;
//   - [Plot] to draw what models hold and what they make of data;
//   - [Info], [Head], [Convert], [Generate] and [Corrupt] for data;
//   - [Demo], [Breakdown], [FitTimes] and [KernelTimes] to see what the methods are good for;
//   - [github.com/inlier-ml/inlier/experiment/papers.Replicate] to compute the papers' tables and figures again.
//
// Data come from files, from an io.Reader, or from a [github.com/inlier-ml/inlier/dataset.Set]
// that a program has filled; models from files, readers, or a fit. Which methods there
// are, with their parameters and papers, tells package catalog; which losses, package loss.
//
// An [Observer] sees one kind of [Event] from every job. A cancelled context ends a job
// with an error for which errors.Is(err, context.Canceled) holds.
//
// Mistakes that the user has to mend are found by [AsError], whichever package saw them:
// an [Error] names the parameter, the problem and the way out, and lets each program use
// its own words. Everything else is a fault.
//
// Importing the package changes nothing in the host but one thing: with the standard library's decoders of GIF, JPEG
// and PNG, which register themselves, image.Decode knows these formats. The families link none of them.
//
// # One floor below
//
// Programs that need no files and no names of methods use the families directly: packages
// pca, linear, elm, classify, tensor, cluster and nearest have typed configurations and
// models, package irls the engine behind them.
package inlier
