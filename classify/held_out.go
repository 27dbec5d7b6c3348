package classify

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/belief"
	"github.com/inlier-ml/inlier/linalg"
)

// heldOut are scores of rows by fits that had not seen them: k for each entry, which is a row
// or, where a row stands for several, those of them that were dealt into the same part.
type heldOut struct {
	k       int
	scores  []float64
	rows    []int
	labels  []int
	shares  []float64 // of the row
	weights []float64 // how much the entry counts, class weights included
	counts  []float64 // how many rows it stands for; nil: as much as it counts
	near    *belief.Neighbours
	votes   []*mat.Dense // of each fit (warm.go)
	planes  bool         // scores are of planes with the logistic loss, asked for their opinion (opinion.go)
	learned *belief.Rule
}

// manyRows is from how many rows on exact kernels are trained one after the other: copies of the kernel take memory, and all cores are busy with one.
const manyRows = 4096

// hold trains without each part of the rows and keeps its scores. Fits begin where those of earlier, if not nil, ended.
func (t *task) hold(ctx context.Context, m machine, parts [][]float64, earlier *heldOut) (*heldOut, error) {
	h := &heldOut{k: t.classes, near: t.near, votes: make([]*mat.Dense, len(parts))}
	scores, errs := make([]*mat.Dense, len(parts)), make([]error, len(parts))
	train := func(f int) {
		from := *t
		if from.votes = nil; earlier != nil {
			from.votes = earlier.votes[f]
		}
		scores[f], h.votes[f], errs[f] = from.scoresWithout(ctx, m, parts[f])
	}
	if t.kernel && len(t.labels) > manyRows {
		for f := range parts {
			train(f)
		}
	} else {
		linalg.Parallel(len(parts), train)
	}
	for f, part := range parts {
		if errs[f] != nil {
			return nil, errs[f]
		}
		for i, share := range part {
			if share > 0 {
				h.scores = append(h.scores, scores[f].RawRowView(i)...)
				h.rows, h.labels = append(h.rows, i), append(h.labels, t.labels[i])
				h.shares, h.weights = append(h.shares, share), append(h.weights, share*t.prior[i])
				if t.o.ClassWeights == Balanced {
					h.counts = append(h.counts, share*weightOf(t.o.Weights, i))
				}
			}
		}
	}
	return h, nil
}

// rule makes probabilities of the scores, once. Labels are doubted by how often classes occur, whatever their rows count: to weights that
// balance classes one wrong label of a rare class is as much as the whole of another.
func (h *heldOut) rule() *belief.Rule {
	if h.learned == nil {
		near := h.near.Of(h.rows)
		learn := belief.Learn
		if h.planes {
			learn = belief.LearnPlanes
		}
		h.learned = learn(h.scores, h.k, h.labels, h.weights, near)
		if h.counts != nil {
			h.learned.Apart = learn(h.scores, h.k, h.labels, h.counts, near)
		}
	}
	return h.learned
}

// occurring are the rows that entries stand for.
func (h *heldOut) occurring() []float64 {
	if h.counts != nil {
		return h.counts
	}
	return h.weights
}

// findings judges the labels of the rows of x that were held out.
func (h *heldOut) findings(rule *belief.Rule, x *mat.Dense) ([]belief.Finding, float64) {
	return rule.Findings(h.scores, h.labels, h.occurring(), func(e int) []float64 { return x.RawRowView(h.rows[e]) })
}
