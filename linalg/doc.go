// Package linalg holds the linear algebra that gonum/mat lacks and that every method
// of this module stands on.
//
// # Tables
//
// A [Source] is a table of numbers that is read in blocks of consecutive rows, as many
// times as needed. [FromDense] makes one of a matrix in memory; files larger than
// memory implement the same two methods. [Pass] runs over a source on all cores: it
// maps every block to an accumulator and merges the accumulators. The functions on top
// of it are the steps of a reweighting loop:
//
//	total, mean, scatter, err := linalg.WeightedMoments(ctx, src, weights)
//	values, vectors, err := linalg.TopEigen(ctx, scatter, 10, previous)
//	err = linalg.Residuals(ctx, src, mean, vectors, squared, nil)
//
// # Decompositions
//
// [TopEigen] finds the leading eigenpairs of a symmetric positive semidefinite matrix
// and profits from a start near the answer. [SymEigen] finds all eigenpairs of any
// symmetric matrix. [Ridge] and the streaming [TSQR] solve weighted least squares by
// orthogonal transformations, never through normal equations alone.
//
// # Threads and reproducibility
//
// [SetThreads] says how many cores may work. It changes the time and nothing else:
// rows are cut into stripes that depend on the size of the table alone, and partial
// results are always merged in the same order.
//
// [Mul], [MulVec], [RowProducts] and [Cholesky] call the matrix kernels of linalg/fastblas
// directly; [Backend] names them. gonum's own BLAS, which other code of the program may use
// or replace, is left as it is.
//
// Arguments that are not to be changed are never changed; matrices that come back are
// the caller's own. Sizes that do not fit, weights that are negative or not finite and
// matrices with NaN or Inf are errors, not panics.
package linalg
