package loss

// square is least squares: rho(s) = s.
type square struct{ named }

var squareFamily = family{
	Info: Info{
		Name:     "square",
		Aliases:  []string{"l2", "ls"},
		Summary:  "least squares; every residual counts in full",
		Rho:      "s",
		Weight:   "1",
		Descends: "always",
		Paper:    "classical",
		Notes:    []string{"the limit of every loss with a bandwidth (p = 2) as the bandwidth grows"},
	},
	concave: always,
	build:   func(n named, _ values) Scaled { return square{n} },
}

func (square) Rho(s float64) float64       { return domain(s) }
func (square) Weight(s float64) float64    { return 1 + 0*domain(s) }
func (square) LogWeight(s float64) float64 { return 0 * domain(s) }
func (square) Slope() float64              { return 1 }
