package belief

import (
	"cmp"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/linalg"
)

// A label is doubted by confident learning (Northcutt, Jiang and Chuang 2021): another class
// is about as probable for the row as it is for the rows that carry it as their label.
const (
	// confidenceSlack is how far below the mean probability of a class, over the rows with its
	// label, the probability of a row may be that is claimed by it.
	confidenceSlack = 0.15
	// leastConfidence is the smallest probability with which a class claims a row.
	leastConfidence = 0.5
	// leastChance and mostChance: the probability of the label must be below what any label had by
	// chance if twice as many were wrong as are expected to be, and leastChance more; and below mostChance.
	leastChance = 0.3
	mostChance  = 0.4
	// pooledRows is how many rows of average confidence each class is given in addition.
	pooledRows = 3

	// Wrong labels are taken for a fact where most of the labels that are not the most probable one, mostAgainst of them, or so many of all
	// labels as manyDeep, have less than deep of the probability of one by chance: where classes merely overlap most of these labels
	// are close to the best. someDeep of them is enough where one class claims the share claimsMany of the labels that are not the best,
	// or no more labels are not the best than tellsMuch of what it would be by chance. So they are
	// where wrong labels make the labels more probable by errorsPrice, in logarithms; by less than planesPrice they are never, to planes.
	// Scores by which more labels are not the best than tellsLittle of what it would be by chance know too little to tell, unless neighbours tell no
	// more and it is fewer than by chance by manyErrors standard errors: then it is the labels that tell little. So do those that doubt labels of which neighbours keep more than mostKept, unless they tell more of labels than neighbours do.
	mostAgainst = 0.6
	manyDeep    = 0.1
	someDeep    = 0.08
	claimsMany  = 0.25
	deep        = 0.45
	errorsPrice = 10
	planesPrice = 2
	noErrors    = 0.02
	// By no more than noErrors the likelihood does not rise at all: then all but the first of these is what classes that overlap look like.
	// Short of errorsPrice, where nothing else speaks against them, part of those that are expected are doubted, none at noFact and all at nearlyFact:
	// a table and a part of its rows, as a fit in blocks has it, tell nearly the same.
	noFact      = 4
	nearlyFact  = 8
	tellsLittle = 0.6
	manyErrors  = 4
	tellsMuch   = 0.35
	mostKept    = 0.4
	// No more labels are doubted than are expected to be wrong, and mostErrors standard errors of that more. How much the likelihood falls where none
	// are wrong tells the standard error. Chosen on ten generated sets, seen on ten of other seeds and seven files.
	mostErrors = 2
	// unexplained is the share of the labels that is doubted at most where wrong ones are no fact, and someRows the number of them
	// in addition, which may be chance.
	unexplained = 0.01
	someRows    = 2
)

// Rule tells probabilities and doubtful labels. It never changes.
type Rule struct {
	Curve
	Confidence []float64 // of each class: the probability from which on it claims rows
	Limit      float64   // largest probability of a label that is doubted
	Apart      *Rule     // by which labels are doubted where rows count otherwise than they occur; nil: by this one

	most float64     // share of labels that is doubted at most; 0: any
	near *Neighbours // who may keep a label from being doubted, where they tell more of labels than scores; nil: none
}

// OfLabels is the rule by which labels are doubted.
func (r *Rule) OfLabels() *Rule {
	if r.Apart != nil {
		return r.Apart
	}
	return r
}

// Learn makes the rule from held-out scores, as [Fit] takes them, and from the neighbours of their rows (nil: not asked).
func Learn(scores []float64, k int, labels []int, weights []float64, near *Neighbours) *Rule {
	return learnAt(scores, k, labels, weights, near, math.Inf(-1))
}

// LearnPlanes is Learn for scores whose logarithms of odds are as they are, such as planes of the logistic loss: they do not flatten
// towards their ends, as wrong labels make them, so these are a fact only where labels are clearly more probable by them.
func LearnPlanes(scores []float64, k int, labels []int, weights []float64, near *Neighbours) *Rule {
	return learnAt(scores, k, labels, weights, near, planesPrice)
}

