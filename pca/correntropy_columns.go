package pca

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/bounded"
	"github.com/inlier-ml/inlier/internal/scaling"
	"github.com/inlier-ml/inlier/refusal"
)

// Scaling names what is done to columns before they are compared.
type Scaling string

const (
	// ScaleMean subtracts each column's mean, which the slides assume was done.
	ScaleMean Scaling = "mean"
	// ScaleStandard also divides by each column's standard deviation, for columns with
	// different units. A constant column is only centred.
	ScaleStandard Scaling = "standard"
	// ScaleRobust subtracts each column's median and divides by its deviation from it (1.4826 median absolute
	// deviations): columns with different units of which some values are far off.
	ScaleRobust Scaling = "robust"
	// ScaleNone takes the values as they are.
	ScaleNone Scaling = "none"
)

// finiteRows refuses missing and infinite values and says where the first one is.
func finiteRows(x *mat.Dense) error {
	n, l := x.Dims()
	for k := range n {
		for i, v := range x.RawRowView(k)[:l] {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return &refusal.CellError{Row: k + 1, Column: i + 1, Value: v}
			}
		}
	}
	return nil
}

// scaled returns the columns of x, each contiguous, after scaling: (x - offset) / scale.
func (c Correntropy) scaled(ctx context.Context, x *mat.Dense, mass []float64) (columns [][]float64, offset, scale []float64, err error) {
	n, l := x.Dims()
	columns, offset, scale = make([][]float64, l), make([]float64, l), make([]float64, l)
	if c.Scaling == ScaleRobust {
		s := scaling.Fit(x, scaling.Rules{Kind: scaling.Robust, Weights: mass, Context: ctx})
		if err := ctx.Err(); err != nil {
			return nil, nil, nil, err
		}
		offset, scale = s.Offset, s.Scale
	}
	for i := range columns {
		col := mat.Col(make([]float64, n), i, x)
		columns[i] = col
		switch c.Scaling {
		case ScaleNone:
			scale[i] = 1
			continue
		case ScaleRobust:
			const most = math.MaxFloat64 / 16 // differences stay finite
			for k, v := range col {
				col[k] = max(-most, min(most, (v-offset[i])/scale[i]))
			}
			continue
		case "", ScaleMean, ScaleStandard:
			scale[i] = 1
		default:
			return nil, nil, nil, refusal.Parameter("scaling", c.Scaling, "must be %s, %s, %s or %s", ScaleMean, ScaleStandard, ScaleRobust, ScaleNone)
		}
		// The mean of the deviations from the first value: exact for constant columns.
		first, shift := col[0], 0.0
		for k, v := range col {
			shift += mass[k] * (v - first)
		}
		offset[i] = first + shift
		for k := range col {
			col[k] -= offset[i]
		}
		if sd := deviation(col, mass); c.Scaling == ScaleStandard && sd > 0 {
			scale[i] = sd
			for k := range col {
				col[k] /= sd
			}
		}
	}
	for i, col := range columns {
		if !(slices.Max(col)-slices.Min(col) < math.MaxFloat64/4) {
			return nil, nil, nil, refusal.Data("correntropy: column %d: the values are too far apart to subtract", i+1)
		}
	}
	return columns, offset, scale, nil
}

// deviation is the weighted standard deviation (divisor: the sum of weights, one).
func deviation(col, mass []float64) float64 {
	mean, square := 0.0, 0.0
	for k, v := range col {
		mean += mass[k] * v
	}
	for k, v := range col {
		square += mass[k] * (v - mean) * (v - mean)
	}
	return math.Sqrt(square)
}

// silvermanColumns is the rule described at Correntropy.Sigma.
func silvermanColumns(ctx context.Context, columns [][]float64, mass []float64, n float64) (float64, error) {
	spread := make([]float64, len(columns))
	err := eachColumn(ctx, len(columns), func(i int) {
		sd := deviation(columns[i], mass)
		if q := massQuartiles(columns[i], mass); q[2] > q[0] {
			sd = math.Min(sd, (q[2]-q[0])/1.34)
		}
		spread[i] = sd * sd
	})
	if err != nil {
		return 0, err
	}
	sum := 0.0
	for _, s := range spread {
		sum += s
	}
	sigma := 1.06 * math.Sqrt(sum/float64(len(columns))) * math.Pow(n, -0.2)
	if math.IsInf(sigma, 0) {
		return 0, bounded.ErrLarge
	}
	if !(sigma > 0) {
		for _, column := range columns {
			if slices.Max(column) > slices.Min(column) {
				return 0, bounded.ErrSmall
			}
		}
		return 0, refusal.Data("correntropy: every column is constant, so Silverman's rule gives no kernel size")
	}
	return sigma, nil
}

// massQuantile is the smallest value at or below which at least q of the mass lies.
func massQuantile(col, mass []float64, order []int, q float64) float64 {
	sum := 0.0
	for _, k := range order {
		if sum += mass[k]; sum >= q-1e-12 {
			return col[k]
		}
	}
	return col[order[len(order)-1]]
}
