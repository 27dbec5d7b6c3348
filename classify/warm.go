package classify

import "gonum.org/v1/gonum/mat"

// Machines with an exact kernel are trained several times on nearly the same rows: without each part of them, once more
// with other votes or penalties, and on all. A training may begin where an earlier one ended, in units that carry over: the vote
// of a row is its coefficient times lambda times the total weight, which at the optimum is what the loss says of the row's miss alone. Below
// the rows' votes stand the intercepts.

// votesOf are the votes behind coefficients.
func (t *task) votesOf(theta *mat.Dense) *mat.Dense {
	out := mat.DenseCopyOf(theta)
	rows, k := out.Dims()
	votes := out.Slice(0, rows-1, 0, k).(*mat.Dense)
	votes.Scale(t.o.Lambda*t.total, votes)
	return out
}

// begin is where training begins: the coefficients of the votes, or zero.
func (t *task) begin() *mat.Dense {
	_, p := t.a.Dims()
	if t.votes == nil || !t.kernel {
		return mat.NewDense(p, t.classes, nil)
	}
	out := mat.DenseCopyOf(t.votes)
	theta := out.Slice(0, p-1, 0, t.classes).(*mat.Dense)
	theta.Scale(1/(t.o.Lambda*t.total), theta)
	return out
}

// meanVotes are the votes of rows on average over the fits that they took part in; nil where there are none.
func (h *heldOut) meanVotes() *mat.Dense {
	if h == nil || len(h.votes) == 0 || h.votes[0] == nil {
		return nil
	}
	rows, k := h.votes[0].Dims()
	out, count := mat.NewDense(rows, k, nil), make([]float64, rows)
	for _, votes := range h.votes {
		for i := range rows {
			took := i == rows-1
			for _, v := range votes.RawRowView(i) {
				took = took || v != 0
			}
			if took {
				count[i]++
				to := out.RawRowView(i)
				for l, v := range votes.RawRowView(i) {
					to[l] += v
				}
			}
		}
	}
	for i, c := range count {
		to := out.RawRowView(i)
		for l := range to {
			to[l] /= max(c, 1)
		}
	}
	return out
}
