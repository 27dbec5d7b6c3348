// Package judging fills in verdicts: what every family does with the vocabulary of package
// verdict.
package judging

import (
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/linalg"
	"github.com/inlier-ml/inlier/verdict"
)

// New makes a verdict on n rows of a family with these kinds: regular until [Set] says
// otherwise.
func New(n int, kinds []verdict.Kind) *verdict.Rows {
	r := &verdict.Rows{Outlier: make([]bool, n), Kind: make([]verdict.Kind, n), Kinds: kinds}
	linalg.Spans(n, func(from, to int) { // 16 bytes a row, which the system clears when they are first touched
		for i := from; i < to; i++ {
			r.Kind[i] = kinds[0]
		}
	})
	return r
}

// Set sets kind and flag of row i.
func Set(r *verdict.Rows, i int, k verdict.Kind, outlier bool) { r.Kind[i], r.Outlier[i] = k, outlier }

// SetMissing marks a row as one that cannot be judged.
func SetMissing(r *verdict.Rows, i int) {
	r.Kind[i], r.Outlier[i] = verdict.Missing, true
	if r.Weight != nil {
		r.Weight[i] = 0
	}
	if !slices.Contains(r.Kinds, verdict.Missing) {
		r.Kinds = append(slices.Clone(r.Kinds), verdict.Missing)
	}
}

// NoteMissing marks the rows of x of which nothing is known, and those that are regular only
// because so few of their values are known that the model could fit them whatever they are:
// no more than free, its parameters per row.
func NoteMissing(r *verdict.Rows, x *mat.Dense, free int) {
	missing := make([]bool, len(r.Kind))
	linalg.Spans(len(missing), func(from, to int) {
		for i := from; i < to; i++ {
			known := 0
			row := x.RawRowView(i)
			for _, v := range row {
				if v == v {
					known++
				}
			}
			missing[i] = known == 0 || known < len(row) && known <= free && r.Kind[i] == verdict.Regular
		}
	})
	for i, is := range missing {
		if is {
			SetMissing(r, i)
		}
	}
}
