package synthetic

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/setting"
	"github.com/inlier-ml/inlier/internal/random"
)

// TwoGaussians makes the first example of the correntropy PCA slides, 200 draws from
// (N(m1, S1) + N(m2, S2))/2 in the plane. The slides do not print the means and
// covariances. Ours: m1 = (-1, -0.4), m2 = (1, 0.4), standard deviations Long and Short
// with the long axes at +60 and -60 degrees. The slides' kernel size is 0.5.
type TwoGaussians struct {
	N           int
	Long, Short float64
}

// DefaultTwoGaussians has the slides' 200 rows and our own covariances.
func DefaultTwoGaussians() TwoGaussians { return TwoGaussians{N: 200, Long: 0.6, Short: 0.2} }

func (c *TwoGaussians) fields() []setting.Field {
	return []setting.Field{
		setting.Int("n", &c.N, 1, 1e8, "rows"),
		setting.Float("long", &c.Long, setting.AtLeast(0), "standard deviation along each component's long axis"),
		setting.Float("short", &c.Short, setting.AtLeast(0), "standard deviation across it"),
	}
}

// Generate makes the set; the target is the component. Truth has Labels and Means.
func (c *TwoGaussians) Generate(seed uint64) (*Generated, error) {
	return c.generate(context.Background(), seed)
}

func (c *TwoGaussians) generate(ctx context.Context, seed uint64) (*Generated, error) {
	const name = "two-gaussians"
	if err := setting.Check(name, c.fields()); err != nil {
		return nil, err
	}
	set, err := tableOf(name, c.N, 2)
	if err != nil {
		return nil, err
	}
	means := mat.NewDense(2, 2, []float64{-1, -0.4, 1, 0.4})
	labels := make([]int, c.N)
	r := dataset.Random(seed, name)
	for i := range each(ctx, len(labels)) {
		k := r.IntN(2)
		labels[i] = k
		angle := math.Pi / 3
		if k == 1 {
			angle = -angle
		}
		a, b := c.Long*r.NormFloat64(), c.Short*r.NormFloat64()
		set.X.SetRow(i, []float64{
			means.At(k, 0) + a*math.Cos(angle) - b*math.Sin(angle),
			means.At(k, 1) + a*math.Sin(angle) + b*math.Cos(angle),
		})
	}
	set.Target = classTarget("component", labels, columns("c", 2))
	return &Generated{Set: set, Truth: &Truth{Labels: append([]int(nil), labels...), Means: means}}, nil
}

// ThreeGaussians makes the second example of the correntropy PCA slides: three round
// clusters of 50 rows with standard deviation 0.1. The slides do not print the
// centers. Ours are (-0.5, -0.2), (0, 0.6) and (0.5, 0), the familiar kernel PCA toy.
// The slides' kernel size is 0.2.
type ThreeGaussians struct {
	PerCluster int
	SD         float64
}

// DefaultThreeGaussians has the slides' numbers of rows and standard deviation.
func DefaultThreeGaussians() ThreeGaussians { return ThreeGaussians{PerCluster: 50, SD: 0.1} }

func (c *ThreeGaussians) fields() []setting.Field {
	return []setting.Field{
		setting.Int("per-cluster", &c.PerCluster, 1, 1e8, "rows of each cluster"),
		setting.Float("sd", &c.SD, setting.AtLeast(0), "standard deviation of each cluster"),
	}
}

// Generate makes the set, cluster by cluster; the target is the cluster. Truth has
// Labels and Means.
func (c *ThreeGaussians) Generate(seed uint64) (*Generated, error) {
	return c.generate(context.Background(), seed)
}

func (c *ThreeGaussians) generate(ctx context.Context, seed uint64) (*Generated, error) {
	const name = "three-gaussians"
	if err := setting.Check(name, c.fields()); err != nil {
		return nil, err
	}
	set, err := tableOf(name, 3*c.PerCluster, 2)
	if err != nil {
		return nil, err
	}
	means := mat.NewDense(3, 2, []float64{-0.5, -0.2, 0, 0.6, 0.5, 0})
	labels := make([]int, 3*c.PerCluster)
	r := dataset.Random(seed, name)
	for i := range each(ctx, len(labels)) {
		labels[i] = i / c.PerCluster
		row := set.X.RawRowView(i)
		normals(r, row, c.SD)
		addScaled(row, 1, means.RawRowView(labels[i]))
	}
	set.Target = classTarget("component", labels, columns("c", 3))
	return &Generated{Set: set, Truth: &Truth{Labels: append([]int(nil), labels...), Means: means}}, nil
}

