package cluster

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/given"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/loss"
	"github.com/inlier-ml/inlier/refusal"
)

// KMeans is k-means, ordinary or robust. The zero value of each field is its default.
type KMeans struct {
	// Clusters is the number of centers. Zero: what the decision graph of (a sample of)
	// the rows suggests.
	Clusters int
	// Start is where to start. Empty: StartAuto.
	Start Start
	// Centers gives the centers to start from, one in each row, instead of Start.
	Centers [][]float64
	// Restarts is the number of random starts, of which the best result counts. Zero:
	// 10, or 20 for a robust fit. Starts that are not random run once. A robust fit of
	// more than 20000 rows makes its starts on a sample and finishes the best on all.
	Restarts int
	// Trim is the share of the rows, those furthest from their centers, that have no
	// vote: 0 <= Trim < 1. Zero: ordinary k-means.
	Trim float64
	// Loss of the distance from the nearest center, from a text (loss.Parse) or of one's own;
	// its bandwidth may be open. Nil: the square, ordinary k-means. It does not go together
	// with Trim.
	Loss loss.Loss
	// MaxSteps bounds the steps of a start. Zero: 300.
	MaxSteps int
	// Tol stops when the squared movements of all centers sum to at most this many mean
	// variances of a column. Ordinary k-means also stops when no row changes its
	// center. Zero: 1e-6; negative: only then.
	Tol float64
	// Seed of the random starts.
	Seed uint64
	// Weights of the rows; nil: one each. An integer weight acts like repeated rows.
	Weights []float64
	// OnStep observes; steps of several starts come one after another, mixed.
	OnStep func(irls.Step)
}

// tooMany is a number of clusters that the rows cannot fill.
func tooMany(clusters, rows int) error {
	return &refusal.RankError{Name: "clusters", Asked: clusters, Most: rows, Why: fmt.Sprintf("is more than the %d rows that can fill them", rows)}
}

func (k KMeans) filled() KMeans {
	if k.Start == "" {
		k.Start = StartAuto
	}
	if k.MaxSteps == 0 {
		k.MaxSteps = 300
	}
	if k.Tol == 0 {
		k.Tol = 1e-6
	}
	if k.Restarts == 0 {
		k.Restarts = 10
		if k.robust() {
			k.Restarts = 20
		}
	}
	return k
}

// robust tells whether rows can lose their vote.
func (k KMeans) robust() bool { return k.Trim > 0 || k.weighs() }

// weighs tells whether a loss other than the square gives rows their votes.
func (k KMeans) weighs() bool { return k.Loss != nil && k.Loss != loss.Loss(loss.Spec{}) }

// spec is the loss once Fit has made a Spec of it.
func (k KMeans) spec() loss.Spec {
	spec, _ := k.Loss.(loss.Spec)
	return spec
}

func (k KMeans) check(n, d int) error {
	switch {
	case n < 2:
		return refusal.Few(n, 2, "%d row given; at least 2 are needed", n)
	case k.Clusters < 0:
		return refusal.Parameter("clusters", k.Clusters, "must not be negative")
	case k.Restarts < 0:
		return refusal.Parameter("restarts", k.Restarts, "must not be negative")
	case k.MaxSteps < 0:
		return refusal.Parameter("max-steps", k.MaxSteps, "must not be negative")
	case !(k.Trim >= 0 && k.Trim < 1):
		return refusal.Parameter("trim", k.Trim, "must be at least 0 and below 1")
	case k.Trim > 0 && k.weighs():
		return refusal.Setting("trim", "trim and the loss %s do the same work; use one of them", k.spec())
	case math.IsNaN(k.Tol):
		return refusal.Setting("tol", "the tolerance is not a number")
	case k.Weights != nil && len(k.Weights) != n:
		return refusal.Weights("%d weights for %d rows", len(k.Weights), n)
	}
	if len(k.Centers) > 0 && k.Clusters > 0 && len(k.Centers) != k.Clusters {
		return refusal.Setting("start", "%d centers to start from for %d clusters", len(k.Centers), k.Clusters)
	}
	for c, center := range k.Centers {
		if len(center) != d {
			return refusal.Setting("start", "start %d has %d numbers for %d columns", c+1, len(center), d)
		}
		for j, v := range center {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return refusal.Setting("start", "number %d of start %d is %g", j+1, c+1, v)
			}
		}
	}
	known := false
	for _, i := range starts {
		known = known || i == k.Start
	}
	if !known {
		return refusal.Parameter("init", k.Start, "is not one of %v", starts)
	}
	return nil
}

