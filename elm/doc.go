// Package elm fits extreme learning machines: one hidden layer of random nodes that is
// never trained, and output weights found by (reweighted) least squares.
//
//	h_j(x) = f(w_j . x + b_j),  y(x) = sum_j h_j(x) beta_j
//
// With the hidden layer fixed the model is linear in beta, so a fit takes seconds and any
// robust loss can stand in for the square. The methods, smallest first:
//
//	Plain   ELM, pseudo-inverse (Huang et al. 2006)
//	Ridge   RELM, squares plus lambda |beta|^2
//	RCC     ELM-RCC, correntropy (Xing and Wang 2013)
//	KMPE    ELM-KMPE, kernel mean p-power error, Algorithm 1 of Chen et al.
//	Robust  any loss of package loss
//
// Targets are a matrix with one column per output: numbers for regression, +1 and -1 per
// class for classification ([OneVsAll]). In the robust methods every entry of the target
// matrix has its own weight, as in the paper, or every row has one (Options.PerRow).
//
//	m, err := elm.KMPE{Options: elm.Options{Hidden: 100, Lambda: 1e-4}, P: 2}.Fit(ctx, src, targets)
//	predicted, err := m.Predict(ctx, x)
//
// # The penalty
//
// Lambda is lambda' of the paper's fixed-point equation (23): each step solves
// [H'WH + lambda' I] beta = H'WT. The objective that these steps lower is (22),
//
//	J = mean rho(e^2) + lambda |beta|^2,  lambda = slope lambda' / N
//
// with slope = p/(4 sigma^2) for KMPE, so lambda = p lambda'/(4 sigma^2 N).
//
// Where Lambda is open it is the one that predicts left-out rows best, each row by itself (singly.go), or by
// generalised cross-validation with each degree of freedom counted 1.2 times where there are more than twenty rows for
// each node, or a robust machine stands on columns scaled robustly; at most 0.6 degrees of freedom per row, from the singular values of the hidden layer down to 1e-12 of the
// largest. The robust methods choose it again with the weights that they found until it stands still. They start free
// and, where that leaves much freedom per row, stiff as well, and keep the fit that predicts left-out rows better.
// TestDefaultMachines prints what default machines achieve.
//
// # How it is solved
//
// The hidden layer is computed in blocks of rows and kept only where repeated use makes
// that faster and it fits (layer.go, hidden.go). Steps use the normal equations around
// the present residuals where these are well conditioned, and orthogonal factorisation
// where they are not, so that also p < 2 with a tiny penalty keeps falling (solve.go).
// For p > 2, where the paper's iteration may cycle, steps are damped by 1/(p-1) and
// shortened further if the objective would rise.
package elm
