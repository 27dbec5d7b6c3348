package peers

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/npy"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/score"
)

// The measures of what comes out, in the words of tables.
const (
	measureAngle       = "degrees off"
	measureVariance    = "variance kept"
	measureCoefficient = "coefficient error"
	measureTest        = "error on test rows"
	measureLabels      = "right on test rows"
	measureInertia     = "inertia per row"
	measureAUC         = "area under ROC"
)

// better tells whether more of a measure is better.
func better(measure string) bool {
	return measure == measureVariance || measure == measureLabels || measure == measureAUC
}

// judge measures an answer: how far it is from the truth, or how well it fits where no truth is known. All programs are judged by the
// same computation.
func (m *material) judge(t task, a answer) (string, report.Number, error) {
	if strings.HasSuffix(a.path, ".csv") {
		scores, err := scoresOf(a.path)
		if err != nil {
			return "", 0, err
		}
		return m.rank(scores)
	}
	got, err := a.load()
	if err != nil {
		return "", 0, err
	}
	switch t.Judged {
	case "auc":
		return m.rank(got.Data)
	case "angle", "factor":
		truth, found := m.truth.Basis, got
		if t.Judged == "factor" { // rows x rank in both
			truth = m.truth.Factors[0]
		} else if found, err = transposed(got); err != nil { // a component in each row
			return "", 0, err
		}
		basis, err := matrixOf(found)
		if err != nil {
			return "", 0, err
		}
		if d, _ := truth.Dims(); basis.RawMatrix().Rows != d {
			return "", 0, fmt.Errorf("a basis of %d numbers each, where columns are %d", basis.RawMatrix().Rows, d)
		}
		angle, err := score.LargestAngle(truth, basis)
		return measureAngle, report.Number(angle), err
	case "variance", "inertia":
		x, err := answer{path: m.data}.load()
		if err != nil {
			return "", 0, err
		}
		rows, err := matrixOf(x)
		if err != nil {
			return "", 0, err
		}
		c, err := matrixOf(got)
		if err != nil {
			return "", 0, err
		}
		if _, d := rows.Dims(); c.RawMatrix().Cols != d {
			return "", 0, fmt.Errorf("%d numbers each, where columns are %d", c.RawMatrix().Cols, d)
		}
		if t.Judged == "inertia" {
			return measureInertia, report.Number(inertia(rows, c)), nil
		}
		return measureVariance, report.Number(kept(rows, c)), nil
	}
	values, err := numeric(got)
	if err != nil || len(values) != len(m.wanted) {
		return "", 0, fmt.Errorf("%d predictions for %d rows (%v)", len(values), len(m.wanted), err)
	}
	sum, right, rest := 0.0, 0.0, 0.0
	for i, v := range values {
		w := m.wanted[i]
		sum += (v - w) * (v - w)
		if v == w {
			right++
		}
		if i > 0 { // of a coefficient: less the intercept
			d := (v - values[0]) - (w - m.wanted[0])
			rest += d * d
		}
	}
	n := float64(len(values))
	switch t.Judged {
	case "labels":
		return measureLabels, report.Number(right / n), nil
	case "coefficients":
		first := values[0] - m.wanted[0]
		return measureCoefficient, report.Number(math.Sqrt(first*first + rest)), nil
	}
	return measureTest, report.Number(math.Sqrt(sum / n)), nil
}

// rank is how well scores tell the rows that were made to be outliers.
func (m *material) rank(scores []float64) (string, report.Number, error) {
	if len(scores) != len(m.truth.Outlier) {
		return "", 0, fmt.Errorf("%d scores for %d rows", len(scores), len(m.truth.Outlier))
	}
	curve, err := score.ROC(m.truth.Outlier, scores)
	if err != nil {
		return "", 0, err
	}
	return measureAUC, report.Number(curve.AUC), nil
}

// kept is the share of the variance of the rows that lies in the space of the components, one in each row and orthonormal.
func kept(x, components *mat.Dense) float64 {
	n, d := x.Dims()
	mean := make([]float64, d)
	for i := range n {
		for j, v := range x.RawRowView(i) {
			mean[j] += v / float64(n)
		}
	}
	all, inside := 0.0, 0.0
	row, scores := mat.NewVecDense(d, nil), mat.NewVecDense(components.RawMatrix().Rows, nil)
	for i := range n {
		for j, v := range x.RawRowView(i) {
			row.SetVec(j, v-mean[j])
		}
		linalg.MulVec(scores, components, row)
		all += mat.Dot(row, row)
		inside += mat.Dot(scores, scores)
	}
	return inside / all
}

// inertia is the mean squared distance to the nearest center.
func inertia(x, centers *mat.Dense) float64 {
	n, _ := x.Dims()
	k, _ := centers.Dims()
	sum := 0.0
	for i := range n {
		least := math.Inf(1)
		for c := range k {
			s := 0.0
			center := centers.RawRowView(c)
			for j, v := range x.RawRowView(i) {
				s += (v - center[j]) * (v - center[j])
			}
			least = min(least, s)
		}
		sum += least
	}
	return sum / float64(n)
}

func matrixOf(a *npy.Array) (*mat.Dense, error) {
	if len(a.Shape) != 2 || len(a.Data) == 0 {
		return nil, fmt.Errorf("an array of shape %v is no matrix", a.Shape)
	}
	return mat.NewDense(a.Shape[0], a.Shape[1], a.Data), nil
}

func transposed(a *npy.Array) (*npy.Array, error) {
	m, err := matrixOf(a)
	if err != nil {
		return nil, err
	}
	t := mat.DenseCopyOf(m.T())
	return &npy.Array{Shape: []int{a.Shape[1], a.Shape[0]}, Data: t.RawMatrix().Data}, nil
}

// numeric are the entries as numbers; classes may be written as text.
func numeric(a *npy.Array) ([]float64, error) {
	if a.Text == nil {
		return a.Data, nil
	}
	list := make([]float64, len(a.Text))
	for i, text := range a.Text {
		var err error
		if list[i], err = strconv.ParseFloat(text, 64); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// scoresOf reads the column score of the rows that a check wrote.
func scoresOf(path string) ([]float64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil || len(lines) == 0 {
		return nil, fmt.Errorf("%s: no rows (%v)", path, err)
	}
	at := -1
	for j, name := range lines[0] {
		if name == "score" {
			at = j
		}
	}
	if at < 0 {
		return nil, fmt.Errorf("%s has no column score", path)
	}
	list := make([]float64, len(lines)-1)
	for i, line := range lines[1:] {
		if list[i], err = strconv.ParseFloat(line[at], 64); err != nil {
			return nil, err
		}
	}
	return list, nil
}
