package synthetic

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/setting"
)

// Clean makes a table in which nothing is wrong, with columns of one of nine shapes. Whoever calls
// rows of it wrong raises false alarms.
//
//	normal, uniform, t3, lognormal, exponential, poisson   every column has that distribution
//	groups         three groups of rows far apart, normal within
//	binary         every second column is 0 or 1, the others are normal
//	zero-inflated  three of five values are 0, the others the upper two fifths of a lognormal distribution
//
// The columns depend on each other through Factors hidden normal causes; 0 makes them independent.
type Clean struct {
	N, D    int
	Shape   string
	Factors int
}

var cleanShapes = []string{"normal", "uniform", "t3", "lognormal", "exponential", "poisson", "groups", "binary", "zero-inflated"}

// DefaultClean is a thousand normal rows of ten columns with two causes behind them.
func DefaultClean() Clean { return Clean{N: 1000, D: 10, Shape: "normal", Factors: 2} }

func (c *Clean) fields() []setting.Field {
	return []setting.Field{
		setting.Int("n", &c.N, 1, 1e9, "rows"),
		setting.Int("d", &c.D, 1, 1e6, "columns"),
		setting.Choice("shape", &c.Shape, cleanShapes, "distribution of the columns"),
		setting.Int("factors", &c.Factors, 0, 1e4, "hidden causes that columns share; 0: they are independent"),
	}
}

// Generate makes the set. Truth has Outlier, without a mark, and Labels for groups.
func (c *Clean) Generate(seed uint64) (*Generated, error) {
	return c.generate(context.Background(), seed)
}

func (c *Clean) generate(ctx context.Context, seed uint64) (*Generated, error) {
	const name = "clean"
	if err := setting.Check(name, c.fields()); err != nil {
		return nil, err
	}
	set, err := tableOf(name, c.N, c.D)
	if err != nil {
		return nil, err
	}
	loads, centers := c.laws(dataset.Random(seed, "clean laws"))
	truth := &Truth{Outlier: make([]bool, c.N)}
	if c.Shape == "groups" {
		truth.Labels = make([]int, c.N)
	}
	r := dataset.Random(seed, "clean rows")
	causes := make([]float64, c.Factors)
	for i := range each(ctx, c.N) {
		normals(r, causes, 1)
		scale, group := 1.0, 0
		switch c.Shape {
		case "t3": // rows share their denominator: a multivariate t
			scale = math.Sqrt(3 / distuv.ChiSquared{K: 3, Src: r}.Rand())
		case "groups":
			group = r.IntN(3)
			truth.Labels[i] = group
		}
		row := set.X.RawRowView(i)
		for j := range row {
			z := r.NormFloat64() * loads[j][c.Factors]
			for k, f := range causes {
				z += f * loads[j][k]
			}
			row[j] = c.shaped(z*scale, j) + centers[group][j]
		}
	}
	return &Generated{Set: set, Truth: truth}, nil
}

// laws draws how much of each cause is in each column, the rest being its own noise so that its
// variance is 1, and where the groups stand.
func (c *Clean) laws(r *rand.Rand) (loads, centers [][]float64) {
	loads = make([][]float64, c.D)
	for j := range loads {
		loads[j] = make([]float64, c.Factors+1)
		normals(r, loads[j], 1)
		if c.Factors == 0 {
			loads[j][0] = 1
		}
		length := math.Sqrt(dot(loads[j], loads[j]))
		for k := range loads[j] {
			loads[j][k] /= length
		}
	}
	centers = make([][]float64, 3)
	for g := range centers {
		centers[g] = make([]float64, c.D)
		if c.Shape == "groups" {
			normals(r, centers[g], 5)
		}
	}
	return loads, centers
}

// shaped turns a standard normal number into one of the column's distribution.
func (c *Clean) shaped(z float64, column int) float64 {
	normal := distuv.UnitNormal
	switch c.Shape {
	case "uniform":
		return normal.CDF(z)
	case "lognormal":
		return math.Exp(z)
	case "exponential":
		return -math.Log(normal.CDF(-z))
	case "poisson":
		return poissonQuantile(normal.CDF(z), 4)
	case "binary":
		if column%2 == 1 {
			if z > 0 {
				return 1
			}
			return 0
		}
	case "zero-inflated":
		if p := normal.CDF(z); p < 0.6 {
			return 0
		}
		return math.Exp(z)
	}
	return z
}

// poissonQuantile is the smallest count whose chance not to be exceeded reaches p.
func poissonQuantile(p, mean float64) float64 {
	chance := math.Exp(-mean)
	sum, k := chance, 0.0
	for sum < p && k < 100 {
		k++
		chance *= mean / k
		sum += chance
	}
	return k
}
