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
// that they found until it stands still. They start free and, where that leaves much
// freedom per row, stiff as well, and keep the fit that predicts left-out rows better.
// Default machines, median test RMSE of 12 random draws that no choice was made on, targets
// as they are / 15 % of the training targets far off (the sinc has a tenth of mild outliers
// already); TestDefaultMachines prints it:
//
//	                  elm            relm           elm-rcc
//	sinc, uniform     0.34 / 3.20    0.33 / 2.66    0.20 / 0.19
//	sinc, sine        0.33 / 3.25    0.26 / 2.79    0.22 / 0.21
//	servo             0.83 / 4.77    0.63 / 1.53    0.74 / 0.63
//	concrete          6.92 / 43.5    6.27 / 11.1    6.41 / 6.27
//	wine quality      0.694 / 1.54   0.640 / 0.699  0.639 / 0.642
//	Boston housing    5.83 / 26.9    4.29 / 6.92    4.53 / 4.74
//	airfoil           2.75 / 13.9    2.67 / 4.84    2.82 / 2.73
//	slump             3.58 / 24.6    2.96 / 8.73    3.22 / 3.27
//	yacht             7.22 / 40.2    1.81 / 15.3    2.17 / 4.07
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
