package pca

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// parts are what a model consists of, for files.
type parts struct {
	Method           string
	Mean             []float64
	Components       *mat.Dense // m x d, orthonormal rows
	Eigenvalues      []float64
	Axes             *mat.Dense // m x m, principal axes of the scores as rows; nil: the components
	AxisVariances    []float64
	Weights          []float64
	Steps            []irls.Step
	Status           irls.Status
	Loss             string  // with the final bandwidth; empty: rows have no weights
	LargestLogWeight float64 // log-weight that counts as 1
	OrthogonalCutoff float64
	ScoreCutoff      float64
	Explained        Explained
	Warnings         []string
	Cells            *cellwise // of pca-cell; else nil
}

// parts takes the model apart. The slices are the model's own and must not be changed.
func (m *Model) parts() parts {
	p := parts{
		Method: m.method, Mean: m.mean, Components: mat.DenseCopyOf(m.basis.T()), Eigenvalues: m.eigenvalues, Weights: m.weights,
		Steps: m.steps, Status: m.status, LargestLogWeight: m.largest, OrthogonalCutoff: m.orthogonalCutoff, ScoreCutoff: m.scoreCutoff,
		Explained: m.explained, Warnings: m.warnings, Cells: m.cells,
	}
	if !m.unweighted {
		p.Loss = m.loss.String()
	}
	if m.axes != nil {
		p.Axes, p.AxisVariances = mat.DenseCopyOf(m.axes.directions.T()), m.axes.variances
	}
	return p
}

// fromParts puts a model together again and checks that its parts belong together.
func fromParts(p parts) (*Model, error) {
	if p.Components == nil {
		return nil, fmt.Errorf("pca: the model has no components")
	}
	k, d := p.Components.Dims()
	switch {
	case len(p.Mean) != d:
		return nil, fmt.Errorf("pca: a mean of %d numbers does not go with components of %d", len(p.Mean), d)
	case len(p.Eigenvalues) != k:
		return nil, fmt.Errorf("pca: %d eigenvalues do not go with %d components", len(p.Eigenvalues), k)
	}
	for _, v := range slices.Concat([]float64{p.LargestLogWeight, p.OrthogonalCutoff, p.ScoreCutoff}, p.Mean, p.Eigenvalues, p.AxisVariances) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("pca: the model holds a number that is not finite")
		}
	}
	m := &Model{
		method: p.Method, mean: p.Mean, basis: mat.DenseCopyOf(p.Components.T()), eigenvalues: p.Eigenvalues, weights: p.Weights, rows: len(p.Weights),
		steps: p.Steps, status: p.Status, unweighted: p.Loss == "", largest: p.LargestLogWeight,
		orthogonalCutoff: p.OrthogonalCutoff, scoreCutoff: p.ScoreCutoff, explained: p.Explained, warnings: p.Warnings,
	}
	if err := orthonormal(p.Components, "components"); err != nil {
		return nil, err
	}
	if p.Axes != nil {
		if r, c := p.Axes.Dims(); r != k || c != k || len(p.AxisVariances) != k {
			return nil, fmt.Errorf("pca: %d x %d axes with %d variances do not go with %d components", r, c, len(p.AxisVariances), k)
		}
		if err := orthonormal(p.Axes, "axes"); err != nil {
			return nil, err
		}
		m.axes = &principalAxes{variances: p.AxisVariances, directions: mat.DenseCopyOf(p.Axes.T())}
	}
	if p.Cells != nil {
		if err := p.Cells.check(d); err != nil {
			return nil, err
		}
		p.Cells.derive(m.mean, m.basis)
		m.cells = p.Cells
	}
	text := p.Loss
	if text == "" {
		text = "square"
	}
	spec, err := loss.Parse(text)
	if err != nil {
		return nil, err
	}
	m.loss = spec.At(spec.Rule().Value)
	return m, nil
}

// orthonormal refuses rows that are not orthonormal.
func orthonormal(rows *mat.Dense, what string) error {
	k, _ := rows.Dims()
	var gram mat.Dense
	linalg.Mul(&gram, rows, rows.T())
	for i := 0; i < k; i++ {
		for j := 0; j < k; j++ {
			want := 0.0
			if i == j {
				want = 1
			}
			if !(math.Abs(gram.At(i, j)-want) < 1e-6) {
				return fmt.Errorf("pca: %s %d and %d are not orthonormal", what, i+1, j+1)
			}
		}
	}
	return nil
}
