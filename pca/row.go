package pca

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/linalg/fastblas"
	"github.com/inlier-ml/inlier/verdict"
)

// plainProducts is the number of multiplications up to which a loop is faster than a kernel.
const plainProducts = 1024

// TransformRow writes the scores of one row to dst, which has room for one number per
// component (nil: it is made), and returns it: what Transform returns for the row, to
// rounding. It allocates nothing for rows without missing values. The scores of a row with an
// infinite number are NaN. It panics if the row or dst has another length than the model.
func (m *Model) TransformRow(dst, row []float64) []float64 {
	_, k := m.dims()
	if dst == nil {
		dst = make([]float64, k)
	}
	if len(dst) != k {
		panic(fmt.Sprintf("pca: room for %d scores; the model has %d components", len(dst), k))
	}
	switch {
	case m.cells != nil:
		m.checkRow(row)
		m.transformCells(dst, row)
		return dst
	case k <= workspace.Small && k*len(row) <= plainProducts:
		m.place(dst, row)
	default:
		room := workspace.Get(len(row) + k)
		z := room.Take(k)
		m.placeWide(z, row, room.Take(len(row)))
		copy(dst, z)
		room.Put()
	}
	for _, z := range dst {
		if z-z != 0 { // missing, infinite, or too far off for sums
			m.transformOdd(dst, row)
			break
		}
	}
	return dst
}

// transformOdd is TransformRow for rows that a plain product cannot tell.
func (m *Model) transformOdd(dst, row []float64) {
	scores, err := m.Transform(context.Background(), mat.NewDense(1, len(row), slices.Clone(row)))
	if err != nil {
		for c := range dst {
			dst[c] = math.NaN()
		}
		return
	}
	copy(dst, scores.RawRowView(0))
}

// JudgeRow is the verdict on one row: what Judge says of it, to rounding. It allocates
// nothing for rows without missing values. A row with an infinite number cannot be judged:
// its kind is [verdict.Missing]. It panics if the row has another length than the model.
func (m *Model) JudgeRow(row []float64) verdict.Row {
	_, k := m.dims()
	if m.cells != nil {
		m.checkRow(row)
		return m.judgeCellRow(row)
	}
	if k <= workspace.Small && k*len(row) <= plainProducts {
		var z [workspace.Small]float64
		return m.judgeAt(row, z[:k], m.place(z[:k], row))
	}
	room := workspace.Get(len(row) + k)
	defer room.Put()
	z := room.Take(k)
	return m.judgeAt(row, z, m.placeWide(z, row, room.Take(len(row))))
}

// place writes the scores of a row and returns its squared distance from the subspace.
func (m *Model) place(z, row []float64) (s float64) {
	m.checkRow(row)
	raw := m.basis.RawMatrix()
	clear(z)
	whole := 0.0
	for j, v := range row {
		e := v - m.mean[j]
		whole += e * e
		axes := raw.Data[j*raw.Stride:]
		axes = axes[:len(z)]
		for c, a := range axes {
			z[c] += e * a
		}
	}
	return m.rest(z, row, whole)
}

// placeWide is place on the matrix kernels; off is room for the row.
func (m *Model) placeWide(z, row, off []float64) (s float64) {
	m.checkRow(row)
	raw := m.basis.RawMatrix()
	whole := 0.0
	for j, v := range row {
		off[j] = v - m.mean[j]
		whole += off[j] * off[j]
	}
	fastblas.Implementation{}.Dgemv(blas.Trans, raw.Rows, raw.Cols, 1, raw.Data, raw.Stride, off, 1, 0, z, 1)
	return m.rest(z, row, whole)
}

func (m *Model) checkRow(row []float64) {
	if len(row) != len(m.mean) {
		panic(fmt.Sprintf("pca: the row has %d columns; the model has %d", len(row), len(m.mean)))
	}
}

