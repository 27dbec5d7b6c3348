package loss

import "math"

// generalisedMean is rho(s) = (s+delta)^p, whose minimum is that of the generalised mean
// of the shifted residuals.
type generalisedMean struct {
	named
	p, delta float64
}

var deltaParameter = Parameter{
	Name: "delta", Meaning: "shift, in units of s; bounds the weight; auto: 0.01 median squared residuals", Auto: 0.01, Min: 1e-300, Max: 1e300,
}

var gmFamily = family{
	Info: Info{
		Name:    "gm",
		Aliases: []string{"generalised-mean", "generalized-mean"},
		Summary: "generalised mean: a power of the squared residual, shifted away from 0",
		Rho:     "(s + delta)^p",
		Weight:  "(s + delta)^(p-1)",
		Parameters: []Parameter{
			{Name: "p", Meaning: "power of the squared residual", Default: 0.4, Min: 0.01, Max: 50},
			deltaParameter,
		},
		Descends: "p <= 1",
		Paper:    "pca-gm",
		Notes:    []string{"p = 1 is square; delta to 0 is lp with twice the power", "p < 1/2: single samples are attracting minima"},
	},
	pulls:   true,
	concave: func(v values) bool { return v[0] <= 1 },
	build:   func(n named, v values) Scaled { return generalisedMean{n, v[0], deltaParameter.or(v[1])} },
}

func (l generalisedMean) Slope() float64 { return l.p }

func (l generalisedMean) Rho(s float64) float64 {
	return raise(domain(s)+l.delta, l.p)
}

func (l generalisedMean) Weight(s float64) float64 {
	return raise(domain(s)+l.delta, l.p-1)
}

func (l generalisedMean) LogWeight(s float64) float64 {
	return (l.p - 1) * math.Log(saturate(domain(s)+l.delta))
}
