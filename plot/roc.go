package plot

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/report"
	"github.com/inlier-ml/inlier/score"
)

func roc() Kind {
	return curveKind("roc", "ROC and precision-recall of each class", "classifiers", catalog.Classify, rates)
}

// mostCurves is how many classes have a curve of their own.
const mostCurves = 8

// rates draws ROC and precision-recall of each class against the others.
func rates(_ context.Context, answered *answers) ([]Section, error) {
	classes, made, labels := answered.about.Classes, answered.made, answered.labels
	rank := made.Scores
	if rank == nil {
		rank = made.Probabilities
	}
	if rank == nil {
		return nil, nil
	}
	var chosen []int
	for k := range classes {
		n := 0
		for _, l := range labels {
			if l == k {
				n++
			}
		}
		if n > 0 && n < len(labels) { // a curve needs both kinds
			chosen = append(chosen, k)
		}
	}
	left := len(chosen)
	if len(classes) == 2 && len(chosen) == 2 {
		chosen = chosen[1:] // the other one is the same picture mirrored
		left = 1
	}
	chosen = chosen[:min(len(chosen), mostCurves)]
	if len(chosen) == 0 {
		return nil, nil
	}
	var roc, pr []report.RateCurve
	guess := math.NaN()
	for _, k := range chosen {
		positive := make([]bool, len(labels))
		share := 0.0
		for i, l := range labels {
			if positive[i] = l == k; positive[i] {
				share += 1 / float64(len(labels))
			}
		}
		values := mat.Col(nil, k, rank)
		a, err := score.ROC(positive, values)
		if err != nil {
			return nil, badInput(err, "")
		}
		b, err := score.PrecisionRecall(positive, values)
		if err != nil {
			return nil, badInput(err, "")
		}
		roc = append(roc, report.RateCurve{Name: classes[k], X: a.FalsePositive, Y: a.TruePositive, Area: a.AUC})
		pr = append(pr, report.RateCurve{Name: classes[k], X: b.Recall, Y: b.Precision, Area: b.AveragePrecision})
		if len(chosen) == 1 {
			guess = share
		}
	}
	note := ""
	if left > len(chosen) {
		note = fmt.Sprintf("The first %d of %d classes.", len(chosen), left)
	}
	first, second := report.ROC("ROC curve", roc...), report.PrecisionRecall("Precision and recall", guess, pr...)
	first.Note, second.Note = note, note
	return []Section{
		{"Each class against the others: rows of the class found, against others taken for it, as the threshold falls.", first},
		{"How many of the rows taken for a class are right, as more of its rows are found.", second},
	}, nil
}
