package score

import (
	"fmt"
	"iter"
	"math"
	"slices"
)

// ROCCurve is the receiver operating characteristic of a ranking. Point k calls all
// samples with a score of at least Threshold[k] positive; the first point calls none
// (threshold +Inf), the last one all.
type ROCCurve struct {
	Threshold     []float64 `json:"-"` // falling
	FalsePositive []float64 `json:"false_positive_rate"`
	TruePositive  []float64 `json:"true_positive_rate"`
	// AUC is the area under the curve: the chance that a positive sample scores above a
	// negative one, ties counted half.
	AUC float64 `json:"auc"`
}

// ROC ranks by score (high means positive) and compares with the truth, of which both
// kinds must occur.
func ROC(positive []bool, score []float64) (*ROCCurve, error) {
	steps, positives, negatives, err := rank("ROC", positive, score)
	if err != nil {
		return nil, err
	}
	if negatives == 0 {
		return nil, fmt.Errorf("score: ROC: all %d samples are positive; both kinds are needed", positives)
	}
	c := &ROCCurve{Threshold: []float64{math.Inf(1)}, FalsePositive: []float64{0}, TruePositive: []float64{0}}
	// Whole counts keep the area exact: twice the number of pairs in the right order.
	var area float64
	before := step{}
	for s := range steps {
		area += float64(s.negatives-before.negatives) * float64(s.positives+before.positives)
		before = s
		c.Threshold = append(c.Threshold, s.threshold)
		c.FalsePositive = append(c.FalsePositive, float64(s.negatives)/float64(negatives))
		c.TruePositive = append(c.TruePositive, float64(s.positives)/float64(positives))
	}
	c.AUC = area / 2 / float64(positives) / float64(negatives)
	return c, nil
}

// PRCurve is precision against recall. Point k calls all samples with a score of at
// least Threshold[k] positive; recall never falls from point to point.
type PRCurve struct {
	Threshold []float64 `json:"threshold"` // falling
	Recall    []float64 `json:"recall"`
	Precision []float64 `json:"precision"`
	// AveragePrecision is the sum of precision times gain in recall, without
	// interpolation between points.
	AveragePrecision float64 `json:"average_precision"`
}

// PrecisionRecall ranks by score (high means positive) and compares with the truth, of
// which at least one must be positive.
func PrecisionRecall(positive []bool, score []float64) (*PRCurve, error) {
	steps, positives, _, err := rank("PrecisionRecall", positive, score)
	if err != nil {
		return nil, err
	}
	c := &PRCurve{}
	found := 0
	for s := range steps {
		precision := float64(s.positives) / float64(s.positives+s.negatives)
		c.Threshold = append(c.Threshold, s.threshold)
		c.Recall = append(c.Recall, float64(s.positives)/float64(positives))
		c.Precision = append(c.Precision, precision)
		c.AveragePrecision += precision * float64(s.positives-found)
		found = s.positives
	}
	c.AveragePrecision /= float64(positives) // a perfect ranking has 1, to the last bit
	return c, nil
}

// RankingAreas are the areas under both curves, AUC and average precision, without the curves, which take many times the memory of the scores.
func RankingAreas(positive []bool, score []float64) (auc, precision float64, err error) {
	steps, positives, negatives, err := rank("RankingAreas", positive, score)
	if err != nil {
		return 0, 0, err
	}
	if negatives == 0 {
		return 0, 0, fmt.Errorf("score: RankingAreas: all %d samples are positive; both kinds are needed", positives)
	}
	before := step{}
	for s := range steps { // as ROC and PrecisionRecall do, to the last bit
		auc += float64(s.negatives-before.negatives) * float64(s.positives+before.positives)
		precision += float64(s.positives) / float64(s.positives+s.negatives) * float64(s.positives-before.positives)
		before = s
	}
	return auc / 2 / float64(positives) / float64(negatives), precision / float64(positives), nil
}

// step counts the samples with a score of at least threshold.
type step struct {
	threshold            float64
	positives, negatives int
}

// rank counts down the distinct scores. Infinite scores are allowed, NaN is not.
func rank(name string, positive []bool, score []float64) (steps iter.Seq[step], positives, negatives int, err error) {
	if err := checkLengths(name, len(positive), len(score)); err != nil {
		return nil, 0, 0, err
	}
	order := make([]int, len(score))
	for i, s := range score {
		if math.IsNaN(s) {
			return nil, 0, 0, fmt.Errorf("score: %s: score %d is NaN", name, i+1)
		}
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case score[a] > score[b]:
			return -1
		case score[a] < score[b]:
			return 1
		}
		return 0
	})
	for _, p := range positive {
		if p {
			positives++
		}
	}
	if negatives = len(positive) - positives; positives == 0 {
		return nil, 0, 0, fmt.Errorf("score: %s: none of %d samples is positive", name, negatives)
	}
	return func(yield func(step) bool) {
		at := step{}
		for k, i := range order {
			if positive[i] {
				at.positives++
			} else {
				at.negatives++
			}
			if k+1 == len(order) || score[order[k+1]] != score[i] {
				if at.threshold = score[i]; !yield(at) {
					return
				}
			}
		}
	}, positives, negatives, nil
}
