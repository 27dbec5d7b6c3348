package tensor

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
)

// parts are what a model consists of, for files.
type parts struct {
	Method           string
	Shape            []int
	Mean             []float64
	Factors          []*mat.Dense // n_k x r_k, orthonormal columns
	Weights          []float64
	Steps            []irls.Step
	Status           irls.Status
	Loss             string      // with the bandwidth of the learned weights; empty: samples have no weights
	Judging          string      // with the bandwidth of residuals at full rank
	LargestLogWeight float64     // log-weight that counts as 1
	Variances        [][]float64 // of each direction of each mode
	OrthogonalCutoff float64
	ScoreCutoff      float64
}

// parts takes the model apart. The slices are the model's own and must not be changed.
func (m *Model) parts() parts {
	p := parts{
		Method: m.method, Shape: m.shape, Mean: m.at.mean, Weights: m.weights, Steps: m.steps, Status: m.status,
		LargestLogWeight: m.largest, Variances: m.variances, OrthogonalCutoff: m.orthogonalCutoff, ScoreCutoff: m.scoreCutoff,
	}
	for k := range m.shape {
		p.Factors = append(p.Factors, m.Factor(k))
	}
	if !m.unweighted {
		p.Loss, p.Judging = m.loss.String(), m.judging.String()
	}
	return p
}

// fromParts puts a model together again and checks that its parts belong together.
func fromParts(p parts) (*Model, error) {
	switch {
	case len(p.Shape) == 0 || len(p.Factors) != len(p.Shape) || len(p.Variances) != len(p.Shape):
		return nil, fmt.Errorf("tensor: %d factors and %d lists of variances do not go with shape %s", len(p.Factors), len(p.Variances), times(p.Shape))
	case len(p.Mean) != product(p.Shape):
		return nil, fmt.Errorf("tensor: a mean of %d numbers does not go with shape %s", len(p.Mean), times(p.Shape))
	}
	m := &Model{
		method: p.Method, shape: p.Shape, at: bases{mean: p.Mean, factors: make([]*mat.Dense, len(p.Shape))}, weights: p.Weights, rows: len(p.Weights),
		steps: p.Steps, status: p.Status, unweighted: p.Loss == "", largest: p.LargestLogWeight, variances: p.Variances,
		orthogonalCutoff: p.OrthogonalCutoff, scoreCutoff: p.ScoreCutoff,
	}
	for k, u := range p.Factors {
		n, r := u.Dims()
		if n != p.Shape[k] || r > n || len(p.Variances[k]) != r {
			return nil, fmt.Errorf("tensor: factor %d of %d x %d does not go with shape %s and %d variances", k, n, r, times(p.Shape), len(p.Variances[k]))
		}
		if err := checkOrthonormal(k, u); err != nil {
			return nil, err
		}
		m.ranks = append(m.ranks, r)
		if !isIdentity(u) {
			m.at.factors[k] = u
		}
	}
	m.learnRank = m.ranks
	numbers := append([]float64{p.LargestLogWeight, p.OrthogonalCutoff, p.ScoreCutoff}, p.Mean...)
	for _, v := range p.Variances {
		numbers = append(numbers, v...)
	}
	for _, v := range numbers {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, fmt.Errorf("tensor: the model holds a number that is not finite")
		}
	}
	var err error
	if m.loss, err = lossAt(p.Loss); err != nil {
		return nil, err
	}
	m.judging, err = lossAt(p.Judging)
	return m, err
}

func lossAt(text string) (loss.Scaled, error) {
	if text == "" {
		text = "square"
	}
	spec, err := loss.Parse(text)
	if err != nil {
		return nil, err
	}
	return spec.At(spec.Rule().Value), nil
}

func checkOrthonormal(mode int, u *mat.Dense) error {
	var gram mat.Dense
	linalg.Mul(&gram, u.T(), u)
	r, _ := gram.Dims()
	for i := range r {
		for j := range r {
			want := 0.0
			if i == j {
				want = 1
			}
			if !(math.Abs(gram.At(i, j)-want) < 1e-6) {
				return fmt.Errorf("tensor: columns %d and %d of factor %d are not orthonormal", i+1, j+1, mode)
			}
		}
	}
	return nil
}

func isIdentity(u *mat.Dense) bool {
	n, r := u.Dims()
	if n != r {
		return false
	}
	for i := range n {
		for j := range n {
			want := 0.0
			if i == j {
				want = 1
			}
			if u.At(i, j) != want {
				return false
			}
		}
	}
	return true
}
