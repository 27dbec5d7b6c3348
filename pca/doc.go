// Package pca finds the low-dimensional subspace that most rows of a table lie near,
// whether or not all of them do.
//
// Ordinary PCA minimises the sum of squared distances to the subspace, so a few far rows
// decide where it goes. Every robust method here replaces the square by a loss that
// grows more slowly; the reweighting engine of package irls then alternates
//
//	s_i = ||x_i - mean||^2 - ||V'(x_i - mean)||^2        squared distance of row i
//	w_i = weight(s_i)                                     outliers lose their vote
//	mean, V = weighted mean, top eigenvectors of the weighted scatter
//
// The methods, one file each:
//
//	Classic          ordinary PCA
//	L1               PCA-L1, greedy sign algorithm (Kwak 2008)
//	R1               R1-PCA, Huber weights of the distance (Ding et al. 2006)
//	HQ               HQ-PCA, correntropy (He et al. 2011)
//	KMPE             PCA-KMPE, kernel mean p-power error (Chen et al.)
//	GeneralizedMean  PCA-GM with its generalised sample mean (Oh and Kwak 2016)
//	Robust           any loss of package loss
//	Cell             losses of single cells and of rows: a row with a bad cell keeps its vote
//	Correntropy      correntropy PCA, a nonlinear relative with a model of its own
//
// # Where it starts decides where it ends
//
// A reweighting that starts at ordinary PCA stays there when outliers sit together: the
// papers' methods are 90 degrees off with one tenth of the rows in a far cluster. The
// default start therefore looks for the least outlying half of the rows first
// (start.go) and stands up to 45 % of outliers. StartClassic gives the papers'
// algorithms to the letter.
//
// A fitted [Model] is immutable and safe for use by many goroutines. It transforms rows,
// brings them back, and judges them: see [Model.Judge].
package pca
