package judge

import (
	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/score"
)

// Area tells how well a model ranks the rows of one class above those of the others.
type Area struct {
	Class            string  `json:"class"`
	Rows             int     `json:"rows"` // of the class
	AUC              float64 `json:"auc"`  // under the ROC curve; a chance guess has 0.5
	AveragePrecision float64 `json:"average_precision"`

	ROC *score.ROCCurve `json:"-"`
	PR  *score.PRCurve  `json:"-"`
}

// Areas ranks the rows for each class. Of two classes the second one is found, by its decision score less the
// other's (by probability where a model has no scores); the first would show the same mirrored. Of more classes each
// is found by its probability, which weighs its score against the others' as the model does when it decides: a class
// between two others may have no high score of its own and be right all the same. Without probabilities the score
// has to do. Classes that no row or every row has are left out, and so is everything where a score is not a number.
func Areas(made *catalog.Prediction, truth []int, classes []string) []Area {
	return areas(made, truth, classes, drawnArea)
}

func areas(made *catalog.Prediction, truth []int, classes []string, area func([]bool, []float64) (Area, error)) []Area {
	scores := made.Scores
	if scores == nil || len(classes) > 2 && made.Probabilities != nil {
		scores = made.Probabilities
	}
	if scores == nil {
		return nil
	}
	var out []Area
	for k := range classes {
		if len(classes) == 2 && k == 0 {
			continue
		}
		positive := make([]bool, len(truth))
		for i, class := range truth {
			positive[i] = class == k
		}
		values := mat.Col(nil, k, scores)
		if len(classes) == 2 {
			for i := range values {
				values[i] -= scores.At(i, 0)
			}
		}
		if a, err := area(positive, values); err == nil {
			a.Class = classes[k]
			out = append(out, a)
		}
	}
	return out
}

// area measures one ranking.
func area(positive []bool, values []float64) (a Area, err error) {
	a.AUC, a.AveragePrecision, err = score.RankingAreas(positive, values)
	return a, err
}

// drawnArea measures one ranking, with its curves.
func drawnArea(positive []bool, values []float64) (Area, error) {
	roc, err := score.ROC(positive, values)
	if err != nil {
		return Area{}, err
	}
	pr, err := score.PrecisionRecall(positive, values)
	if err != nil {
		return Area{}, err
	}
	a := Area{AUC: roc.AUC, AveragePrecision: pr.AveragePrecision, ROC: roc, PR: pr}
	for _, p := range positive {
		if p {
			a.Rows++
		}
	}
	return a, nil
}

// meanAreas averages over the classes, each counting alike.
func meanAreas(areas []Area) (auc, precision float64) {
	for _, a := range areas {
		auc += a.AUC / float64(len(areas))
		precision += a.AveragePrecision / float64(len(areas))
	}
	return auc, precision
}
