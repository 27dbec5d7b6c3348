// Package nearest classifies rows by what they are nearest to: the center of a class, or
// the subspace that the rows of a class lie near.
//
// [Centers] is Algorithm 2 of the corr-tensor paper: one center for each class, weighted so
// that outliers among the training rows do not count, eq. (29), and the class whose center
// is nearest. [Subspaces] is the classifier of section 4 of the PCA-GM paper: one subspace
// for each class, and the class whose subspace leaves the smallest residual.
//
// Both give a table of distances, one column for each class, and share
// their judging, which reads from it the class, rows that are far from every class, and labels that look wrong.
package nearest
