package synthetic

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/setting"
)

// ToyMean makes the first toy of the PCA-GM paper (Fig. 1): two-dimensional inliers
// from N(0, 0.5 I) and a few outliers from N((5, 5), 0.3 I); the numbers are variances.
// Rows are inliers first, then outliers.
type ToyMean struct {
	Inliers, Outliers               int
	InlierVariance, OutlierVariance float64
	Shift                           float64 // each coordinate of the outliers' mean
}

// DefaultToyMean is the paper's set-up: 100 inliers, 10 outliers.
func DefaultToyMean() ToyMean {
	return ToyMean{Inliers: 100, Outliers: 10, InlierVariance: 0.5, OutlierVariance: 0.3, Shift: 5}
}

func (c *ToyMean) fields() []setting.Field {
	return []setting.Field{
		setting.Int("inliers", &c.Inliers, 1, 1e8, "inlier rows"),
		setting.Int("outliers", &c.Outliers, 0, 1e8, "outlier rows"),
		setting.Float("inlier-variance", &c.InlierVariance, setting.AtLeast(0), "variance of each coordinate of the inliers"),
		setting.Float("outlier-variance", &c.OutlierVariance, setting.AtLeast(0), "variance of each coordinate of the outliers"),
		setting.Float("shift", &c.Shift, setting.AnyNumber(), "both coordinates of the outliers' mean"),
	}
}

// Generate makes the set. Truth has Outlier and Center.
func (c *ToyMean) Generate(seed uint64) (*Generated, error) {
	return c.generate(context.Background(), seed)
}

func (c *ToyMean) generate(ctx context.Context, seed uint64) (*Generated, error) {
	const name = "toy-mean"
	if err := setting.Check(name, c.fields()); err != nil {
		return nil, err
	}
	set, err := tableOf(name, c.Inliers+c.Outliers, 2)
	if err != nil {
		return nil, err
	}
	truth := &Truth{Outlier: make([]bool, c.Inliers+c.Outliers), Center: []float64{0, 0}}
	inliers, outliers := dataset.Random(seed, "toy-mean inliers"), dataset.Random(seed, "toy-mean outliers")
	for i := range each(ctx, len(truth.Outlier)) {
		row := set.X.RawRowView(i)
		if i < c.Inliers {
			normals(inliers, row, math.Sqrt(c.InlierVariance))
			continue
		}
		truth.Outlier[i] = true
		normals(outliers, row, math.Sqrt(c.OutlierVariance))
		addScaled(row, c.Shift, []float64{1, 1})
	}
	return &Generated{Set: set, Truth: truth}, nil
}

// ToyLine makes the second toy of the PCA-GM paper (Fig. 2): x ~ N(0, 1), y = x + e
// with e ~ N(0, 0.5^2) for inliers and N(0, 3^2) for outliers. Rows are inliers first,
// then outliers.
//
// The leading direction of the inliers' covariance [1 1; 1 1+0.25] stands at 48.6
// degrees, not at the 45 that the paper names; Truth.Basis has the former.
type ToyLine struct {
	Inliers, Outliers   int
	InlierSD, OutlierSD float64
}

// DefaultToyLine is the paper's set-up: 100 inliers, 10 outliers.
func DefaultToyLine() ToyLine {
	return ToyLine{Inliers: 100, Outliers: 10, InlierSD: 0.5, OutlierSD: 3}
}

func (c *ToyLine) fields() []setting.Field {
	return []setting.Field{
		setting.Int("inliers", &c.Inliers, 1, 1e8, "inlier rows"),
		setting.Int("outliers", &c.Outliers, 0, 1e8, "outlier rows"),
		setting.Float("inlier-sd", &c.InlierSD, setting.AtLeast(0), "standard deviation of the inliers' vertical noise"),
		setting.Float("outlier-sd", &c.OutlierSD, setting.AtLeast(0), "standard deviation of the outliers' vertical noise"),
	}
}

// Generate makes the set. Truth has Outlier, Center and Basis.
func (c *ToyLine) Generate(seed uint64) (*Generated, error) {
	return c.generate(context.Background(), seed)
}

func (c *ToyLine) generate(ctx context.Context, seed uint64) (*Generated, error) {
	const name = "toy-line"
	if err := setting.Check(name, c.fields()); err != nil {
		return nil, err
	}
	set, err := tableOf(name, c.Inliers+c.Outliers, 2)
	if err != nil {
		return nil, err
	}
	set.Columns = []string{"x", "y"}
	truth := &Truth{Outlier: make([]bool, c.Inliers+c.Outliers), Center: []float64{0, 0}}
	inliers, outliers := dataset.Random(seed, "toy-line inliers"), dataset.Random(seed, "toy-line outliers")
	for i := range each(ctx, len(truth.Outlier)) {
		r, sd := inliers, c.InlierSD
		if i >= c.Inliers {
			r, sd = outliers, c.OutlierSD
			truth.Outlier[i] = true
		}
		x := r.NormFloat64()
		set.X.SetRow(i, []float64{x, x + sd*r.NormFloat64()})
	}
	// Covariance [1 1; 1 1+sd^2]: tan(2 angle) = 2 / (1 - (1+sd^2)).
	angle := math.Atan2(2, -c.InlierSD*c.InlierSD) / 2
	truth.Basis = mat.NewDense(2, 1, []float64{math.Cos(angle), math.Sin(angle)})
	return &Generated{Set: set, Truth: truth}, nil
}
