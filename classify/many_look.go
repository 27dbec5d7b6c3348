package classify

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/linalg/fastblas"
	"github.com/inlier-ml/inlier/verdict"
)

// named is up to how many outlying rows of a table that is not in memory are named.
const named = 1 << 16

// manyLook is what one reading of all rows tells.
type manyLook struct {
	Grams       []float64 // curvature times z z', p x p (upper parts), one after the other
	Pull        []float64 // p x k: less the slope of the losses
	Loss        float64
	Counted     float64 // sum of the weights of rows that have a say
	Sum, Square float64 // of weights as they are told, and of their squares
	Flagged     int
	Doubtful    int
	Far         int
	Right       int
	Out         int   // rows that are far from every class and have no say, or should have none
	Rows        []int // flagged ones, from 0; too many to be named where they are fewer
	objective   float64
	z, f        []float64 // room for a block
	pull, bend  []float64
}

// Parts are the kept ones.
func (l *manyLook) Parts() []any {
	return []any{l.Grams, l.Pull, &l.Loss, &l.Counted, &l.Sum, &l.Square, &l.Flagged, &l.Doubtful, &l.Far, &l.Right, &l.Out, &l.Rows}
}

// effective is the effective number of rows.
func (l *manyLook) effective() float64 {
	if l.Square == 0 {
		return 0
	}
	return l.Sum * (l.Sum / l.Square)
}

// grams is how many matrices of products k classes have.
func (c curvature) grams(k int) int {
	switch c {
	case equal:
		return 1
	case single:
		return k
	}
	return k * (k + 1) / 2
}

// look reads all rows.
func (b *many) look(ctx context.Context, k int) (*manyLook, error) {
	_, p := b.table.Dims()
	grams := b.form.curvature.grams(k)
	return linalg.Pass(ctx, b.table,
		func() *manyLook { return &manyLook{Grams: make([]float64, grams*p*p), Pull: make([]float64, p*k)} },
		func(l *manyLook, first int, block *mat.Dense) { b.add(l, k, first, block) },
		func(into, from *manyLook) {
			linalg.Axpy(1, from.Grams, into.Grams)
			linalg.Axpy(1, from.Pull, into.Pull)
			into.Loss, into.Sum, into.Square = into.Loss+from.Loss, into.Sum+from.Sum, into.Square+from.Square
			into.Counted, into.Out = into.Counted+from.Counted, into.Out+from.Out
			into.Flagged, into.Doubtful, into.Far, into.Right = into.Flagged+from.Flagged, into.Doubtful+from.Doubtful, into.Far+from.Far, into.Right+from.Right
			if len(into.Rows) <= named {
				into.Rows = append(into.Rows, from.Rows...)
			}
		})
}

// add takes in a block.
func (b *many) add(l *manyLook, k, first int, block *mat.Dense) {
	n, p := block.Dims()
	x, labels := rowsAndClasses(block)
	grams := b.form.curvature.grams(k)
	if len(l.z) < n*p {
		l.z, l.f, l.pull, l.bend = make([]float64, n*p), make([]float64, n*k), make([]float64, n*k), make([]float64, grams*n)
	}
	scaled := b.m.parts.Scaling.Apply(x)
	for i := range n {
		row := l.z[i*p : (i+1)*p]
		copy(row, scaled.RawRowView(i))
		row[p-1] = 1
	}
	theta := b.theta.RawMatrix()
	fastblas.Gemm(1, false, false, n, k, p, 1, l.z, p, theta.Data, theta.Stride, 0, l.f, k)
	scores := mat.NewDense(n, k, l.f[:n*k])
	judged, err := b.m.judgeScored(x, scores, labels)
	if err != nil {
		panic(err) // labels are those of the classes
	}
	prior := univariate.Part(b.prior, first, n)
	slope, bend := make([]float64, k), make([]float64, k*k)
	for i, label := range labels {
		a := b.share[label]
		if prior != nil {
			a *= prior[i]
		}
		if (b.drop || b.o.Clip == 0) && b.m.parts.Places.Far(x.RawRowView(i)) {
			if l.Out++; b.drop {
				a = 0
			}
		}
		l.Counted += a
		w := a
		if b.m.loss != nil {
			w *= judged.Weight[i]
		}
		l.Sum, l.Square = l.Sum+w, l.Square+w*w
		if judged.Outlier[i] {
			if l.Flagged++; len(l.Rows) <= named {
				l.Rows = append(l.Rows, first+i)
			}
			if judged.Kind[i] == verdict.DoubtfulLabel {
				l.Doubtful++
			} else {
				l.Far++
			}
		}
		if judged.Label[i] == label {
			l.Right++
		}
		clear(bend)
		l.Loss += a * b.form.row(scores.RawRowView(i), label, slope, bend)
		for c, v := range slope {
			l.pull[i*k+c] = -a * v
		}
		at := 0
		for c := range k {
			for m := c; m < k; m++ {
				if b.form.curvature != together && m > c || b.form.curvature == equal && c > 0 {
					continue
				}
				l.bend[at*n+i] = a * bend[c*k+m]
				at++
			}
		}
	}
	fastblas.Gemm(1, true, false, p, k, n, 1, l.z, p, l.pull, k, 1, l.Pull, k)
	for g := range grams {
		fastblas.WeightedGram(1, n, p, l.z, p, l.bend[g*n:(g+1)*n], nil, l.Grams[g*p*p:(g+1)*p*p], p)
	}
}
