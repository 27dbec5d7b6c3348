package loss

import "math"

// KMPE and Welsch are the Gaussian members (alpha = 2, beta = sqrt2*sigma) of the
// kernel power family; their texts and bandwidths speak of sigma.

var kmpeFamily = family{
	Info: Info{
		Name:    "kmpe",
		Summary: "kernel mean p-power error with a Gaussian kernel",
		Rho:     "(1 - exp(-s/2sigma^2))^(p/2)",
		Weight:  "(1-g)^((p-2)/2) * g, g = exp(-s/2sigma^2)",
		Parameters: []Parameter{
			{Name: "p", Meaning: "power of the error in the kernel space", Default: 2, Min: 0.01, Max: 100},
			bandwidthParameter("sigma", "width of the Gaussian kernel, in units of r"),
		},
		Descends: "p <= 2",
		Paper:    "kmpe, eqs. (4), (5)",
		Notes: []string{
			"p = 2 is welsch; sigma to infinity is lp up to the factor (2sigma^2)^(-p/2); sigma to 0 counts the residuals that are not 0",
			"p < 2: tangent below r = 1.4e-6*sigma, where the weight would be infinite",
			"p > 2: the weight rises with small residuals and plain reweighting may cycle",
		},
	},
	wide:    1,
	order:   func(v values) float64 { return v[0] },
	concave: func(v values) bool { return v[0] <= 2 },
	build:   func(n named, v values) Scaled { return newKernelPower(n, 2, math.Sqrt2*n.scale, v[0]) },
}

var welschFamily = family{
	Info: Info{
		Name:       "welsch",
		Aliases:    []string{"correntropy", "c-loss", "closs", "mcc"},
		Summary:    "correntropy (C-loss): bounded, outliers lose all weight smoothly",
		Rho:        "1 - exp(-s/2sigma^2)",
		Weight:     "exp(-s/2sigma^2)",
		Parameters: []Parameter{bandwidthParameter("sigma", "width of the Gaussian kernel, in units of r")},
		Descends:   "always",
		Paper:      "kmpe, eq. (3); regmaxcem; correntropy-pca",
		Notes:      []string{"kmpe with p = 2; gcorr with alpha = 2, beta = sqrt2*sigma", "sigma = 2.11 x scale has 95 % efficiency at the Gaussian"},
	},
	wide:    1,
	concave: always,
	build:   func(n named, _ values) Scaled { return newKernelPower(n, 2, math.Sqrt2*n.scale, 2) },
}
