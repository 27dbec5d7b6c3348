package loss

import "math"

// kernelPower is the generalised kernel mean p-power error
//
//	rho(s) = (1 - g)^(p/2),  g = exp(-z),  z = (r/beta)^alpha,
//
// of which generalised correntropy (p = 2), KMPE (alpha = 2, beta = sqrt2*sigma) and
// Welsch (both) are special cases. With v = s/beta^2 its derivative is
//
//	drho/ds = p*alpha/(4 beta^2) * (1-g)^((p-2)/2) * g * v^(alpha/2-1).
//
// Near 0 rho behaves like v^(alpha*p/4). So the weight is infinite at 0 when
// alpha*p < 4, and it never rises, that is, rho is concave in s, exactly when
// alpha*p <= 4: d log(weight)/d log z = (p-2)/2 * z/(e^z-1) - z + 1 - 2/alpha falls in
// z from the value (alpha*p-4)/(2 alpha) at 0.
type kernelPower struct {
	named
	alpha, beta, p float64
	logBeta2       float64 // log(beta^2)
	slope          float64
	floor          float64 // smallest s that is evaluated; the tangent is used below. 0: none
	rhoAtFloor     float64
	weightAtFloor  float64
}

var gkmpeFamily = family{
	Info: Info{
		Name:    "gkmpe",
		Aliases: []string{"generalised-kmpe", "generalized-kmpe"},
		Summary: "generalised kernel mean p-power error: free shape (alpha), width (beta) and power (p)",
		Rho:     "(1 - exp(-(r/beta)^alpha))^(p/2)",
		Weight:  "(1-g)^((p-2)/2) * g * (r/beta)^(alpha-2), g = exp(-(r/beta)^alpha)",
		Parameters: []Parameter{
			{Name: "alpha", Meaning: "shape of the kernel; 2 is the Gaussian", Default: 2, Min: 0.01, Max: 100},
			bandwidthParameter("beta", "width of the kernel, in units of r"),
			{Name: "p", Meaning: "power of the error in the kernel space", Default: 2, Min: 0.01, Max: 100},
		},
		Descends: "alpha*p <= 4",
		Paper:    "corr-tensor (p-order form), kmpe",
		Notes: []string{
			"alpha = 2, beta = sqrt2*sigma is kmpe; p = 2 is gcorr; both together are welsch",
			"alpha*p < 4: tangent below r/beta = 1e-6, where the weight would be infinite",
			"alpha*p > 4: the weight rises with small residuals; check RisesAt the median residual",
		},
	},
	wide:    math.Sqrt2,
	order:   func(v values) float64 { return v[0] * v[1] / 2 },
	concave: func(v values) bool { return v[0]*v[1] <= 4 },
	build:   func(n named, v values) Scaled { return newKernelPower(n, v[0], n.scale, v[1]) },
}

var gcorrFamily = family{
	Info: Info{
		Name:    "gcorr",
		Aliases: []string{"generalised-correntropy", "generalized-correntropy", "corr-loss"},
		Summary: "generalised correntropy: welsch with a free shape of the kernel",
		Rho:     "1 - exp(-(r/beta)^alpha)",
		Weight:  "g * (r/beta)^(alpha-2), g = exp(-(r/beta)^alpha)",
		Parameters: []Parameter{
			{Name: "alpha", Meaning: "shape of the kernel; 2 is the Gaussian", Default: 2, Min: 0.01, Max: 100},
			bandwidthParameter("beta", "width of the kernel, in units of r"),
		},
		Descends: "alpha <= 2",
		Paper:    "corr-tensor",
		Notes: []string{
			"alpha = 2, beta = sqrt2*sigma is welsch; gkmpe with p = 2",
			"alpha < 2: tangent below r/beta = 1e-6, where the weight would be infinite",
			"alpha > 2: the weight rises with small residuals; check RisesAt the median residual",
		},
	},
	wide:    math.Sqrt2,
	order:   func(v values) float64 { return v[0] },
	concave: func(v values) bool { return v[0] <= 2 },
	build:   func(n named, v values) Scaled { return newKernelPower(n, v[0], n.scale, 2) },
}

func newKernelPower(n named, alpha, beta, p float64) *kernelPower {
	k := &kernelPower{named: n, alpha: alpha, beta: beta, p: p, logBeta2: 2 * math.Log(beta), slope: p * alpha / 4 / (beta * beta)}
	if alpha*p < 4 {
		s := floorRatio * beta * beta
		k.rhoAtFloor = k.Rho(s)
		k.weightAtFloor = k.Weight(s)
		k.floor = s
	}
	return k
}

func (k *kernelPower) Slope() float64 { return k.slope }

func (k *kernelPower) Rho(s float64) float64 {
	s = domain(s)
	if s < k.floor {
		return k.rhoAtFloor + k.slope*(s-k.floor)*k.weightAtFloor
	}
	z := s / (k.beta * k.beta)
	if k.alpha != 2 {
		z = math.Pow(z, k.alpha/2)
	}
	rho := -math.Expm1(-z)
	if k.p != 2 {
		rho = math.Pow(rho, k.p/2)
	}
	return rho
}

func (k *kernelPower) Weight(s float64) float64 {
	if s < k.floor {
		return k.weightAtFloor
	}
	if k.alpha == 2 && k.p == 2 {
		return math.Exp(-domain(s) / (k.beta * k.beta))
	}
	return saturate(math.Exp(k.LogWeight(s)))
}

func (k *kernelPower) LogWeight(s float64) float64 {
	s = max(domain(s), k.floor)
	if k.alpha == 2 && k.p == 2 {
		return -min(s/(k.beta*k.beta), largestExponent)
	}
	logV := logOf(s) - k.logBeta2
	logZ := k.alpha / 2 * logV
	z := min(math.Exp(logZ), largestExponent)
	w := -z
	if k.alpha != 2 {
		w += (k.alpha/2 - 1) * logV
	}
	if k.p != 2 {
		// log(1-g): for small z it is log z - z/2, which holds also where z underflows.
		log1g := logZ - z/2
		if z > 1e-8 {
			log1g = math.Log(-math.Expm1(-z))
		}
		w += (k.p - 2) / 2 * log1g
	}
	return w
}
