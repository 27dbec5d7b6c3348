package plot

import (
	"context"
	"fmt"
	"math"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/judge"
	"github.com/inlier-ml/inlier/report"
)

func roc() Kind {
	return curveKind("roc", "ROC and precision-recall of each class", "classifiers", catalog.Classify, rates)
}

// mostCurves is how many classes have a curve of their own.
const mostCurves = 8

// rates draws ROC and precision-recall of each class against the others.
func rates(_ context.Context, answered *answers) ([]Section, error) {
	areas := judge.Areas(answered.made, answered.labels, answered.about.Classes)
	answered.ranked = areas
	left := len(areas)
	areas = areas[:min(left, mostCurves)]
	if left == 0 {
		return nil, nil
	}
	var roc, pr []report.RateCurve
	guess := math.NaN()
	for _, a := range areas {
		roc = append(roc, report.RateCurve{Name: a.Class, X: a.ROC.FalsePositive, Y: a.ROC.TruePositive, Area: a.AUC})
		pr = append(pr, report.RateCurve{Name: a.Class, X: a.PR.Recall, Y: a.PR.Precision, Area: a.AveragePrecision})
		if left == 1 {
			guess = float64(a.Rows) / float64(len(answered.labels))
		}
	}
	note := ""
	if left > len(areas) {
		note = fmt.Sprintf("The first %d of %d classes.", len(areas), left)
	}
	first, second := report.ROC("ROC curve", roc...), report.PrecisionRecall("Precision and recall", guess, pr...)
	first.Note, second.Note = note, note
	return []Section{
		{"Each class against the others: rows of the class found, against others taken for it, as the threshold falls.", first},
		{"How many of the rows taken for a class are right, as more of its rows are found.", second},
	}, nil
}
