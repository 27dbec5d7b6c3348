package classify

import (
	"context"
	"slices"

	"github.com/inlier-ml/inlier/loss"
)

// A machine with a kernel comes near the labels of its own rows, wrong ones too, and a loss that weighs rows by how far they are from
// them finds little to reject. What was learned without a row does not follow its label: the loss of the score
// that a row has there tells how far the label is to be believed. That much of its vote the row keeps.

const (
	// trustRounds is how often rows are held out for it, each time with the votes that the time before left them.
	trustRounds = 2
	// clearlyTrusted is by how much the logarithm of the likelihood of held-out labels must rise: they are then twenty times as probable.
	clearlyTrusted = 3
	// tellingLabels is what labels tell at least, from 0 by chance to 1, where the usual penalty suits. Where they tell half as much or less it is
	// doubled: what scores have to average out grows, and what they can find falls.
	tellingLabels = 0.5
	// sureLabels is what they tell at least where, if none seem wrong, nothing is tried.
	sureLabels   = 0.7
	mostForNoise = 2
)

// trust finds out how much of its vote each row of a robust machine with a kernel is to keep, and the penalty that suits labels which tell so
// little, where labels seem wrong, or cannot be told from hard ones, and held-out labels become clearly more probable by it. It returns the
// held-out scores of the choice.
//
// Chosen on twelve kinds of generated sets, two draws each, with none, a fifth and two fifths of the labels wrong, beside larger penalties by the
// likelihood of held-out labels alone (which rises or falls by chance where rows are few), one round, wider kernels and bandwidths.
func (m RegMaxCEM) trust(ctx context.Context, t *task) (*heldOut, error) {
	parts := t.parts()
	held, err := t.hold(ctx, m, parts, nil)
	if err != nil || !t.doubtful(held) && held.telling() >= sureLabels {
		return held, err
	}
	other, last := *t, held
	other.o.Lambda *= min(max(tellingLabels/max(held.telling(), 1e-3), 1), mostForNoise)
	for range trustRounds {
		if other.trusted, err = m.trusted(t, last); err != nil {
			return nil, err
		}
		if last, err = other.hold(ctx, m, parts, last); err != nil {
			return nil, err
		}
	}
	if last.rule().Evidence() > held.rule().Evidence()+clearlyTrusted {
		t.trusted, t.o.Lambda, held = other.trusted, other.o.Lambda, last
	}
	return held, nil
}

// telling is how much held-out scores and labels have in common: the share of labels that are the best by their score, from what it is by
// chance, 0, to all, 1.
func (h *heldOut) telling() float64 {
	misses, all, count := 0.0, 0.0, make([]float64, h.k)
	for e, label := range h.labels {
		w := h.weights[e]
		if count[label] += w; largest(h.scores[e*h.k:(e+1)*h.k]) != label {
			misses += w
		}
		all += w
	}
	chance := all
	for _, c := range count {
		chance -= c * c / all
	}
	return 1 - misses/max(chance, 1e-300)
}

// trusted are the weights that the loss of the machine gives to the misses of held-out scores, 1 for none, on average over what was dealt
// of a row into each part.
func (m RegMaxCEM) trusted(t *task, held *heldOut) ([]float64, error) {
	spec, err := loss.Specify(m.Loss, welsch)
	if err != nil {
		return nil, err
	}
	if spec.Rule().Kind != loss.Fixed {
		sigma := m.Sigma
		if sigma == 0 {
			sigma = DefaultSigma
		}
		spec = spec.WithRule(loss.FixedAt(matching(spec, sigma)))
	}
	l := spec.At(spec.Rule().Value)
	full := fullWeight(l)
	out, dealt := make([]float64, len(t.labels)), make([]float64, len(t.labels))
	p := problem{t: t, oneSided: !m.TwoSided}
	for e, i := range held.rows {
		squared := 0.0
		for c, f := range held.scores[e*held.k : (e+1)*held.k] {
			miss := p.miss(t.y(i, c), f)
			squared += miss * miss
		}
		out[i] += held.shares[e] * min(l.Weight(squared)/full, 1)
		dealt[i] += held.shares[e]
	}
	for i, share := range dealt {
		if out[i] = out[i] / max(share, 1e-300); share == 0 { // never held out: nothing is known of it
			out[i] = 1
		}
	}
	return out, nil
}

// votingPrior are the weights with which rows vote.
func (t *task) votingPrior() []float64 {
	out := slices.Clone(t.prior)
	for i, trusted := range t.trusted {
		out[i] *= trusted
	}
	return out
}

// voting is the task in which rows have the votes that they keep.
func (t *task) voting() *task {
	if t.trusted == nil {
		return t
	}
	out := newTask(t.a, t.labels, t.classes, t.votingPrior(), t.o)
	out.kernel, out.near, out.votes, out.rough = t.kernel, t.near, t.votes, t.rough
	return out
}
