// Package classify learns which class a row belongs to, also when labels are wrong.
//
// Every machine here is one-vs-all: class l has a score f_l(x) = w_l'phi(x) + b_l that
// should be at least +1 on its own rows and at most -1 on all others, and a row goes to
// the class with the highest score. The features phi are the columns themselves or those
// of an RBF kernel. What differs is the price of a wrong score, as a mean over the rows,
// to which lambda*||w||^2 is added (the intercept b is free):
//
//	Square     (y - f)^2                      closed form
//	Hinge      max(0, 1 - y f)                the support vector machine
//	Logistic   log(1 + exp(-y f))             probabilities of its own
//	RegMaxCEM  2 sigma^2 (1 - exp(-s / 2 sigma^2))
//
// The first three grow without bound, so a row with a wrong label pulls the harder the
// better the others are fitted. The last one is bounded (correntropy, Wang et al.: the
// regularized maximum correntropy machine): the reweighting engine of package irls
// gives each row the weight exp(-s / 2 sigma^2), where s is how far its scores miss
// their targets, and rows that the others contradict lose their vote. With sigma to
// infinity it is Square.
//
// A fit scales (and, if asked to, clips) the columns, makes the features, trains, and
// calibrates scores into probabilities by sigmoids that were learned on rows the
// scores had not seen. All of that is part of the [Model], which is immutable and safe
// for many goroutines. [Model.Judge] lists the rows whose label the model does not believe.
//
// # Kernels and many rows
//
// Up to [ExactRows] rows the kernel machine is exact; more rows go through landmarks
// (Nystrom) or random Fourier features, and no matrix of rows by rows is ever made.
// Weighted least squares, inside every machine but Hinge, is solved by QR when small
// and otherwise by conjugate gradients that start at the last solution and are
// preconditioned by a Cholesky factor of an earlier reweighting (system.go).
package classify
