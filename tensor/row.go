package tensor

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/verdict"
)

// rowDesk is a desk for one sample, with what its last model needs to judge it.
type rowDesk struct {
	desk
	model   *Model
	inverse []float64
	square  [1]float64 // of the residual
}

var rowDesks = sync.Pool{New: func() any { return new(rowDesk) }}

// rowDesk returns a desk with a sample, centred, on it. It goes back to rowDesks.
func (m *Model) rowDesk(row []float64) *rowDesk {
	if d := len(m.at.mean); len(row) != d {
		panic(fmt.Sprintf("tensor: a row of %d numbers; samples of the model have %d", len(row), d))
	}
	k := rowDesks.Get().(*rowDesk)
	if k.model != m {
		d := len(row)
		k.desk = desk{shape: m.shape, d: d, rows: 1, norm: make([]float64, 1), x: make([]float64, d), y: make([]float64, d), z: make([]float64, d)}
		k.model, k.inverse = m, m.inverseVariances()
	}
	k.norm[0] = 0
	for j, v := range row {
		e := v - m.at.mean[j]
		k.x[j] = e
		k.norm[0] += e * e
	}
	return k
}

// TransformRow writes the core of one sample, in row-major order, to dst, which has room for
// it (nil: it is made), and returns it: what Transform returns for the sample, to rounding.
// It allocates nothing when the same model is asked again and again. The core of a sample
// with a missing or infinite number is NaN. It panics if the row or dst has another length
// than the model.
func (m *Model) TransformRow(dst, row []float64) []float64 {
	size := product(m.ranks)
	if dst == nil {
		dst = make([]float64, size)
	}
	if len(dst) != size {
		panic(fmt.Sprintf("tensor: room for %d numbers; cores of the model have %d", len(dst), size))
	}
	k := m.rowDesk(row)
	copy(dst, k.cores(1, m.at.factors))
	rowDesks.Put(k)
	for _, v := range row {
		if v-v != 0 {
			for j := range dst {
				dst[j] = math.NaN()
			}
			break
		}
	}
	return dst
}

// JudgeRow is the verdict on one sample: what Judge says of it, to rounding. It allocates
// nothing when the same model is asked again and again, but for samples whose squares overflow. A sample with a missing or infinite
// number cannot be judged: its kind is [verdict.Missing]. It panics if the row has another
// length than the model.
func (m *Model) JudgeRow(row []float64) verdict.Row {
	k := m.rowDesk(row)
	if !(k.norm[0] < farthest) {
		rowDesks.Put(k)
		return m.judgeOdd(row)
	}
	k.residuals(1, m.at.factors, k.square[:])
	distance := math.Sqrt(k.square[0])
	sum := 0.0
	for j, v := range k.cores(1, m.at.factors) {
		sum += v * v * k.inverse[j]
	}
	rowDesks.Put(k)
	return m.judgeOne(distance, math.Sqrt(sum))
}

// judgeOdd is JudgeRow for samples whose squares overflow or that hold a number that is none.
func (m *Model) judgeOdd(row []float64) verdict.Row {
	for _, v := range row {
		if v-v != 0 {
			return verdict.Row{Label: -1, Outlier: true, Kind: verdict.Missing}
		}
	}
	all, err := m.Judge(context.Background(), mat.NewDense(1, len(row), slices.Clone(row)))
	if err != nil {
		return verdict.Row{Label: -1, Outlier: true, Kind: verdict.Missing}
	}
	return all.Row(0)
}

// judgeOne is the verdict on a sample at these distances.
func (m *Model) judgeOne(distance, score float64) verdict.Row {
	out := verdict.Row{OrthogonalDistance: distance, ScoreDistance: score, Weight: 1, Label: -1}
	if !m.unweighted {
		out.Weight = math.Min(1, math.Exp(m.judging.LogWeight(squared(distance))-m.largest))
	}
	out.Kind = judging.OnMap(m.orthogonalCutoff > 0 && distance > m.orthogonalCutoff, m.scoreCutoff > 0 && score > m.scoreCutoff)
	out.Outlier = out.Kind != verdict.Regular
	return out
}
