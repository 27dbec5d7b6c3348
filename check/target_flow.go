package check

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/classify"
	"github.com/inlier-ml/inlier/linalg"
)

// Labels may go astray together: three in ten rows of one class are called another. Then the wrong label is usual where it
// stands, no chance by itself is small, and still the rows are told from those of classes that overlap: these lie at the
// border, the deeper the fewer, while labels that were exchanged lie as deep among the rows of the true class as
// these themselves. Depth is the lead of the true class over the given one, by machines that have not seen the row.

const (
	// flowFolds is the number of machines, each of which leaves out its share of the rows.
	flowFolds = 3
	// flowFewest rows tell of a flow, and a share of flowRate of the rows of their depth.
	flowFewest, flowRate = 8, 0.1
	// flowBack is the share of rows that have the other label by nature up to which two classes are apart.
	flowBack = 0.15
	// flowSteps is in how many steps of depth rows are counted.
	flowSteps = 4
)

// flow are rows of class from that are called to.
type flow struct {
	from, to int
	leads    []float64 // of from over to, among the rows of from, ascending
	right    [flowSteps]float64
}

// depth is the share of the rows of the true class that lie less deep.
func (f *flow) depth(lead float64) float64 {
	k, _ := slices.BinarySearch(f.leads, lead)
	return float64(k) / float64(len(f.leads))
}

// chance is that of a label to be right at a depth.
func (f *flow) chance(depth float64) float64 {
	return f.right[min(int(flowSteps*depth), flowSteps-1)]
}

// unseen are the scores of the taught rows by machines that were taught the others; nil where there are none.
func (t *targetTable) unseen(ctx context.Context, machine classify.RegMaxCEM, given []int, classes int) (*mat.Dense, error) {
	x := t.matrix(t.taught)
	n, d := x.Dims()
	scores := mat.NewDense(n, classes, nil)
	folds, counts := make([]int, n), make([]int, classes)
	for k, c := range given { // every class has its part in every fold
		folds[k] = counts[c] % flowFolds
		counts[c]++
	}
	for fold := range flowFolds {
		var in, out, labels []int
		for k := range n {
			if folds[k] == fold {
				out = append(out, k)
			} else {
				in, labels = append(in, k), append(labels, given[k])
			}
		}
		part := func(rows []int) *mat.Dense {
			some := mat.NewDense(len(rows), d, nil)
			for i, k := range rows {
				some.SetRow(i, x.RawRowView(k))
			}
			return some
		}
		m, err := machine.Fit(ctx, linalg.FromDense(part(in)), labels, classes)
		if err == nil {
			var made *mat.Dense
			if made, err = m.Scores(ctx, part(out)); err == nil {
				for i, k := range out {
					scores.SetRow(k, made.RawRowView(i))
				}
				continue
			}
		}
		return nil, ctx.Err() // a class of too few rows: nothing can be said
	}
	return scores, nil
}

// astrays finds the pairs of classes of which rows of one are called the other.
func astrays(scores *mat.Dense, given []int, classes int) (found []flow) {
	type pair struct{ top, own int }
	leads := map[pair][]float64{}
	counts := map[pair]int{}
	for k, own := range given {
		row := scores.RawRowView(k)
		top := slices.Index(row, slices.Max(row))
		if counts[pair{top, own}]++; top != own {
			leads[pair{top, own}] = append(leads[pair{top, own}], row[top]-row[own])
		}
	}
	for from := range classes {
		for to := range classes {
			astray, own := counts[pair{from, to}], counts[pair{from, from}]
			back, others := counts[pair{to, from}], counts[pair{to, to}]
			if from == to || astray < flowFewest || own < flowFewest || others < flowFewest || float64(back) > flowBack*float64(back+others) {
				continue
			}
			f := flow{from: from, to: to}
			for k, c := range given {
				row := scores.RawRowView(k)
				if c == from && slices.Max(row) == row[from] {
					f.leads = append(f.leads, row[from]-row[to])
				}
			}
			slices.Sort(f.leads)
			depths := make([]float64, astray)
			for i, lead := range leads[pair{from, to}] {
				depths[i] = f.depth(lead)
			}
			if f.settle(depths) {
				found = append(found, f)
			}
		}
	}
	return found
}

// settle finds the depth from which on the rows lie as those of the true class do, and the chance of a label to be right at every depth; false where
// they get fewer with the depth, as classes that overlap do.
func (f *flow) settle(depths []float64) bool {
	for first := range flowSteps/2 + 1 {
		from := float64(first) / flowSteps
		count, sum := 0.0, 0.0
		var steps [flowSteps]float64
		for _, u := range depths {
			if steps[min(int(flowSteps*u), flowSteps-1)]++; u >= from {
				count++
				sum += (u - from) / (1 - from)
			}
		}
		// The mean of uniform depths is a half, with a variance of 1/12 by their number.
		if count < flowFewest || (sum/count-0.5)*math.Sqrt(12*count) < -1 || count < flowRate*(count+(1-from)*float64(len(f.leads))) {
			continue
		}
		deep := max(first, flowSteps/2)
		usual := 0.0
		for _, n := range steps[deep:] {
			usual += n / float64(flowSteps-deep)
		}
		for k := range deep { // nearer to the border labels are by nature what is more than usual
			f.right[k] = max(0, 1-usual/max(steps[k], 1))
		}
		return true
	}
	return false
}

// strayed is the chance that a label is right with these scores, and the class that it should be, where one of the flows has taken it along.
func strayed(astray []flow, scores []float64, own int) (chance float64, should int, went bool) {
	top := slices.Max(scores)
	for k := range astray {
		if f := &astray[k]; f.to == own && scores[f.from] == top && top > scores[own] {
			return f.chance(f.depth(top - scores[own])), f.from, true
		}
	}
	return 0, 0, false
}
