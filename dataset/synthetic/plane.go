package synthetic

import (
	"context"
	"math"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/setting"
	"github.com/inlier-ml/inlier/internal/random"
)

// Plane makes a linear regression y = b0 + b'x + noise with x standard Gaussian and
// a fraction of outliers of one kind:
//
//	vertical       y is moved up or down by about Shift, x stays
//	leverage       x lies Distance away along b and y ignores the plane: such rows pull a fit flat
//	good-leverage  x lies Distance away along b and y follows the plane: they should be kept
//	mixed          half vertical, half leverage
//
// The noise is Gaussian with standard deviation Noise.
type Plane struct {
	N, Test  int
	D        int
	Noise    float64
	Outliers string // none, vertical, leverage, good-leverage, mixed
	Fraction float64
	Shift    float64
	Distance float64
}

// DefaultPlane is 200 rows in five dimensions with 10 % vertical and 10 % leverage outliers.
func DefaultPlane() Plane {
	return Plane{N: 200, Test: 200, D: 5, Noise: 0.5, Outliers: "mixed", Fraction: 0.2, Shift: 20, Distance: 10}
}

func (c *Plane) fields() []setting.Field {
	return []setting.Field{
		setting.Int("n", &c.N, 2, 1e9, "rows to learn from"),
		setting.Int("test", &c.Test, 0, 1e9, "rows without noise to test on; 0: no test set"),
		setting.Int("d", &c.D, 1, 1e6, "inputs"),
		setting.Float("noise", &c.Noise, setting.AtLeast(0), "standard deviation of the target's noise"),
		setting.Choice("outliers", &c.Outliers, []string{"none", "vertical", "leverage", "good-leverage", "mixed"}, "kind of outliers"),
		setting.Float("fraction", &c.Fraction, setting.Fraction(), "fraction of the rows that are outliers"),
		setting.Float("shift", &c.Shift, setting.AtLeast(0), "how far vertical outliers are moved, give or take a fifth"),
		setting.Float("distance", &c.Distance, setting.AtLeast(0), "how far leverage points lie out"),
	}
}

// Generate makes the set. Truth has Outlier (good leverage points are not marked),
// CleanY, Coefficients, Intercept and Note, which names the kind of each odd row.
func (c *Plane) Generate(seed uint64) (*Generated, error) {
	return c.generate(context.Background(), seed)
}

func (c *Plane) generate(ctx context.Context, seed uint64) (*Generated, error) {
	const name = "plane"
	if err := setting.Check(name, c.fields()); err != nil {
		return nil, err
	}
	set, err := tableOf(name, c.N, c.D)
	if err != nil {
		return nil, err
	}
	shape := dataset.Random(seed, "plane coefficients")
	truth := &Truth{Intercept: random.Uniform(shape, -5, 5), Coefficients: make([]float64, c.D), CleanY: make([]float64, c.N),
		Outlier: make([]bool, c.N), Note: make([]string, c.N)}
	for j := range truth.Coefficients {
		truth.Coefficients[j] = random.Uniform(shape, 1, 3)
		if shape.IntN(2) == 0 {
			truth.Coefficients[j] = -truth.Coefficients[j]
		}
	}
	along := append([]float64(nil), truth.Coefficients...) // unit vector along b
	length := math.Sqrt(dot(along, along))
	for j := range along {
		along[j] /= length
	}

	count := 0
	if c.Outliers != "none" {
		count = share(c.Fraction, c.N)
	}
	kind := make([]string, c.N)
	for k, i := range dataset.Random(seed, "plane places").Perm(c.N)[:count] {
		kind[i] = c.Outliers
		if c.Outliers == "mixed" {
			kind[i] = []string{"vertical", "leverage"}[k%2]
		}
	}

	rows, odd := dataset.Random(seed, "plane rows"), dataset.Random(seed, "plane outliers")
	y := make([]float64, c.N)
	for i := range each(ctx, len(y)) {
		row := set.X.RawRowView(i)
		normals(rows, row, 1)
		noise := c.Noise * rows.NormFloat64()
		if kind[i] == "leverage" || kind[i] == "good-leverage" {
			normals(odd, row, 0.5)
			addScaled(row, c.Distance, along)
		}
		clean := truth.Intercept + dot(truth.Coefficients, row)
		y[i], truth.CleanY[i] = clean+noise, clean
		switch kind[i] {
		case "vertical":
			shift := c.Shift * random.Uniform(odd, 0.8, 1.2)
			if odd.IntN(2) == 0 {
				shift = -shift
			}
			y[i] += shift
		case "leverage":
			y[i] = truth.Intercept + noise
		}
		truth.Note[i] = kind[i]
		truth.Outlier[i] = kind[i] == "vertical" || kind[i] == "leverage"
	}
	set.Target = &dataset.Target{Name: "y", Values: y}
	g := &Generated{Set: set, Truth: truth}
	if c.Test > 0 {
		if g.Test, err = tableOf(name+" test", c.Test, c.D); err != nil {
			return nil, err
		}
		r := dataset.Random(seed, "plane test rows")
		values := make([]float64, c.Test)
		for i := range each(ctx, len(values)) {
			row := g.Test.X.RawRowView(i)
			normals(r, row, 1)
			values[i] = truth.Intercept + dot(truth.Coefficients, row)
		}
		g.Test.Target = &dataset.Target{Name: "y", Values: values}
	}
	return g, nil
}
