package judge

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/verdict"
)

// Filled is a set in which nothing is missing, so that any model can be asked about it, and the rows that lacked a number, or the value or
// label that they come with: what the model says of these is made of zeros and to be taken back. Models answer row by row, so that the
// others' answers are what they are without them. Where nothing is missing it is the set itself.
func Filled(set *dataset.Set) (whole *dataset.Set, lacking []int) {
	whole = set
	for i := range set.Rows() {
		t := set.Target
		bare := t != nil && (t.Values != nil && math.IsNaN(t.Values[i]) || t.Labels != nil && t.Labels[i] < 0)
		if !bare && !slices.ContainsFunc(set.X.RawRowView(i), math.IsNaN) {
			continue
		}
		if lacking == nil {
			whole = copyOf(set)
		}
		lacking = append(lacking, i)
		clear(whole.X.RawRowView(i))
		if t != nil && t.Values != nil {
			whole.Target.Values[i] = 0
		}
		if t != nil && t.Labels != nil {
			whole.Target.Labels[i] = 0
		}
	}
	return whole, lacking
}

func copyOf(set *dataset.Set) *dataset.Set {
	own := *set
	own.X = mat.DenseCopyOf(set.X)
	if set.Target != nil {
		target := *set.Target
		target.Values, target.Labels = slices.Clone(target.Values), slices.Clone(target.Labels)
		own.Target = &target
	}
	return &own
}

// takeBack takes back what a model said of rows that lack a number: nothing is known of them, but that those with words which the model has
// not learned are none that it knows.
func (v *Verdict) takeBack(sent *dataset.Set, lacking []int) {
	none := report.Number(math.NaN())
	for _, i := range lacking {
		row := &v.Rows[i]
		v.Kinds[row.Kind]--
		switch {
		case row.Outlier:
			v.Outliers--
			less(v.outlying, row.Kind)
		case row.Kind != verdict.Regular && row.Kind != "":
			v.far--
			less(v.others, row.Kind)
		}
		for _, p := range []**report.Number{&row.Orthogonal, &row.Score, &row.Residual} {
			if *p != nil {
				*p = &none
			}
		}
		row.Kind, row.Weight, row.Outlier, row.Why, row.Given, row.Suggested, row.far, row.grave = verdict.Missing, 0, false, nil, "", "", 0, 0
		if sent.NewWords(i) != nil {
			row.Kind, row.Outlier, row.grave = verdict.NewWord, true, 2
			v.Outliers++
			v.outlying[row.Kind]++
		}
		v.Kinds[row.Kind]++
	}
}

// absent are the columns in which a row has nothing, or a word that the model has not learned, the first few of them.
func absent(set *dataset.Set, i int) (list []Reason) {
	none := report.Number(math.NaN())
	strange := set.NewWords(i)
	for _, w := range strange {
		list = append(list, Reason{Column: w.Column, Word: w.Word, Value: none, Contribution: none, Share: none})
	}
	for j, v := range set.X.RawRowView(i) {
		if math.IsNaN(v) && strange == nil {
			list = append(list, Reason{Column: words.Column(set.Columns, j), Value: none, Contribution: none, Share: none})
		}
	}
	if t := set.Target; t != nil && (t.Values != nil && math.IsNaN(t.Values[i]) || t.Labels != nil && t.Labels[i] < 0) {
		list = append(list, Reason{Column: t.Name, Value: none, Contribution: none, Share: none})
	}
	return list[:min(len(list), MostReasons)]
}

func less(counts map[verdict.Kind]int, k verdict.Kind) {
	if counts[k]--; counts[k] == 0 {
		delete(counts, k)
	}
}