// learnAt is Learn where wrong labels are no fact unless labels are so much more probable by them, in logarithms.
func learnAt(scores []float64, k int, labels []int, weights []float64, near *Neighbours, price float64) *Rule {
	var ceiling []float64
	if near != nil {
		ceiling = near.Ceiling
	}
	r := learn(Fit(scores, k, labels, weights, ceiling), scores, labels, weights)
	r.limit(scores, labels, weights, near, price)
	return r
}

// learn is Learn with the curve known.
func learn(c Curve, scores []float64, labels []int, weights []float64) *Rule {
	k := len(c.Shift)
	r := &Rule{Curve: c, Confidence: make([]float64, k), Limit: mostChance}
	r.Spread = min(r.asLabelled(), mostMixed)
	sum, count := make([]float64, k), make([]float64, k)
	all, total := 0.0, 0.0
	truth := r.truths(scores)
	for i, label := range labels {
		w, q := weightOf(weights, i), truth[i*k:(i+1)*k]
		if w == 0 || q[label] != q[label] {
			continue
		}
		sum[label] += w * q[label]
		count[label] += w
		all += w * q[label]
		total += w
	}
	for l := range sum {
		mean := 1.0
		if total > 0 {
			mean = (sum[l] + pooledRows*all/total) / (count[l] + pooledRows)
		}
		r.Confidence[l] = max(mean-confidenceSlack, leastConfidence)
	}
	return r
}

// limit finds out whether wrong labels are a fact. If not no more than a few are doubted, new rows are held to the same limit, and
// probabilities are those of labels such as these. Scores of a line between classes that are not divided by one establish
// nothing that neighbours speak against, and where they tell less of the labels than neighbours do, doubt no label that these have.
func (r *Rule) limit(scores []float64, labels []int, weights []float64, near *Neighbours, price float64) {
	k := len(r.Shift)
	var doubts []doubt
	rows, against, claimed, unlikely, count, claims := 0.0, 0.0, 0.0, 0.0, make([]float64, k), make([]float64, k)
	truth := r.truths(scores)
	for i, label := range labels {
		w, q := weightOf(weights, i), truth[i*k:(i+1)*k]
		if w == 0 || q[0] != q[0] {
			continue
		}
		count[label] += w
		if rows += w; largest(q) != label {
			if against += w; q[label] < deep/float64(k) {
				unlikely += w
			}
		}
		if r.Doubts(q, label) {
			claimed += w
			claims[largest(q)] += w
			doubts = append(doubts, doubt{i, q[label], w})
		}
	}
	chance := rows
	for _, c := range count {
		chance -= c * c / max(rows, 1e-300)
	}
	misses := against / max(rows, 1e-300)
	if near.tellMore(misses) {
		r.near = near
	}
	some := unlikely >= someDeep*rows && (slices.Max(claims) >= claimsMany*against || against <= tellsMuch*chance)
	shown := unlikely >= mostAgainst*against || r.errors >= errorsPrice || r.errors > noErrors && (some || unlikely >= manyDeep*rows)
	guessing := chance-against < manyErrors*math.Sqrt(against*(1-misses))
	ignorant := against > tellsLittle*chance && (near == nil || r.near != nil || guessing)
	most := unexplained*rows + someRows
	sure := !ignorant && r.errors >= price && (near.tellLess(misses) || r.kept(near, doubts, scores, labels) <= mostKept*claimed)
	switch expected := rows * r.Wrong * (1 + mostErrors/math.Sqrt(2*max(r.errors, 1))); {
	case !shown || !sure:
		r.Spread = r.asLabelled()
		if part := (r.errors - noFact) / (nearlyFact - noFact); sure && part > 0 {
			most = max(most, min(part, 1)*expected)
		}
	case r.errors < errorsPrice: // too little is known of how many there are
		return
	default:
		most = max(most, expected)
		r.most = most / rows
	}
	r.hold(doubts, most)
}

// Match holds new rows to the limit by which this share of labels is doubted.
func (r *Rule) Match(scores []float64, labels []int, weights []float64, share float64) {
	k := len(r.Shift)
	var doubts []doubt
	rows, truth := 0.0, r.truths(scores)
	r.Limit = mostChance
	for i, label := range labels {
		w, q := weightOf(weights, i), truth[i*k:(i+1)*k]
		if w == 0 || q[0] != q[0] {
			continue
		}
		if rows += w; r.Doubts(q, label) {
			doubts = append(doubts, doubt{i, q[label], w})
		}
	}
	r.hold(doubts, rows*share)
}

