package mcd

import "context"

// Reweighted returns centre and scatter of the points within [Limit] of a bulk, made
// consistent, and the weights of those that counted. More than one round lets more points in
// each time, while there are any: that undoes the half's lack of precision on clean data;
// rounds that shrink would eat up heavy tails. The bulk stays where too few points are
// inside, then without weights; it is nil where the scatter is singular.
func (p *Points) Reweighted(ctx context.Context, at *Bulk, rounds int) (*Bulk, []float64, error) {
	factor := Consistency(p.k)
	var counted []float64
	before := float64(2 * p.k) // weight inside
	for range rounds {
		w, inside := p.Within(at), 0.0
		for _, v := range w {
			inside += v
		}
		if inside <= before {
			break
		}
		next, err := p.bulk(ctx, w, factor, 1)
		if next == nil {
			return nil, nil, err
		}
		at, counted, before = next, w, inside
	}
	return at, counted, nil
}

// Within returns the weights of the points within [Limit] of a bulk, 0 for others.
func (p *Points) Within(at *Bulk) []float64 {
	limit, w := Limit(p.k), make([]float64, p.n)
	for i, v := range p.squared(at) {
		if v <= limit {
			if w[i] = 1; p.w != nil {
				w[i] = p.w[i]
			}
		}
	}
	return w
}
