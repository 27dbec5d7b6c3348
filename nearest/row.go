package nearest

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// PredictRow is the class of one row, from 0: that of the nearest center, the first of
// equals. It is -1 for a row with a missing or infinite number, and panics if the row has another
// length than the model. It allocates nothing.
func (m *Model) PredictRow(row []float64) int {
	return m.JudgeRow(row, -1).Label
}

// JudgeRow is the verdict on one row, and on its label unless that is -1: what Judge says of
// it, to rounding. It panics if the row has another length than the model. It allocates
// nothing.
func (m *Model) JudgeRow(row []float64, given int) verdict.Row {
	k, d := m.centers.Dims()
	if len(row) != d || given < -1 || given >= k {
		panic(fmt.Sprintf("nearest: a row of %d columns with label %d; the model has %d columns and %d classes", len(row), given, d, k))
	}
	if m.inputs != nil {
		room := workspace.Get(d + k)
		defer room.Put()
		scaled := room.Take(d)
		m.inputs.applyRow(scaled, row)
		return m.judgeFrom(room.Take(k), scaled, given)
	}
	if k <= workspace.Small {
		var distance [workspace.Small]float64
		return m.judgeFrom(distance[:k], row, given)
	}
	room := workspace.Get(k)
	defer room.Put()
	return m.judgeFrom(room.Take(k), row, given)
}

// judgeFrom is JudgeRow of a scaled row with room for the distances.
func (m *Model) judgeFrom(distance, row []float64, given int) verdict.Row {
	if m.shape != nil {
		if !spectralRow(distance, row, m.scaled, m.shape) {
			return verdict.Row{Label: -1, Kind: verdict.Missing, Outlier: true}
		}
	} else {
		m.frobenius(distance, row)
	}
	best := 0
	for c, d := range distance {
		if d < distance[best] {
			best = c
		}
	}
	if m.elementwise {
		room := workspace.Get(len(row))
		defer room.Put()
		if k, similar := m.mostSimilar(row, room.Take(len(row))); similar {
			best = k
		}
	}
	return judgeRow(distance, m.cutoffs, best, given)
}

// frobenius writes the distances of a scaled row from the centers.
func (m *Model) frobenius(distance, row []float64) {
	for c := range distance {
		center := m.scaled.RawRowView(c)
		distance[c] = math.Sqrt(linalg.SquaredDistance(row, center))
		if math.IsInf(distance[c], 1) {
			distance[c] = apart(row, center)
		}
	}
}

// PredictRow is the class of one row, from 0: the one whose subspace leaves the smallest
// residual, the first of equals; see [Subspaces.JudgeRow]. It is -1 for a row with a number that is
// missing or infinite.
func (s *Subspaces) PredictRow(row []float64) int {
	if v := s.JudgeRow(row, -1); v.Kind != verdict.Missing {
		return v.Label
	}
	return -1
}

// JudgeRow is the verdict on one row, and on its label unless that is -1: what Judge says of
// it, to rounding. It allocates nothing where subspaces judge single rows themselves, as those
// of packages pca and tensor do. It panics if the label is none of the model.
func (s *Subspaces) JudgeRow(row []float64, given int) verdict.Row {
	k := len(s.Classes)
	if given < -1 || given >= k {
		panic(fmt.Sprintf("nearest: label %d; the model has %d classes", given, k))
	}
	room := workspace.Get(k + s.columns)
	defer room.Put()
	distance, best := room.Take(k), 0
	raw := row
	for _, v := range row {
		if v-v != 0 {
			return verdict.Row{Label: -1, Kind: verdict.Missing, Outlier: true}
		}
	}
	if s.inputs != nil && len(row) == s.columns {
		row = room.Take(s.columns)
		s.inputs.applyRow(row, raw)
	}
	for c, class := range s.Classes {
		one, ok := class.(rowJudge)
		if !ok {
			return s.judgeAlone(raw, given)
		}
		v := one.JudgeRow(row)
		if v.Kind == verdict.Missing {
			return verdict.Row{Label: -1, Kind: verdict.Missing, Outlier: true}
		}
		if distance[c] = v.OrthogonalDistance; distance[c] < distance[best] {
			best = c
		}
	}
	return judgeRow(distance, s.Cutoffs, best, given)
}

// judgeAlone judges a table of one row.
func (s *Subspaces) judgeAlone(row []float64, given int) verdict.Row {
	all, err := s.Judge(context.Background(), mat.NewDense(1, len(row), slices.Clone(row)), []int{given})
	if err != nil { // a number that is none
		return verdict.Row{Label: -1, Kind: verdict.Missing, Outlier: true}
	}
	return all.Row(0)
}
