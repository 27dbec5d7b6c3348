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
// Where Lambda is open it is chosen by generalised cross-validation, each degree of freedom
// counted 1.2 times and at most 0.6 of them per row, from the singular values of the hidden
// layer down to 1e-12 of the largest; the robust methods choose it again with the weights
// that they found until it stands still. Default machines, median test RMSE of 12 random
// draws that no choice was made on, targets as they are / 15 % of the training targets far
// off (the sinc has a tenth of mild outliers already):
//
//	                  elm            relm           elm-rcc
//	sinc, uniform     0.31 / 3.32    0.26 / 2.86    0.19 / 0.22
//	sinc, sine        0.34 / 3.36    0.27 / 2.86    0.22 / 0.23
//	servo             0.76 / 4.27    0.69 / 1.66    0.89 / 0.87
//	concrete          7.30 / 45.7    6.25 / 11.3    6.43 / 6.59
//	wine quality      0.695 / 1.56   0.642 / 0.708  0.646 / 0.646
//	Boston housing    5.77 / 26.6    4.64 / 6.92    5.06 / 5.11
//	airfoil           2.61 / 14.3    2.53 / 5.09    2.73 / 2.78
//	slump             3.54 / 22.6    2.81 / 7.89    3.08 / 3.09
//	yacht             8.35 / 43.6    2.18 / 16.8    2.61 / 3.76
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
