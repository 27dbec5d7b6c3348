package dataset

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/mat"
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

func (c *TwoGaussians) fields() []genField {
	return []genField{
		genIntField("n", &c.N, 1, 1e8, "rows"),
		genFloatField("long", &c.Long, genAtLeast(0), "standard deviation along each component's long axis"),
		genFloatField("short", &c.Short, genAtLeast(0), "standard deviation across it"),
	}
}

// Generate makes the set; the target is the component. Truth has Labels and Means.
func (c *TwoGaussians) Generate(seed uint64) (*Generated, error) {
	const name = "two-gaussians"
	if err := genCheck(name, c.fields()); err != nil {
		return nil, err
	}
	set, err := genTableOf(name, c.N, 2)
	if err != nil {
		return nil, err
	}
	means := mat.NewDense(2, 2, []float64{-1, -0.4, 1, 0.4})
	labels := make([]int, c.N)
	r := Random(seed, name)
	for i := range labels {
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
	set.Target = genClasses("component", labels, genColumns("c", 2))
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

func (c *ThreeGaussians) fields() []genField {
	return []genField{
		genIntField("per-cluster", &c.PerCluster, 1, 1e8, "rows of each cluster"),
		genFloatField("sd", &c.SD, genAtLeast(0), "standard deviation of each cluster"),
	}
}

// Generate makes the set, cluster by cluster; the target is the cluster. Truth has
// Labels and Means.
func (c *ThreeGaussians) Generate(seed uint64) (*Generated, error) {
	const name = "three-gaussians"
	if err := genCheck(name, c.fields()); err != nil {
		return nil, err
	}
	set, err := genTableOf(name, 3*c.PerCluster, 2)
	if err != nil {
		return nil, err
	}
	means := mat.NewDense(3, 2, []float64{-0.5, -0.2, 0, 0.6, 0.5, 0})
	labels := make([]int, 3*c.PerCluster)
	r := Random(seed, name)
	for i := range labels {
		labels[i] = i / c.PerCluster
		row := set.X.RawRowView(i)
		genNormals(r, row, c.SD)
		genAddScaled(row, 1, means.RawRowView(labels[i]))
	}
	set.Target = genClasses("component", labels, genColumns("c", 3))
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

func (c *Mixture) fields() []genField {
	return []genField{
		genIntField("n", &c.N, 2, 1e8, "rows"),
		genIntField("d", &c.D, 1, 2000, "columns"),
		genIntField("components", &c.Components, 1, 1000, "Gaussian components, equally likely"),
		genFloatField("separation", &c.Separation, genAtLeast(0), "distance between the two nearest centers, in units of sd"),
		genFloatField("sd", &c.SD, genAbove(0), "typical standard deviation of a component"),
		genFloatField("stretch", &c.Stretch, genSpan{lo: 1, hi: math.Inf(1), hiOpen: true}, "axes lie between sd/stretch and sd*stretch"),
		genFloatField("fraction", &c.Fraction, genFraction(), "fraction of the rows that are background"),
	}
}

// Generate makes the set. The target names the component, or "background". Truth
// has Outlier, Labels and Means.
func (c *Mixture) Generate(seed uint64) (*Generated, error) {
	const name = "mixture"
	if err := genCheck(name, c.fields()); err != nil {
		return nil, err
	}
	set, err := genTableOf(name, c.N, c.D)
	if err != nil {
		return nil, err
	}
	if c.D*c.D > genMost/8/c.Components {
		return nil, fmt.Errorf("dataset: %s: parameters components=%d and d=%d ask for more than %d numbers of orientations", name, c.Components, c.D, genMost/8)
	}
	shapes := Random(seed, "mixture shapes")
	means := genCenters(shapes, c.Components, c.D, c.Separation*c.SD)
	axes := make([][][]float64, c.Components) // scaled directions of each component
	for k := range axes {
		axes[k] = genDirections(shapes, c.D, c.D)
		for _, v := range axes[k] {
			length := c.SD * math.Pow(c.Stretch, genUniform(shapes, -1, 1))
			for j := range v {
				v[j] *= length
			}
		}
	}
	outlier := genMarked(Random(seed, "mixture places"), c.N, genCount(c.Fraction, c.N))
	labels := make([]int, c.N)
	rows, background := Random(seed, "mixture rows"), Random(seed, "mixture background")
	lo, hi := genBox(means, 4*c.SD*c.Stretch)
	for i := range c.N {
		row := set.X.RawRowView(i)
		k := rows.IntN(c.Components)
		copy(row, means.RawRowView(k))
		for _, v := range axes[k] {
			genAddScaled(row, rows.NormFloat64(), v)
		}
		labels[i] = k
		if outlier[i] {
			labels[i] = c.Components
			for j := range row {
				row[j] = genUniform(background, lo[j], hi[j])
			}
		}
	}
	classes := genColumns("c", c.Components)
	if c.Fraction > 0 {
		classes = append(classes, "background")
	}
	set.Target = genClasses("component", labels, classes)
	return &Generated{Set: set, Truth: &Truth{Outlier: outlier, Labels: append([]int(nil), labels...), Means: means}}, nil
}

// genBox is the smallest box that holds the rows of m, widened by margin.
func genBox(m *mat.Dense, margin float64) (lo, hi []float64) {
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

// genClasses makes a target of classes; it keeps labels as they are.
func genClasses(name string, labels []int, classes []string) *Target {
	return &Target{Name: name, Labels: labels, Classes: classes}
}

// genNumbered names classes "1", "2", ...
func genNumbered(k int) []string {
	names := make([]string, k)
	for i := range names {
		names[i] = strconv.Itoa(i + 1)
	}
	return names
}
