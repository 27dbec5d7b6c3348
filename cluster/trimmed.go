package cluster

import (
	"context"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
)

// trimmed is k-means in which the share of the weight that lies furthest from its center
// has no vote (Cuesta-Albertos, Gordaliza and Matran 1997). Each step keeps the rows
// nearest to the centers and moves the centers to the means of those kept, so the mean
// squared distance of the kept rows never rises.
func (t *table) trimmed(ctx context.Context, start []float64, share float64, maxSteps int, tol float64, onStep func(irls.Step)) (result, error) {
	k := len(start) / t.d
	centers := append([]float64(nil), start...)
	labels, squared, kept := make([]int32, t.n), make([]float64, t.n), make([]float64, t.n)
	r := result{status: irls.StepLimit, centers: centers, objective: math.Inf(1)}
	change := 0.0
	for step := 0; ; step++ {
		err := t.nearest(ctx, r.centers, labels, squared)
		if err == nil {
			effective := t.keep(squared, share, kept)
			r.objective = weightedMean(squared, kept)
			s := irls.Step{Number: step, Objective: r.objective, Effective: effective, Change: change, Damping: 1}
			r.steps = append(r.steps, s)
			if onStep != nil {
				onStep(s)
			}
			if step > 0 && change*change <= tol {
				r.status = irls.Converged
				return r, nil
			}
			if step == maxSteps {
				return r, nil
			}
			var sums *groups
			if sums, err = t.sum(ctx, labels, kept, k); err == nil {
				t.refill(ctx, sums, labels, squared, kept)
				next := sums.means(t.d, r.centers)
				change = math.Sqrt(linalg.SquaredDistance(next, r.centers) / math.Max(t.variance(), math.SmallestNonzeroFloat64))
				r.centers = next
			}
		}
		if err != nil {
			return r.ended(ctx, err, r.centers)
		}
	}
}

// keep writes the weight that each row keeps when the share of the weight furthest out is
// cut off, and returns the effective number of rows. The row on the edge keeps a part.
func (t *table) keep(squared []float64, share float64, kept []float64) float64 {
	order := make([]int, len(squared))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case squared[a] < squared[b]:
			return -1
		case squared[a] > squared[b]:
			return 1
		}
		return a - b
	})
	left := (1 - share) * t.total
	if whole := math.Round(left); math.Abs(left-whole) <= 1e-12*t.total { // 0.8 * 600 is 480 rows
		left = whole
	}
	sum, squares := 0.0, 0.0
	for _, i := range order {
		w := math.Min(t.weight(i), math.Max(left, 0))
		left -= w
		kept[i] = w
		sum += w
		squares += w * w
	}
	return sum * sum / squares
}

// refill gives every group without rows the kept row furthest from its center, by making
// it the group's only one. Nothing changes when all kept rows lie at their centers.
func (t *table) refill(ctx context.Context, g *groups, labels []int32, squared, kept []float64) {
	taken := map[int]bool{}
	for c := range g.count {
		if g.count[c] > 0 {
			continue
		}
		far := -1
		for i, s := range squared {
			if kept[i] > 0 && s > 0 && !taken[i] && g.count[labels[i]] > 1 && (far < 0 || s > squared[far]) {
				far = i
			}
		}
		if far < 0 {
			return
		}
		taken[far] = true
		x, err := t.pick(context.WithoutCancel(ctx), []int{far})
		if err != nil {
			return
		}
		g.add(int(labels[far]), -kept[far], x)
		g.add(c, kept[far], x)
	}
}

// weightedMean is sum w x / sum w; w nil means ones.
func weightedMean(x, w []float64) float64 {
	sum, total := 0.0, 0.0
	for i, v := range x {
		a := 1.0
		if w != nil {
			a = w[i]
		}
		if a > 0 {
			sum += a * v
			total += a
		}
	}
	return sum / total
}
