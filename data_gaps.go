package inlier

import (
	"math"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/judge"
)

// whole is a part that a model can be asked about, and the rows whose answers are to be taken back since they lack a number.
func (t *asked) whole(part *dataset.Set) (*dataset.Set, []int) {
	if !t.gaps {
		return part, nil
	}
	return judge.Filled(part)
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
