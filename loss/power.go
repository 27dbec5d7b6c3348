package loss

import "math"

// power is the L_p loss rho(s) = r^p = s^(p/2), and L1 with p = 1.
type power struct {
	named
	p             float64
	floor         float64 // s below which the tangent is used; 0 when the weight is finite at 0
	rhoAtFloor    float64
	weightAtFloor float64
}

// floorParameter is shared by the losses that have no bandwidth to measure a floor in.
var floorParameter = Parameter{
	Name: "floor", Meaning: "residual r below which the tangent is used; auto: 1e-6 median residuals", Auto: 1e-6, Root: true, Min: MinScale, Max: MaxScale, Quiet: true,
}

var lpFamily = family{
	Info: Info{
		Name:    "lp",
		Aliases: []string{"mpe"},
		Summary: "mean p-power error: a power of the residual",
		Rho:     "r^p",
		Weight:  "r^(p-2)",
		Parameters: []Parameter{
			{Name: "p", Meaning: "power of the residual", Default: 1.5, Min: 0.01, Max: 100},
			floorParameter,
		},
		Descends: "p <= 2",
		Paper:    "kmpe, Property 4",
		Notes:    []string{"p = 2 is square; p = 1 is l1", "p < 2: tangent below r = floor, where the weight would be infinite"},
	},
	order:   func(v values) float64 { return v[0] },
	pulls:   true,
	concave: func(v values) bool { return v[0] <= 2 },
	build:   func(n named, v values) Scaled { return newPower(n, v[0], floorParameter.or(v[1])) },
}

var l1Family = family{
	Info: Info{
		Name:       "l1",
		Aliases:    []string{"r1"},
		Summary:    "sum of the residual norms: the median's loss, for rows rotation invariant (R1)",
		Rho:        "r",
		Weight:     "1/r",
		Parameters: []Parameter{floorParameter},
		Descends:   "always",
		Paper:      "Ding et al. (R1-PCA); pca-gm",
		Notes:      []string{"lp with p = 1", "tangent below r = floor, where the weight would be infinite"},
	},
	order:   func(values) float64 { return 1 },
	pulls:   true,
	concave: always,
	build:   func(n named, v values) Scaled { return newPower(n, 1, floorParameter.or(v[0])) },
}

func newPower(n named, p, floor float64) *power {
	l := &power{named: n, p: p}
	if p < 2 {
		s := floor * floor
		l.rhoAtFloor, l.weightAtFloor = l.Rho(s), l.Weight(s)
		l.floor = s
	}
	return l
}

func (l *power) Slope() float64 { return l.p / 2 }

func (l *power) Rho(s float64) float64 {
	s = domain(s)
	if s < l.floor {
		return l.rhoAtFloor + l.Slope()*(s-l.floor)*l.weightAtFloor
	}
	if l.p == 1 {
		return math.Sqrt(s)
	}
	return raise(s, l.p/2)
}

func (l *power) Weight(s float64) float64 {
	s = domain(s)
	if s < l.floor {
		return l.weightAtFloor
	}
	if l.p == 1 {
		return 1 / math.Sqrt(s)
	}
	return raise(s, l.p/2-1)
}

func (l *power) LogWeight(s float64) float64 {
	return (l.p/2 - 1) * logOf(max(domain(s), l.floor))
}
