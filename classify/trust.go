package classify

import (
	"context"
	"slices"

	"github.com/inlier-ml/inlier/internal/belief"
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
	// tellingLabels is what labels tell at least, from 0 by chance to 1, where the usual penalty suits. Where they tell less it grows, to
	// mostForNoise times as much, since what scores have to average out grows and what they can find falls; where they tell less than that the
	// kernel is widened too, to leastGamma of the inverse width.
	tellingLabels = 0.5
	mostForNoise  = 2
	leastGamma    = 0.5
	// sureLabels is what they tell at least where, if none seem wrong, nothing is tried; of few rows (tellingRows) sureOfFew.
	sureLabels = 0.5
	sureOfFew  = 0.7
	// betweenPenalty is the penalty, in units of the usual one, by which classes that lie between others show among wrong labels.
	betweenPenalty = 4
)

// trust finds out how much of its vote each row of a robust machine with a kernel is to keep, and the penalty and width of the kernel that
// suit labels which tell so little, where labels seem wrong, or cannot be told from hard ones, and held-out labels become clearly
// more probable by it. It returns the held-out scores of the choice.
//
// Chosen on generated sets of twelve kinds and on ordered classes, with none, a fifth and two fifths of the labels wrong, beside larger penalties by the
// likelihood of held-out labels alone (which rises or falls by chance where rows are few), one round, wider kernels everywhere and bandwidths.
func (m RegMaxCEM) trust(ctx context.Context, t *task) (*heldOut, error) {
	parts := t.parts()
	held, err := t.hold(ctx, m, parts, nil)
	if err != nil || !t.doubtful(held) && held.telling() >= t.sureLabels() {
		return held, err
	}
	telling, usual := held.telling(), t.o.Lambda
	if held.rule().Mix == nil && t.present() > 2 {
		between := *t
		between.o.Lambda *= betweenPenalty
		next, err := between.hold(ctx, m, parts, held)
		if err != nil {
			return nil, err
		}
		if next.rule().Mix != nil && next.rule().Evidence() > held.rule().Evidence() {
			*t, held = between, next
		}
	}
	noise := tellingLabels / max(telling, 1e-3)
	other, last := *t, held
	other.o.Lambda = max(t.o.Lambda, usual*min(max(noise, 1), mostForNoise))
	if gamma := mostForNoise / noise; gamma < 1 && t.widen != nil {
		if wide, err := t.widen(max(gamma, leastGamma)); err == nil { // else there is no memory for another table
			other.wide, other.a, other.kernel = wide, wide.a, wide.own
		}
	}
	for range trustRounds {
		if other.trusted, err = m.trusted(t, last); err != nil {
			return nil, err
		}
		if last, err = other.hold(ctx, m, parts, last); err != nil {
			return nil, err
		}
	}
	if last.rule().Evidence() > held.rule().Evidence()+clearlyTrusted {
		other.untouched = held
		*t, held = other, last
	}
	return held, nil
}

// sureLabels is what labels of so many rows tell at least where nothing is tried.
func (t *task) sureLabels() float64 {
	if t.total < tellingRows {
		return sureOfFew
	}
	return sureLabels
}

// telling is how much held-out scores and labels have in common: the share of labels that are the most probable class, from what it is by
// chance, 0, to all, 1.
func (h *heldOut) telling() float64 {
	misses, all, count := 0.0, 0.0, make([]float64, h.k)
	rule := h.rule()
	for e, label := range h.labels {
		w := h.weights[e]
		if count[label] += w; rule.Best(h.scores[e*h.k:(e+1)*h.k]) != label {
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

// trusted are the weights that the loss of the machine gives to the misses of held-out scores, 1 for none, the same for equal rows with equal
// labels, so that a weight is as many rows.
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
	type sum struct{ weight, dealt float64 }
	groups, keys := map[uint64]sum{}, make([]uint64, len(t.labels))
	for i, label := range t.labels {
		keys[i] = belief.Key(t.rows.RawRowView(i), label)
	}
	p, rule := problem{t: t, oneSided: !m.TwoSided}, held.rule()
	scores := make([]float64, held.k)
	for e, i := range held.rows {
		if copy(scores, held.scores[e*held.k:(e+1)*held.k]); rule.Mix != nil { // a class between others, whose own score is low on all of its rows
			rule.True(scores)
			for c, q := range scores {
				scores[c] = 2*q - 1
			}
		}
		squared := 0.0
		for c, f := range scores {
			miss := p.miss(t.y(i, c), f)
			squared += miss * miss
		}
		share, so := held.shares[e]*weightOf(t.o.Weights, i), groups[keys[i]]
		groups[keys[i]] = sum{so.weight + share*min(l.Weight(squared)/full, 1), so.dealt + share}
	}
	out := slices.Repeat([]float64{1}, len(t.labels)) // of what was never held out nothing is known
	for i, key := range keys {
		if g := groups[key]; g.dealt > 0 {
			out[i] = g.weight / g.dealt
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
