package leverage

import (
	"math"

	"github.com/inlier-ml/inlier/internal/workspace"
	"github.com/inlier-ml/inlier/linalg"
)

// Distance is that of one row: what Distances returns for it, to rounding. It allocates
// nothing.
func (l *Leverage) Distance(row []float64) float64 {
	k := len(l.Columns)
	if k <= workspace.Small/2 {
		var room [workspace.Small]float64
		return l.distanceIn(row, room[:k], room[k:2*k])
	}
	room := workspace.Get(2 * k)
	defer room.Put()
	return l.distanceIn(row, room.Take(k), room.Take(k))
}

// distanceIn is Distance with room for two numbers per column that takes part.
func (l *Leverage) distanceIn(row, v, z []float64) float64 {
	if len(l.Columns) == 0 {
		return 0
	}
	for a, j := range l.Columns {
		v[a] = row[j] - l.Offset[a]
	}
	clear(z)
	raw := l.Whiten.RawMatrix()
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