// rest is the squared distance of a row from the subspace, from that from the mean and the
// scores; it is formed column by column where the difference would cancel.
func (m *Model) rest(z, row []float64, whole float64) float64 {
	s := whole
	for _, v := range z {
		s -= v * v
	}
	if s > 1e-4*whole {
		return s
	}
	raw := m.basis.RawMatrix()
	s = 0
	for j, v := range row {
		e := v - m.mean[j]
		axes := raw.Data[j*raw.Stride:]
		axes = axes[:len(z)]
		for c, a := range axes {
			e -= a * z[c]
		}
		s += e * e
	}
	return s
}

// judgeAt is the verdict on a row with these scores and squared distance.
func (m *Model) judgeAt(row, z []float64, s float64) verdict.Row {
	sum := m.squaredScore(z)
	if !(s <= math.MaxFloat64 && sum <= math.MaxFloat64) {
		if out, finite := m.judgeFarRow(row); finite {
			return out
		}
		return m.judgeOddRow(row)
	}
	out := verdict.Row{OrthogonalDistance: math.Sqrt(s), ScoreDistance: math.Sqrt(sum), Weight: 1, Label: -1}
	if !m.unweighted {
		out.Weight = math.Min(1, math.Exp(m.loss.LogWeight(s)-m.largest))
	}
	off := m.orthogonalCutoff > 0 && out.OrthogonalDistance > m.orthogonalCutoff
	out.Kind = judging.OnMap(off, m.scoreCutoff > 0 && out.ScoreDistance > m.scoreCutoff)
	out.Outlier = out.Kind != verdict.Regular
	return out
}

// judgeFarRow is JudgeRow for rows so far off that squares overflow: in units of the largest difference. It is false for
// rows with missing or infinite values.
func (m *Model) judgeFarRow(row []float64) (out verdict.Row, finite bool) {
	d, k := m.dims()
	half := 0.0 // of the largest difference, which itself could overflow
	for j, v := range row {
		if e := math.Abs(v/2 - m.mean[j]/2); e > half {
			half = e
		} else if e != e {
			return out, false
		}
	}
	if half == 0 || math.IsInf(half, 1) {
		return out, false
	}
	room := workspace.Get(d + 2*k)
	defer room.Put()
	off, z, turned := room.Take(d), room.Take(k), room.Take(k)
	clear(z)
	for j, v := range row {
		off[j] = v/2/half - m.mean[j]/2/half
		for c, a := range m.basis.RawRowView(j) {
			z[c] += off[j] * a
		}
	}
	s := 0.0
	for j, e := range off {
		for c, a := range m.basis.RawRowView(j) {
			e -= a * z[c]
		}
		s += e * e
	}
	scores, variances := m.principal(turned, z)
	out = verdict.Row{Weight: 1, Label: -1, OrthogonalDistance: math.Min(math.Sqrt(s)*half*2, math.MaxFloat64), ScoreDistance: math.Min(lengthOver(scores, variances)*half*2, math.MaxFloat64)}
	if !m.unweighted {
		out.Weight = math.Min(1, math.Exp(m.loss.LogWeight(out.OrthogonalDistance*out.OrthogonalDistance)-m.largest))
	}
	out.Kind = judging.OnMap(m.orthogonalCutoff > 0 && out.OrthogonalDistance > m.orthogonalCutoff || out.OrthogonalDistance == math.MaxFloat64, m.scoreCutoff > 0 && out.ScoreDistance > m.scoreCutoff)
	out.Outlier = out.Kind != verdict.Regular
	return out, true
}

// judgeOddRow is JudgeRow for rows with missing or infinite values.
func (m *Model) judgeOddRow(row []float64) verdict.Row {
	unknown := verdict.Row{OrthogonalDistance: math.MaxFloat64, Label: -1, Outlier: true, Kind: verdict.Missing}
	for _, v := range row {
		if math.IsInf(v, 0) {
			return unknown
		}
	}
	all, err := m.Judge(context.Background(), mat.NewDense(1, len(row), slices.Clone(row)))
	if err != nil {
		return unknown
	}
	return all.Row(0)
}
