package loss

import "math"

// tukey is the biweight: residuals beyond the cut-off c count nothing at all.
type tukey struct{ named }

var tukeyFamily = family{
	Info: Info{
		Name:       "tukey",
		Aliases:    []string{"bisquare", "biweight"},
		Summary:    "biweight: bounded, residuals beyond the cut-off have weight exactly 0",
		Rho:        "c^2/3 * (1 - (1 - s/c^2)^3) for r <= c, c^2/3 beyond",
		Weight:     "(1 - s/c^2)^2 for r <= c, 0 beyond",
		Parameters: []Parameter{bandwidthParameter("c", "cut-off, in units of r")},
		Descends:   "always",
		Paper:      "Beaton and Tukey (1974)",
		Notes:      []string{"c to infinity is square", "beyond c the log-weight is -Inf", "c = 4.685 x scale has 95 % efficiency at the Gaussian"},
	},
	wide:    tukeyEfficient / welschEfficient,
	concave: always,
	build:   func(n named, _ values) Scaled { return tukey{n} },
}

func (tukey) Slope() float64 { return 1 }

func (l tukey) Rho(s float64) float64 {
	s = domain(s)
	c2 := l.scale * l.scale
	t := s / c2
	if t >= 1 {
		return c2 / 3
	}
	return s * (1 - t + t*t/3)
}

func (l tukey) Weight(s float64) float64 {
	t := domain(s) / (l.scale * l.scale)
	if t >= 1 {
		return 0
	}
	return (1 - t) * (1 - t)
}

// LogWeight is -Inf beyond the cut-off, where the weight is exactly 0.
func (l tukey) LogWeight(s float64) float64 {
	t := domain(s) / (l.scale * l.scale)
	if t >= 1 {
		return math.Inf(-1)
	}
	return 2 * math.Log1p(-t)
}
