package inlier

import (
	"fmt"
	"math"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/judge"
)

// whole is a part that a model can be asked about, and the rows whose answers are to be taken back since they lack a number. Words that the
// model has not learned are noted.
func (t *asked) whole(first int, part *dataset.Set) (*dataset.Set, []int) {
	for i := range part.Rows() {
		if found := part.NewWords(i); found != nil {
			if t.strange.Add(first + i + 1); t.example == "" {
				t.example = fmt.Sprintf("%s %q", found[0].Column, found[0].Word)
			}
		}
	}
	if !t.gaps {
		return part, nil
	}
	return judge.Filled(part)
}

// remarks tell of words that the model has not learned.
func (t *asked) remarks() []string {
	if t.strange.Count == 0 {
		return nil
	}
	become := "no answer"
	if !t.gaps {
		become = "one as if the cell were empty"
	}
	return []string{fmt.Sprintf("%s with a word that the model has not learned, such as %s, %s %s: %s",
		words.Plural(t.strange.Count, "row"), t.example, map[bool]string{true: "has", false: "have"}[t.strange.Count == 1], become, t.strange.String())}
}

// unpredicted takes predictions back.
func unpredicted(p *catalog.Prediction, rows []int) {
	for _, i := range rows {
		if p.Values != nil {
			p.Values[i] = math.NaN()
		}
		if p.Labels != nil {
			p.Labels[i] = -1
		}
		if p.Scores != nil {
			unknown(p.Scores.RawRowView(i))
		}
		if p.Probabilities != nil {
			unknown(p.Probabilities.RawRowView(i))
		}
		if p.Outside != nil {
			p.Outside[i] = false
		}
	}
}

func unknown(row []float64) {
	for k := range row {
		row[k] = math.NaN()
	}
}
