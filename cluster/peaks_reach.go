package cluster

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// reach is the given percentile of the distances between (a sample of) the rows, so that a
// row has that share of all rows as neighbours on average. Where that many rows coincide
// it is the smallest distance above 0; where all do, 1.
func (p *points) reach(ctx context.Context, percent float64) (float64, error) {
	s := p.sample(sampleRows)
	if s.weights == nil {
		at, least, err := s.within(ctx, percent)
		switch {
		case err != nil:
			return 0, err
		case at > 0:
			return math.Sqrt(at), nil
		case math.IsInf(least, 1):
			return 1, nil
		}
		return math.Sqrt(least), nil
	}
	pairs := make([][]pair, (s.n+side-1)/side)
	err := s.strips(ctx, func(i0, i1 int, tile []float64) {
		for j0 := i0; j0 < s.n; j0 += side {
			j1 := min(j0+side, s.n)
			s.tile(i0, i1, j0, j1, tile)
			for i := i0; i < i1; i++ {
				for j := max(j0, i+1); j < j1; j++ {
					pairs[i0/side] = append(pairs[i0/side], pair{tile[(i-i0)*(j1-j0)+j-j0], s.weight(i) * s.weight(j)})
				}
			}
		}
		for i := i0; i < i1; i++ { // a repeated row and its copies
			if w := s.weight(i); w > 1 {
				pairs[i0/side] = append(pairs[i0/side], pair{0, w * (w - 1) / 2})
			}
		}
	})
	if err != nil {
		return 0, err
	}
	all := slices.Concat(pairs...)
	if len(all) == 0 {
		return 1, nil
	}
	if s := percentile(all, percent); s > 0 {
		return math.Sqrt(s), nil
	}
	least := math.Inf(1)
	for _, p := range all {
		if p.squared > 0 {
			least = math.Min(least, p.squared)
		}
	}
	if math.IsInf(least, 1) {
		return 1, nil
	}
	return math.Sqrt(least), nil
}

// fewPoints is the number of rows all of whose distances are held at once.
const fewPoints = 512

// within is the percentile of the squared distances of rows that count alike, and the smallest above 0, +Inf where there is
// none. Only those are held that a part of the rows says may be it.
func (p *points) within(ctx context.Context, percent float64) (at, least float64, err error) {
	total := p.n * (p.n - 1) / 2
	if total == 0 {
		return 0, math.Inf(1), ctx.Err()
	}
	place := min(max(int(math.Round(percent/100*float64(total))), 1), total) // from 1
	most := math.Inf(1)
	if p.n > fewPoints && 3*percent < 100 {
		part := &points{d: p.d}
		for i := 0; i < p.n; i += 8 {
			part.x, part.norms, part.n = append(part.x, p.row(i)...), append(part.norms, p.norms[i]), part.n+1
		}
		if most, _, err = part.within(ctx, 3*percent); err != nil {
			return 0, 0, err
		}
	}
	for {
		near, smallest := make([][]float64, (p.n+side-1)/side), make([]float64, (p.n+side-1)/side)
		err := p.strips(ctx, func(i0, i1 int, tile []float64) {
			own, small := []float64(nil), math.Inf(1)
			for j0 := i0; j0 < p.n; j0 += side {
				j1 := min(j0+side, p.n)
				p.tile(i0, i1, j0, j1, tile)
				for i := i0; i < i1; i++ {
					for j := max(j0, i+1); j < j1; j++ {
						s := tile[(i-i0)*(j1-j0)+j-j0]
						if s <= most {
							own = append(own, s)
						}
						if s > 0 && s < small {
							small = s
						}
					}
				}
			}
			near[i0/side], smallest[i0/side] = own, small
		})
		if err != nil {
			return 0, 0, err
		}
		if all := slices.Concat(near...); len(all) >= place {
			return univariate.Select(all, place-1), slices.Min(smallest), nil
		}
		most = math.Inf(1)
	}
}

// pair is the squared distance of two rows and how many pairs of rows it stands for.
type pair struct{ squared, weight float64 }

// percentile of the squared distances of pairs. The slice is reordered.
func percentile(all []pair, percent float64) float64 {
	total, equal := 0.0, true
	for _, p := range all {
		total += p.weight
		equal = equal && p.weight == 1
	}
	place := math.Min(math.Max(math.Round(percent/100*total), 1), total) // from 1
	if equal {
		squared := make([]float64, len(all))
		for a, p := range all {
			squared[a] = p.squared
		}
		return univariate.Select(squared, int(place)-1)
	}
	slices.SortFunc(all, func(a, b pair) int { return cmp.Compare(a.squared, b.squared) })
	sum := 0.0
	for _, p := range all {
		if sum += p.weight; sum >= place*(1-1e-12) {
			return p.squared
		}
	}
	return all[len(all)-1].squared
}
