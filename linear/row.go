package linear

import (
	"fmt"
	"math"

	"github.com/inlier-ml/inlier/internal/judging"
	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// PredictRow returns intercept + row'coef: what Predict returns for the row, to rounding. It
// allocates nothing. It is NaN for a row with a missing or infinite number, and panics if the
// row has another length than the model.
func (m *Model) PredictRow(row []float64) float64 {
	if len(row) != len(m.coef) {
		panic(fmt.Sprintf("linear: the row has %d columns; the model has %d", len(row), len(m.coef)))
	}
	if out := m.intercept + linalg.Dot(row, m.coef); out-out == 0 {
		return out
	}
	for _, v := range row {
		if v-v != 0 {
			return math.NaN()
		}
	}
	return m.intercept + hugeDot(row, m.coef)
}

// JudgeRow is the verdict on one row and its target: what Judge says of it, to rounding. It
// allocates nothing. A row with a missing or infinite number, the target included, cannot be
// judged: its kind is [verdict.Missing]. It panics if the row has another length than the
// model.
func (m *Model) JudgeRow(row []float64, y float64) verdict.Row {
	fitted := m.PredictRow(row)
	if y-y != 0 || fitted != fitted {
		return verdict.Row{Label: -1, Outlier: true, Kind: verdict.Missing}
	}
	unit := m.scale
	if unit == 0 {
		unit = m.zero
	}
	r := y - fitted
	out := verdict.Row{Residual: max(min(r/unit, math.MaxFloat64), -math.MaxFloat64), Label: -1}
	switch {
	case m.exact && math.Abs(r) <= m.zero:
		out.Weight = 1
	case m.exact:
	case m.largest == 0:
		r /= m.unit
		out.Weight = min(m.loss.Weight(r*r), 1)
	default:
		r /= m.unit
		out.Weight = min(math.Exp(m.loss.LogWeight(r*r)-m.largest), 1)
	}
	out.ScoreDistance = m.leverage.distance(row)
	out.Outlier = math.Abs(out.Residual) > m.flag
	out.Kind = judging.OnLine(out.Outlier, m.leverage.cutoff > 0 && out.ScoreDistance > m.leverage.cutoff)
	return out
}

// Distance is that of one row: what Distances returns for it, to rounding. It allocates
// nothing.
func (l *Leverage) Distance(row []float64) float64 { return l.from.distance(row) }

// distance is distances for one row.
func (l *leverage) distance(row []float64) float64 {
	k := len(l.columns)
	if k <= workspace.Small/2 {
		var room [workspace.Small]float64
		return l.distanceIn(row, room[:k], room[k:2*k])
	}
	room := workspace.Get(2 * k)
	defer room.Put()
	return l.distanceIn(row, room.Take(k), room.Take(k))
}

// distanceIn is distance with room for two numbers per column that takes part.
func (l *leverage) distanceIn(row, v, z []float64) float64 {
	if len(l.columns) == 0 {
		return 0
	}
	for a, j := range l.columns {
		v[a] = row[j] - l.offset[a]
	}
	clear(z)
	raw := l.whiten.RawMatrix()
	i := 0
	for ; i+4 <= len(v); i += 4 { // four rows at a time; below the diagonal are zeros
		to, at := z[i:], i*raw.Stride+i
		a := raw.Data[at:][:len(to)]
		b := raw.Data[at+raw.Stride:][:len(to)]
		c := raw.Data[at+2*raw.Stride:][:len(to)]
		d := raw.Data[at+3*raw.Stride:][:len(to)]
		e, f, g, h := v[i], v[i+1], v[i+2], v[i+3]
		for j := range to {
			to[j] += (e*a[j] + f*b[j]) + (g*c[j] + h*d[j])
		}
	}
	for ; i < len(v); i++ {
		to, w := z[i:], raw.Data[i*raw.Stride+i:][:len(z)-i]
		for j := range to {
			to[j] += v[i] * w[j]
		}
	}
	if d := math.Sqrt(linalg.Dot(z, z)); d-d == 0 {
		return d
	}
	return l.huge(v)
}
