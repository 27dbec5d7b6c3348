package pca

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// correntropyParts is everything a fitted model consists of, as plain numbers: what a
// model file keeps.
type correntropyParts struct {
	Rows        int        // training rows
	Sigma       float64    // kernel size
	Uncentered  bool       // matrix and scores are not centred
	Offset      []float64  // L: subtracted from the input columns
	Scale       []float64  // L: then divided by
	Matrix      *mat.Dense // L x L: V
	Components  *mat.Dense // m x L: beta
	Eigenvalues []float64  // m
	Segments    *mat.Dense // S x 2: ends of the stretches that features describe; nil: none
	Features    *mat.Dense // L x F: mean features of each column; nil: none
	Points      []float64  // values that are kept as such, column after column, ascending in each
	PointMass   []float64  // their weights
	PointCount  []float64  // L: how many there are of each column
	ScoreCenter []float64  // m: medians of the training rows' scores
	ScoreBelow  []float64  // m: their spreads below the median
	ScoreAbove  []float64  // m: and above
	ScoreCutoff float64    // of the score distance
}

// parts returns copies.
func (m *CorrentropyModel) parts() correntropyParts {
	p := correntropyParts{
		Rows: m.rows, Sigma: m.sigma, Uncentered: m.uncentered, Offset: slices.Clone(m.offset), Scale: slices.Clone(m.scale),
		Matrix: mat.DenseCopyOf(m.matrix), Components: mat.DenseCopyOf(m.beta), Eigenvalues: slices.Clone(m.values),
		PointCount: make([]float64, len(m.offset)), ScoreCenter: slices.Clone(m.centre), ScoreBelow: slices.Clone(m.below), ScoreAbove: slices.Clone(m.above),
		ScoreCutoff: m.cutoff,
	}
	if n := len(m.smooth.expansions); n > 0 {
		p.Segments, p.Features = mat.NewDense(n, 2, nil), mat.DenseCopyOf(m.smooth.means)
		for j, e := range m.smooth.expansions {
			p.Segments.SetRow(j, []float64{e.lo, e.hi})
		}
	}
	for i, points := range m.smooth.points {
		p.PointCount[i] = float64(len(points))
		p.Points = append(p.Points, points...)
		p.PointMass = append(p.PointMass, m.smooth.pointMass[i]...)
	}
	return p
}

// correntropyFromParts makes the model again. Parts that do not fit together are refused.
func correntropyFromParts(p correntropyParts) (*CorrentropyModel, error) {
	if p.Matrix == nil || p.Components == nil {
		return nil, errors.New("pca: correntropy: matrix or components are missing")
	}
	components, l := p.Components.Dims()
	if r, c := p.Matrix.Dims(); r != l || c != l {
		return nil, fmt.Errorf("pca: correntropy: a matrix of %d x %d does not fit components of %d columns", r, c, l)
	}
	if !(p.Sigma > 0) || math.IsInf(p.Sigma, 0) || p.Rows < 2 {
		return nil, fmt.Errorf("pca: correntropy: sigma %g and %d rows cannot be a model's", p.Sigma, p.Rows)
	}
	for _, part := range []struct {
		name string
		v    []float64
		size int
		low  float64 // smallest admissible value
	}{
		{"offset", p.Offset, l, math.Inf(-1)},
		{"scale", p.Scale, l, math.SmallestNonzeroFloat64},
		{"eigenvalues", p.Eigenvalues, components, 0},
		{"point count", p.PointCount, l, 0},
		{"point mass", p.PointMass, len(p.Points), 0},
		{"points", p.Points, len(p.Points), math.Inf(-1)},
		{"score centre", p.ScoreCenter, components, math.Inf(-1)},
		{"spread of scores below", p.ScoreBelow, components, 0},
		{"spread of scores above", p.ScoreAbove, components, 0},
		{"score cut-off", []float64{p.ScoreCutoff}, 1, 0},
	} {
		if len(part.v) != part.size {
			return nil, fmt.Errorf("pca: correntropy: %s has %d numbers; %d are needed", part.name, len(part.v), part.size)
		}
		for _, v := range part.v {
			if !(v >= part.low) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("pca: correntropy: %s holds %g", part.name, v)
			}
		}
	}
	s, err := restoreSmoother(p, l)
	if err != nil {
		return nil, err
	}
	m := &CorrentropyModel{
		rows: p.Rows, sigma: p.Sigma, uncentered: p.Uncentered, offset: slices.Clone(p.Offset), scale: slices.Clone(p.Scale),
		matrix: symmetricCopy(p.Matrix), values: slices.Clone(p.Eigenvalues), beta: mat.DenseCopyOf(p.Components),
		smooth: s, centre: slices.Clone(p.ScoreCenter), below: slices.Clone(p.ScoreBelow), above: slices.Clone(p.ScoreAbove), cutoff: p.ScoreCutoff,
	}
	m.trace = mat.Trace(m.matrix)
	return m, nil
}

// restoreSmoother rebuilds the columns' functions.
func restoreSmoother(p correntropyParts, l int) (*smoother, error) {
	s := &smoother{sigma: p.Sigma, points: make([][]float64, l), pointMass: make([][]float64, l)}
	end := math.Inf(-1)
	for j := 0; p.Segments != nil && j < p.Segments.RawMatrix().Rows; j++ {
		if p.Segments.RawMatrix().Cols != 2 {
			return nil, errors.New("pca: correntropy: segments must have two columns")
		}
		lo, hi := p.Segments.At(j, 0), p.Segments.At(j, 1)
		if !(lo <= hi) || !(lo > end) || math.IsInf(hi-lo, 0) || expansionCost(lo, hi, p.Sigma) > 1<<40 {
			return nil, fmt.Errorf("pca: correntropy: segment %d from %g to %g is not possible", j+1, lo, hi)
		}
		end = hi
		s.expansions = append(s.expansions, newExpansion(lo, hi, p.Sigma))
	}
	if f := s.features(); f > 0 {
		if p.Features == nil {
			return nil, errors.New("pca: correntropy: features are missing")
		}
		if r, c := p.Features.Dims(); r != l || c != f {
			return nil, fmt.Errorf("pca: correntropy: features of %d x %d; %d x %d are needed", r, c, l, f)
		}
		s.means = mat.DenseCopyOf(p.Features)
	}
	first := 0
	for i, c := range p.PointCount {
		if c != math.Trunc(c) || c > float64(len(p.Points)-first) {
			return nil, fmt.Errorf("pca: correntropy: column %d cannot have %g points", i+1, c)
		}
		last := first + int(c)
		s.points[i], s.pointMass[i] = slices.Clone(p.Points[first:last]), slices.Clone(p.PointMass[first:last])
		if !slices.IsSorted(s.points[i]) {
			return nil, fmt.Errorf("pca: correntropy: the points of column %d are not ascending", i+1)
		}
		first = last
	}
	if first != len(p.Points) {
		return nil, fmt.Errorf("pca: correntropy: %d points for %d counted", len(p.Points), first)
	}
	return s, nil
}

// symmetricCopy takes the upper triangle.
func symmetricCopy(m *mat.Dense) *mat.SymDense {
	n, _ := m.Dims()
	out := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			out.SetSym(i, j, m.At(i, j))
		}
	}
	return out
}
