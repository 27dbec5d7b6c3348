package loss

import "math"

// huber is quadratic up to the cut-off c and linear in r beyond.
type huber struct{ named }

// The constants are the cut-offs in units of the scale of Gaussian residuals at which an
// estimate of location is 95 % efficient; Welsch has sigma = 2.11.
const (
	huberEfficient  = 1.345
	cauchyEfficient = 2.385
	tukeyEfficient  = 4.685
	welschEfficient = 2.11
)

var huberFamily = family{
	Info: Info{
		Name:       "huber",
		Summary:    "square for small residuals, linear for large ones",
		Rho:        "s for r <= c, 2c*r - c^2 beyond",
		Weight:     "1 for r <= c, c/r beyond",
		Parameters: []Parameter{bandwidthParameter("c", "cut-off, in units of r")},
		Descends:   "always",
		Paper:      "Huber (1964); Ding et al. (R1-PCA) with c = median residual",
		Notes:      []string{"c to infinity is square; c to 0 is l1 up to the factor 2c", "c = 1.345 x scale has 95 % efficiency at the Gaussian"},
	},
	wide:    huberEfficient / welschEfficient,
	pulls:   true,
	concave: always,
	build:   func(n named, _ values) Scaled { return huber{n} },
}

func (huber) Slope() float64 { return 1 }

func (l huber) Rho(s float64) float64 {
	s = domain(s)
	if s <= l.scale*l.scale {
		return s
	}
	return 2*l.scale*math.Sqrt(s) - l.scale*l.scale
}

func (l huber) Weight(s float64) float64 {
	s = domain(s)
	if s <= l.scale*l.scale {
		return 1
	}
	return l.scale / math.Sqrt(s)
}

func (l huber) LogWeight(s float64) float64 {
	s = domain(s)
	if s <= l.scale*l.scale {
		return 0
	}
	return math.Log(l.scale) - math.Log(s)/2
}
