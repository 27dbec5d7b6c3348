package elm

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/belief"
	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

const (
	// heldRows is the number of rows up to which left-out scores of all are computed, and of about so many of more; heldOfClass
	// how many of a class in any case.
	heldRows    = 5000
	heldOfClass = 50
	// leastRidge keeps left-out scores from following rounding, relative to the longest column.
	leastRidge = 1e-10
	// mostOwn is the largest share of its own score that a row is taken to have: beyond, what
	// the others say of it is rounding.
	mostOwn = 0.98
)

// learnBelief learns probabilities of classes, and what they say about the labels of the rows of src,
// from scores that each row has by the others. scaled are the rows as the hidden layer sees
// them, t the targets, prior the rows' weights. Labels are judged by nodes on rows where these tell more of them (opinion.go), and new
// rows are held to a limit by which as many are doubted. Rows outside memory are not marked: nothing is learned.
func (m *Model) learnBelief(ctx context.Context, o Options, src, scaled linalg.Source, t *mat.Dense, prior []float64) error {
	rows, ok := src.(linalg.InMemory)
	_, k := t.Dims()
	if !ok || k < 2 {
		return nil
	}
	x := rows.Dense()
	h, err := newHidden(ctx, m.layer, scaled, true, o.Memory)
	if err != nil {
		return err
	}
	counts := weighting{w: prior, k: 1}
	all := classesOf(t)
	at, weights := heldOf(all, k)
	labels := make([]int, len(at))
	for e, i := range at {
		labels[e] = all[i]
		weights[e] *= counts.at(i, 0)
	}
	own := &opinion{regression: regression{h: h, t: t, k: k, lambda: m.lambda}, votes: m.Weights(), prior: prior, at: at}
	if err = own.ask(ctx); err != nil || own.scores == nil {
		return err
	}
	inputs, err := linalg.Gather(ctx, scaled, at)
	if err != nil {
		return err
	}
	near := belief.Ask(inputs, k, labels, weights)
	rule := belief.Learn(own.scores, k, labels, weights, near)
	judge, by, first := own, rule, own.scores
	other, err := o.radial(ctx, inputs, OneVsAll(labels, k), weights)
	if err != nil {
		return err
	}
	if other != nil {
		if r := belief.Learn(other.scores, k, labels, weights, near); r.Evidence() > rule.Evidence() {
			judge, by = other, r
		}
	}
	row := func(e int) []float64 { return x.RawRowView(at[e]) }
	findings, doubtful := by.Findings(judge.scores, labels, weights, row)
	if doubtful > belief.SecondLook && len(judge.votes) == len(at) {
		for i, trust := range by.Trust(judge.scores, labels, weights, row) {
			judge.votes[i] *= trust
		}
		if err = judge.ask(ctx); err != nil || judge.scores == nil {
			return err
		}
		if second, share := by.Again(judge.scores, labels, weights).Findings(judge.scores, labels, weights, row); !by.RunsAway(doubtful, share) {
			findings, doubtful = second, share
		}
	}
	if judge != own {
		rule.Match(first, labels, weights, doubtful)
	}
	m.belief, m.known = rule, belief.Remember(findings)
	return nil
}

// heldOf are the rows whose left-out scores are computed, in ascending order, and how much each counts: all, or of more the same share of every
// class, spread over its rows, but no fewer than tell of it.
func heldOf(labels []int, classes int) (at []int, counts []float64) {
	share := math.Min(heldRows/float64(len(labels)), 1)
	members, each := make([][]int, classes), make([]float64, classes)
	for i, l := range labels {
		members[l] = append(members[l], i)
	}
	for l, rows := range members {
		if some := max(int(math.Round(share*float64(len(rows)))), min(heldOfClass, len(rows))); some < len(rows) {
			places := slices.Compact(univariate.NewRows(len(rows), nil).Spaced(some, univariate.Staggered()))
			for _, place := range places {
				at = append(at, rows[place])
			}
			each[l] = share * float64(len(rows)) / float64(len(places))
			continue
		}
		at, each[l] = append(at, rows...), share
	}
	slices.Sort(at)
	for _, i := range at {
		counts = append(counts, each[labels[i]])
	}
	return at, counts
}

// leftOut returns the outputs, k for each, that rows at these places have when they are left out: weighted
// ridge regression gives a row the share s = w h'(H'WH + lambda)^-1 h of its own target, and (f - s t)/(1 - s)
// is what the others say. single is the weight of a row, prior how often it counts, of which one is left
// out. Nil: the nodes are too much alike to tell.
func (r *regression) leftOut(ctx context.Context, single, prior []float64, at []int) ([]float64, error) {
	n := r.h.n
	counts := weighting{w: prior, k: 1}
	w := make([]float64, n)
	for i := range w {
		w[i] = single[i] * counts.at(i, 0)
	}
	fitted, own := mat.NewDense(n, r.k, nil), make([]float64, n)
	if n < r.h.l {
		if !r.ownAcross(fitted, own, w) {
			return nil, nil
		}
	} else if ok, err := r.ownAlong(ctx, fitted, own, w, at); err != nil || !ok {
		return nil, err
	}
	out := make([]float64, 0, len(at)*r.k)
	for _, i := range at {
		share := math.Min(own[i]*single[i], mostOwn)
		for c, f := range fitted.RawRowView(i) {
			out = append(out, (f-share*r.t.At(i, c))/(1-share))
		}
	}
	return out, nil
}

