package mcd

import "context"

// Reweighted returns centre and scatter of the points within [Limit] of a bulk, made
// consistent, and the weights of those that counted. More than one round lets more points in
// each time, while there are any: that undoes the half's lack of precision on clean data;
// rounds that shrink would eat up heavy tails. The bulk stays where too few points are
// inside, then without weights; it is nil where the scatter is singular.
func (p *Points) Reweighted(ctx context.Context, at *Bulk, rounds int) (*Bulk, []float64, error) {
	limit, factor := Limit(p.k), Consistency(p.k)
	var counted []float64
	before := float64(2 * p.k) // weight inside
	for range rounds {
		inside, w := 0.0, make([]float64, p.n)
		for i, v := range p.squared(at) {
			if v <= limit {
				if w[i] = 1; p.w != nil {
					w[i] = p.w[i]
				}
				inside += w[i]
			}
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