// hold lowers the limit so that no more than so many labels are doubted.
func (r *Rule) hold(doubts []doubt, most float64) {
	slices.SortFunc(doubts, func(a, b doubt) int { return cmp.Compare(a.probability, b.probability) })
	sum, below, last := 0.0, 0.0, 0.0 // below: the next smaller one that differs
	for _, d := range doubts {
		if d.probability > last {
			below, last = last, d.probability
		}
		if sum += d.weight; sum > most {
			r.Limit = (below + last) / 2 // between what is doubted and what is not
			return
		}
	}
}

// kept is the weight of the doubts about labels that neighbours keep, by as many of them as can be asked.
func (r *Rule) kept(near *Neighbours, doubts []doubt, scores []float64, labels []int) (weight float64) {
	k := len(r.Shift)
	weights := make([]float64, len(doubts))
	for at, d := range doubts {
		weights[at] = d.weight
	}
	all := total(weights)
	if all == 0 {
		return 0
	}
	places, counts := spread(weights, near.most)
	for a, at := range places {
		d := doubts[at]
		if near.keep(d.at, labels[d.at], r.Best(scores[d.at*k:(d.at+1)*k])) {
			weight += counts[a]
		}
	}
	return weight / total(counts) * all
}

// Outvoted tells that neighbours tell clearly more of the labels than scores do.
func (r *Rule) Outvoted() bool { return r.near != nil }

// Evidence is the logarithm of the likelihood of the labels that the rule was learned from, less what its parameters
// cost: scores of the same rows by which it is higher tell more of them.
func (r *Rule) Evidence() float64 { return r.gain }

// Cost is what its parameters cost of that.
func (r *Rule) Cost() float64 { return r.cost }

// truths are the probabilities of the true classes of all rows.
func (c *Curve) truths(scores []float64) []float64 {
	k, out := len(c.Shift), make([]float64, len(scores))
	linalg.Spans(len(scores)/k, func(from, to int) {
		copy(out[from*k:to*k], scores[from*k:to*k])
		for i := from; i < to; i++ {
			c.True(out[i*k : (i+1)*k])
		}
	})
	return out
}

// keysOf are the keys of all rows with their labels.
func keysOf(labels []int, row func(i int) []float64) []uint64 {
	keys := make([]uint64, len(labels))
	linalg.Spans(len(keys), func(from, to int) {
		for i := from; i < to; i++ {
			keys[i] = Key(row(i), labels[i])
		}
	})
	return keys
}

// Doubts tells whether the probabilities of a row's true class (see [Curve.True]) contradict its label.
func (r *Rule) Doubts(q []float64, label int) bool {
	best := largest(q)
	return best != label && q[best] >= r.Confidence[best] && q[label] <= r.Limit && q[label] < min((leastChance+2*r.Wrong)/float64(len(q)-1), mostChance)
}

// Again is [Learn] for scores that were learned a second time, by the votes of r. They may be so sure of few
// rows that no label seems wrong to them: what r knows about that stays. So does it whether scores are mixed: the
// sure ones would mix what wrong labels have in common.
func (r *Rule) Again(scores []float64, labels []int, weights []float64) *Rule {
	out := learn(fitCurve(scores, len(r.Shift), labels, weights, r.ceiling, r.Mix != nil), scores, labels, weights)
	out.Wrong, out.near, out.most = max(out.Wrong, r.Wrong), r.near, r.most
	return out
}

// SecondLook is the share of doubtful labels from which on scores should be learned once more,
// with the votes of [Rule.Trust], and the labels judged by those.
const SecondLook = 0.03

// runsAway is how many times as many labels as were doubtful, or expected to be wrong, a second look may doubt.
const runsAway = 2

// RunsAway tells that a second look is not to be believed, which doubts so much larger a share of the labels than the first:
// scores that were poor have learned again from nothing but the rows that they agreed with, and now contradict all others. Nor is
// one that doubts more labels than the first and than neighbours let be wrong.
func (r *Rule) RunsAway(first, second float64) bool {
	if second > runsAway*max(first, r.Wrong) {
		return true
	}
	return r.ceiling != nil && second > max(first, r.mostWrong())
}

