package cluster

// absurdlyFar is how many times as far from the middle as most rows a row must be to have no
// vote whatever the others are: no group of the bulk can be meant by it.
const absurdlyFar = 1e8

// voters is the table without votes of rows that are absurdly far: a sentinel in a third of the rows
// is a group of its own for any loss, the tightest of all. It is the table itself where there are
// none, or where so many are that the bulk is not known.
func (t *table) voters() *table {
	limit := absurdlyFar * absurdlyFar * t.typical
	far, weight := 0, 0.0
	for i, s := range t.norms {
		if w := t.weight(i); w > 0 && s > limit {
			far++
			weight += w
		}
	}
	if far == 0 || !(t.typical > 0) || 2*weight >= t.total {
		return t
	}
	out := &table{
		src: t.src, n: t.n, d: t.d, weights: make([]float64, t.n), total: t.total - weight, counted: t.counted - far,
		origin: t.origin, norms: t.norms, typical: t.typical, offset: t.offset, near: t.near, unit: t.unit, clip: t.clip,
	}
	for i, s := range t.norms {
		if s <= limit {
			out.weights[i] = t.weight(i)
			out.scatter += t.weight(i) * s
		}
	}
	return out
}
