// Package tensor reduces images and other arrays without flattening them, whether or not
// all samples deserve trust.
//
// A sample X_i is an array with one index per mode: an image has two (rows, columns), a
// colour image three, a clip four. Each mode k gets an orthonormal factor U_k, and a
// sample is kept as a small core M_i of coefficients,
//
//	M_i = (X_i - mean) x_1 U_1' x_2 U_2' ...      X_i ~ mean + M_i x_1 U_1 x_2 U_2 ...
//
// For images that is M_i = L'(X_i - mean)R with L = U_1 and R = U_2. Ordinary methods
// minimise the sum of the squared residuals s_i = ||X_i - mean||^2 - ||M_i||^2, so that a
// few bad samples decide. The robust ones put a loss of package loss in the place of the
// square, and the engine of package irls alternates weights, weighted mean and factors
// (the corr-tensor paper, Algorithm 1):
//
//	w_i = weight(s_i)
//	mean = sum w_i X_i / sum w_i
//	U_k = leading eigenvectors of C_k = sum w_i A_ik A_ik'
//
// where A_ik is mode k of X_i - mean (its slices as columns) after all other modes were
// multiplied by their factors.
//
// The methods, as configurations with a Fit:
//
//	PCA2D    2dpca, one-sided: only the second mode is reduced (Yang et al. 2004)
//	L1PCA2D  l1-2dpca, greedy sign algorithm (Li, Pang, Yuan 2010)
//	SVD2D    2dsvd, one-shot (Ding, Ye 2005) or iterated, that is GLRAM (Ye 2005); HOSVD and HOOI for more modes
//	R1SVD2D  r1-2dsvd, the residual norm instead of its square (Huang, Ding 2008)
//	NPP2D    n-2dnpp and s-2dnpp, neighbourhood preserving projections
//	Corr     corr-2dsvd and corr-tensor, generalised correntropy (alpha, beta, p)
//	Robust   tensor-robust, any loss
//
// # Three defaults that differ from the paper
//
// The start is the least outlying half of the samples, because a reweighting that begins
// at the ordinary factors stays there when outliers sit together. And the weights are
// learned with fewer components than asked for: at high rank outliers are fitted as well
// as anything else and keep their weight. StartClassic switches both off. And samples that lie ten times further
// from the middle than regular ones (a million times with StartClassic) are left out from the
// beginning: losses that never reject a sample altogether would give their factors to them.
//
// # Cut-offs
//
// Cut-offs are limits for new samples. Where samples are few beside what they determine, their
// distances are those from mean and factors of the others (see leftout.go), and the verdicts
// on training samples are as well.
//
// # What it costs
//
// One step of the reweighting is one pass over the samples for the residuals and one for
// every mode that is reduced. A pass takes the samples in chunks that fit the cache and
// turns each mode product into one matrix product for the whole chunk. No matrix is
// larger than the square of a mode's length, and beside the samples only a few numbers
// per sample are kept.
package tensor