// ownAlong finds the outputs and h'(H'WH + lambda)^-1 h of rows from the products of nodes.
func (r *regression) ownAlong(ctx context.Context, fitted *mat.Dense, own, w []float64, at []int) (bool, error) {
	l := r.h.l
	rhs, grams, err := r.normal(ctx, nil, weighting{w: w, k: r.k, perRow: true}, 0, 1)
	if err != nil {
		return false, err
	}
	f := newFactor(grams[0], l, ridgeOf(grams[0], l, r.lambda))
	if f.chol == nil || math.IsInf(f.condition, 1) {
		return false, nil
	}
	beta := f.solve(rhs)
	next := 0
	err = r.h.scan(ctx, func(first int, block *mat.Dense) error {
		rows, _ := block.Dims()
		linalg.Mul(fitted.Slice(first, first+rows, 0, r.k).(*mat.Dense), block, beta)
		from := next
		for next < len(at) && at[next] < first+rows {
			next++
		}
		if from == next {
			return nil
		}
		nodes := mat.NewDense(l, next-from, nil)
		for e, i := range at[from:next] {
			nodes.SetCol(e, block.RawRowView(i-first))
		}
		inverse := f.solve(nodes)
		for e, i := range at[from:next] {
			for j, v := range block.RawRowView(i - first) {
				own[i] += v * inverse.At(j, e)
			}
		}
		return nil
	})
	return true, err
}

// ownAcross does the same from the products of rows, where there are fewer of them than nodes.
func (r *regression) ownAcross(fitted *mat.Dense, own, w []float64) bool {
	n := r.h.n
	products := linalg.RowProducts(r.h.kept)
	gram := make([]float64, n*n)
	for i := range n {
		for j := i; j < n; j++ {
			gram[i*n+j] = math.Sqrt(w[i]) * products.At(i, j) * math.Sqrt(w[j])
		}
	}
	f := newFactor(gram, n, ridgeOf(gram, n, r.lambda))
	if f.chol == nil || math.IsInf(f.condition, 1) {
		return false
	}
	// With K = HH' and S the roots of the weights, the outputs are KS(SKS + lambda)^-1 St, and
	// H(H'WH + lambda)^-1 H' = (K - KS(SKS + lambda)^-1 SK) / lambda.
	right := mat.NewDense(n, n+r.k, nil)
	for i := range n {
		root := math.Sqrt(w[i])
		for j := range n {
			right.Set(i, j, root*products.At(i, j))
		}
		for c := range r.k {
			right.Set(i, n+c, root*r.t.At(i, c))
		}
	}
	solved := f.solve(right)
	scaled := mat.NewDense(n, n, nil)
	for i := range n {
		for j := range n {
			scaled.Set(i, j, products.At(i, j)*math.Sqrt(w[j]))
		}
	}
	linalg.Mul(fitted, scaled, solved.Slice(0, n, n, n+r.k).(*mat.Dense))
	for i := range n {
		sum := products.At(i, i)
		for j, v := range scaled.RawRowView(i) {
			sum -= v * solved.At(j, i)
		}
		own[i] = math.Max(sum, 0) / f.ridge
	}
	return true
}

// ridgeOf is the penalty with what rounding needs at least.
func ridgeOf(gram []float64, l int, lambda float64) float64 {
	longest := 0.0
	for j := range l {
		longest = math.Max(longest, gram[j*l+j])
	}
	return math.Max(lambda, leastRidge*longest)
}

// class is the class of a row with these outputs, the most probable one.
func (m *Model) class(scores []float64) int {
	if m.belief != nil {
		return m.belief.Best(scores)
	}
	return largest(scores)
}

// Classes turns outputs for rows, as [Model.Predict] returns them, into classes: the most probable
// ones, and the probabilities of all. Probabilities are nil, and classes those of the largest outputs, where
// the rows that the machine learned from were not in memory, and for models of old files.
func (m *Model) Classes(outputs *mat.Dense) (labels []int, probabilities *mat.Dense) {
	n, _ := outputs.Dims()
	labels = make([]int, n)
	for i := range labels {
		labels[i] = m.class(outputs.RawRowView(i))
	}
	if m.belief != nil {
		probabilities = mat.DenseCopyOf(outputs)
		for i := range n {
			m.belief.Probabilities(probabilities.RawRowView(i))
		}
	}
	return labels, probabilities
}