// Trust is the share of its vote that each row keeps when scores are learned anew: all of it unless
// another class is at least twice as probable as its label; equal rows with equal labels keep the same.
// row returns the numbers of a row, weights nil are ones.
func (r *Rule) Trust(scores []float64, labels []int, weights []float64, row func(i int) []float64) []float64 {
	k := len(r.Shift)
	out, truth, keys := make([]float64, len(labels)), r.truths(scores), keysOf(labels, row)
	type sum struct{ trust, weight float64 }
	groups := make(map[uint64]sum, len(labels))
	for i, label := range labels {
		q := truth[i*k : (i+1)*k]
		trust := min(1, 2*q[label]/max(slices.Max(q), 1e-300))
		if trust != trust {
			trust = 1
		}
		w, g := weightOf(weights, i), groups[keys[i]]
		groups[keys[i]] = sum{g.trust + w*trust, g.weight + w}
	}
	for i, key := range keys {
		if out[i] = 1; groups[key].weight > 0 {
			out[i] = groups[key].trust / groups[key].weight
		}
	}
	return out
}

// Findings judges the labels of rows by held-out scores, equal rows with equal labels together, and
// tells which share of them is doubtful; row returns the numbers of a row, weights nil are ones.
func (r *Rule) Findings(scores []float64, labels []int, weights []float64, row func(i int) []float64) (out []Finding, doubtful float64) {
	k := len(r.Shift)
	type group struct {
		first  int // place of its sums: of probabilities, then of scores
		entry  int // the first of its rows
		label  int
		weight float64
	}
	truth, keys := r.truths(scores), keysOf(labels, row)
	groups := make(map[uint64]int, len(labels))
	all, sums := make([]group, 0, len(labels)), make([]float64, 0, 2*len(scores))
	out = make([]Finding, 0, len(labels))
	for i, label := range labels {
		w, q := weightOf(weights, i), truth[i*k:(i+1)*k]
		if w == 0 || q[0] != q[0] {
			continue
		}
		at, ok := groups[keys[i]]
		if !ok {
			at = len(all)
			groups[keys[i]], all = at, append(all, group{first: len(sums), entry: i, label: label})
			sums, out = sums[:len(sums)+2*k], append(out, Finding{Key: keys[i]})
		}
		g := &all[at]
		g.weight += w
		for l, v := range q {
			sums[g.first+l] += w * v
			sums[g.first+k+l] += w * scores[i*k+l]
		}
	}
	total := 0.0
	var doubts []doubt
	for at, g := range all {
		mean, score := sums[g.first:g.first+k], sums[g.first+k:g.first+2*k]
		for l := range mean {
			mean[l] /= g.weight
			score[l] /= g.weight
		}
		total += g.weight
		if f := &out[at]; r.Doubts(mean, g.label) && (r.near == nil || !r.near.keep(g.entry, g.label, largest(mean))) {
			f.Doubt, f.Label, f.Margin = true, largest(mean), min(r.Margin(score, g.label), 0)
			doubts = append(doubts, doubt{at, mean[g.label], g.weight})
		}
	}
	return out, r.strongest(out, doubts, total) / max(total, 1e-300)
}

// doubt is one about the label of a finding, which has this probability.
type doubt struct {
	at                  int
	probability, weight float64
}

// strongest takes back the weakest doubts beyond the share that can be wrong, and returns the weight of what is left.
func (r *Rule) strongest(out []Finding, doubts []doubt, rows float64) (weight float64) {
	slices.SortStableFunc(doubts, func(a, b doubt) int { return cmp.Compare(a.probability, b.probability) })
	most := rows
	if r.ceiling != nil {
		most *= r.mostWrong()
	}
	if r.most > 0 {
		most = min(most, rows*r.most)
	}
	for _, d := range doubts {
		if weight += d.weight; weight > most {
			out[d.at] = Finding{Key: out[d.at].Key}
			weight -= d.weight
		}
	}
	return weight
}

// mostWrong is the largest share of labels that can be wrong.
func (r *Rule) mostWrong() float64 { return total(r.ceiling) / float64(len(r.ceiling)) }

// largest is the first of the largest.
func largest(v []float64) int {
	best := 0
	for l, x := range v {
		if x > v[best] {
			best = l
		}
	}
	return best
}