// Fit finds the centers. A table that is not in memory is read into it, once, up to
// [linalg.HeldNumbers] numbers. A larger one is read four times: the search is made on
// a sample, and two steps on all rows follow; the model has neither labels nor votes of its rows.
func (k KMeans) Fit(ctx context.Context, src linalg.Source) (*Model, error) {
	ctx = given.Context(ctx)
	if err := linalg.Given(src); err != nil {
		return nil, err
	}
	spec, err := loss.Specify(k.Loss, loss.Spec{})
	if err != nil {
		return nil, err
	}
	k.Loss = spec
	k = k.filled()
	if err := k.check(src.Dims()); err != nil {
		return nil, err
	}
	if src, err = linalg.Hold(ctx, src, held); err != nil {
		return nil, err
	}
	if _, inMemory := src.(linalg.InMemory); !inMemory {
		return k.fitMany(ctx, src)
	}
	t, err := newTable(ctx, src, k.Weights, k.robust())
	if err != nil {
		return nil, err
	}
	voters := t
	if k.weighs() {
		if voters, err = t.voters(ctx); err != nil {
			return nil, err
		}
	}
	k.rescale(t.unit)
	if k.Centers != nil {
		k.Clusters = len(k.Centers)
	}
	if k.Clusters == 0 {
		if k.Clusters, err = voters.suggested(ctx, k.Seed); err != nil {
			return nil, err
		}
	}
	kept := math.Ceil((1 - k.Trim) * voters.size())
	if float64(k.Clusters) > kept {
		return nil, tooMany(k.Clusters, int(kept))
	}
	var best result
	if k.Centers == nil && k.robust() && t.size() > rehearsalFrom {
		if best, err = k.rehearse(ctx, voters); err != nil {
			return nil, err
		}
		if best.status == irls.Cancelled {
			return k.finish(ctx, src, t, best)
		}
		k.Centers = rowsOf(t.outside(best.centers), t.unit)
	}
	found, err := k.run(ctx, voters)
	switch {
	case err == nil:
		best = found
	case best.centers != nil && ctx.Err() != nil: // the rehearsal's centers are a whole state
		best.status = irls.Cancelled
	default:
		return nil, err
	}
	return k.finish(ctx, src, t, best)
}

// rescale turns what was given in units of the data into those of a table.
func (k *KMeans) rescale(unit float64) {
	if len(k.Centers) == 0 {
		k.Centers = nil
	}
	if unit == 1 {
		return
	}
	start := make([][]float64, len(k.Centers))
	for c, row := range k.Centers {
		for _, v := range row {
			start[c] = append(start[c], v*unit)
		}
	}
	if k.Centers != nil {
		k.Centers = start
	}
	if rule := k.spec().Rule(); rule.Kind == loss.Fixed {
		k.Loss = k.spec().WithRule(loss.FixedAt(rule.Value * unit))
	}
}

// rowsOf are the rows of x in other units.
func rowsOf(x *mat.Dense, unit float64) [][]float64 {
	n, _ := x.Dims()
	out := make([][]float64, n)
	for i := range out {
		for _, v := range x.RawRowView(i) {
			out[i] = append(out[i], v*unit)
		}
	}
	return out
}

// suggested reads the number of clusters from the decision graph.
func (t *table) suggested(ctx context.Context, seed uint64) (int, error) {
	p, _, err := t.samplePoints(ctx, seed, sampleRows)
	if err != nil {
		return 0, err
	}
	g, err := p.graph(ctx, Density{})
	if err != nil {
		return 0, err
	}
	return g.Suggested(), nil
}