// Mixture makes a general Gaussian mixture in d dimensions, each component with a
// random orientation and axes between SD/Stretch and SD*Stretch, and a background of rows
// spread evenly over a box around everything, which belong to no component.
type Mixture struct {
	N, D, Components int
	// Separation is the distance between the two nearest centers, in units of SD.
	Separation float64
	SD         float64
	Stretch    float64
	Fraction   float64 // of the rows that are background
}

// DefaultMixture is four slightly stretched components in the plane, well apart,
// with 5 % background.
func DefaultMixture() Mixture {
	return Mixture{N: 400, D: 2, Components: 4, Separation: 6, SD: 1, Stretch: 1.5, Fraction: 0.05}
}

func (c *Mixture) fields() []setting.Field {
	return []setting.Field{
		setting.Int("n", &c.N, 2, 1e8, "rows"),
		setting.Int("d", &c.D, 1, 2000, "columns"),
		setting.Int("components", &c.Components, 1, 1000, "Gaussian components, equally likely"),
		setting.Float("separation", &c.Separation, setting.AtLeast(0), "distance between the two nearest centers, in units of sd"),
		setting.Float("sd", &c.SD, setting.Above(0), "typical standard deviation of a component"),
		setting.Float("stretch", &c.Stretch, setting.AtLeast(1), "axes lie between sd/stretch and sd*stretch"),
		setting.Float("fraction", &c.Fraction, setting.Fraction(), "fraction of the rows that are background"),
	}
}

// Generate makes the set. The target names the component, or "background". Truth
// has Outlier, Labels and Means.
func (c *Mixture) Generate(seed uint64) (*Generated, error) {
	return c.generate(context.Background(), seed)
}

func (c *Mixture) generate(ctx context.Context, seed uint64) (*Generated, error) {
	const name = "mixture"
	if err := setting.Check(name, c.fields()); err != nil {
		return nil, err
	}
	set, err := tableOf(name, c.N, c.D)
	if err != nil {
		return nil, err
	}
	if c.D*c.D > mostNumbers/8/c.Components {
		return nil, fmt.Errorf("dataset: %s: parameters components=%d and d=%d ask for more than %d numbers of orientations", name, c.Components, c.D, mostNumbers/8)
	}
	shapes := dataset.Random(seed, "mixture shapes")
	means := centersApart(shapes, c.Components, c.D, c.Separation*c.SD)
	axes := make([][][]float64, c.Components) // scaled directions of each component
	for k := range axes {
		axes[k] = directions(shapes, c.D, c.D)
		for _, v := range axes[k] {
			length := c.SD * math.Pow(c.Stretch, random.Uniform(shapes, -1, 1))
			for j := range v {
				v[j] *= length
			}
		}
	}
	outlier := marked(dataset.Random(seed, "mixture places"), c.N, share(c.Fraction, c.N))
	labels := make([]int, c.N)
	rows, background := dataset.Random(seed, "mixture rows"), dataset.Random(seed, "mixture background")
	lo, hi := box(means, 4*c.SD*c.Stretch)
	for i := range each(ctx, c.N) {
		row := set.X.RawRowView(i)
		k := rows.IntN(c.Components)
		copy(row, means.RawRowView(k))
		for _, v := range axes[k] {
			addScaled(row, rows.NormFloat64(), v)
		}
		labels[i] = k
		if outlier[i] {
			labels[i] = c.Components
			for j := range row {
				row[j] = random.Uniform(background, lo[j], hi[j])
			}
		}
	}
	classes := columns("c", c.Components)
	if c.Fraction > 0 {
		classes = append(classes, "background")
	}
	set.Target = classTarget("component", labels, classes)
	return &Generated{Set: set, Truth: &Truth{Outlier: outlier, Labels: append([]int(nil), labels...), Means: means}}, nil
}

// box is the smallest box that holds the rows of m, widened by margin.
func box(m *mat.Dense, margin float64) (lo, hi []float64) {
	n, d := m.Dims()
	lo, hi = make([]float64, d), make([]float64, d)
	for j := range d {
		lo[j], hi[j] = math.Inf(1), math.Inf(-1)
		for i := range n {
			lo[j], hi[j] = min(lo[j], m.At(i, j)-margin), max(hi[j], m.At(i, j)+margin)
		}
	}
	return lo, hi
}

// classTarget makes a target of classes; it keeps labels as they are.
func classTarget(name string, labels []int, classes []string) *dataset.Target {
	return &dataset.Target{Name: name, Labels: labels, Classes: classes}
}

// numbered names classes "1", "2", ...
func numbered(k int) []string {
	names := make([]string, k)
	for i := range names {
		names[i] = strconv.Itoa(i + 1)
	}
	return names
}
