package loss

import "math"

// cauchy is the log-likelihood of a Cauchy-like error: its weight falls like 1/s.
type cauchy struct{ named }

var cauchyFamily = family{
	Info: Info{
		Name:       "cauchy",
		Aliases:    []string{"lorentzian"},
		Summary:    "logarithm of the squared residual: unbounded, but nearly flat far out",
		Rho:        "c^2 * log(1 + s/c^2)",
		Weight:     "1/(1 + s/c^2)",
		Parameters: []Parameter{bandwidthParameter("c", "width, in units of r")},
		Descends:   "always",
		Paper:      "classical",
		Notes:      []string{"c to infinity is square", "c = 2.385 x scale has 95 % efficiency at the Gaussian"},
	},
	wide:    cauchyEfficient / welschEfficient,
	concave: always,
	build:   func(n named, _ values) Scaled { return cauchy{n} },
}

func (cauchy) Slope() float64 { return 1 }

func (l cauchy) Rho(s float64) float64 { return -l.scale * l.scale * l.LogWeight(s) }

func (l cauchy) Weight(s float64) float64 { return 1 / (1 + saturate(domain(s)/(l.scale*l.scale))) }

func (l cauchy) LogWeight(s float64) float64 {
	s = domain(s)
	t := s / (l.scale * l.scale)
	if t > math.MaxFloat64 {
		return 2*math.Log(l.scale) - math.Log(s)
	}
	return -math.Log1p(t)
}
