package dataset

import (
	"math"

	"gonum.org/v1/gonum/mat"
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

func (c *ToyMean) fields() []genField {
	return []genField{
		genIntField("inliers", &c.Inliers, 1, 1e8, "inlier rows"),
		genIntField("outliers", &c.Outliers, 0, 1e8, "outlier rows"),
		genFloatField("inlier-variance", &c.InlierVariance, genAtLeast(0), "variance of each coordinate of the inliers"),
		genFloatField("outlier-variance", &c.OutlierVariance, genAtLeast(0), "variance of each coordinate of the outliers"),
		genFloatField("shift", &c.Shift, genAnyNumber(), "both coordinates of the outliers' mean"),
	}
}

// Generate makes the set. Truth has Outlier and Center.
func (c *ToyMean) Generate(seed uint64) (*Generated, error) {
	const name = "toy-mean"
	if err := genCheck(name, c.fields()); err != nil {
		return nil, err
	}
	set, err := genTableOf(name, c.Inliers+c.Outliers, 2)
	if err != nil {
		return nil, err
	}
	truth := &Truth{Outlier: make([]bool, c.Inliers+c.Outliers), Center: []float64{0, 0}}
	inliers, outliers := Random(seed, "toy-mean inliers"), Random(seed, "toy-mean outliers")
	for i := range truth.Outlier {
		row := set.X.RawRowView(i)
		if i < c.Inliers {
			genNormals(inliers, row, math.Sqrt(c.InlierVariance))
			continue
		}
		truth.Outlier[i] = true
		genNormals(outliers, row, math.Sqrt(c.OutlierVariance))
		genAddScaled(row, c.Shift, []float64{1, 1})
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

func (c *ToyLine) fields() []genField {
	return []genField{
		genIntField("inliers", &c.Inliers, 1, 1e8, "inlier rows"),
		genIntField("outliers", &c.Outliers, 0, 1e8, "outlier rows"),
		genFloatField("inlier-sd", &c.InlierSD, genAtLeast(0), "standard deviation of the inliers' vertical noise"),
		genFloatField("outlier-sd", &c.OutlierSD, genAtLeast(0), "standard deviation of the outliers' vertical noise"),
	}
}

// Generate makes the set. Truth has Outlier, Center and Basis.
func (c *ToyLine) Generate(seed uint64) (*Generated, error) {
	const name = "toy-line"
	if err := genCheck(name, c.fields()); err != nil {
		return nil, err
	}
	set, err := genTableOf(name, c.Inliers+c.Outliers, 2)
	if err != nil {
		return nil, err
	}
	set.Columns = []string{"x", "y"}
	truth := &Truth{Outlier: make([]bool, c.Inliers+c.Outliers), Center: []float64{0, 0}}
	inliers, outliers := Random(seed, "toy-line inliers"), Random(seed, "toy-line outliers")
	for i := range truth.Outlier {
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
