// Package score measures results: errors of predictions, agreement of labels and
// clusterings, curves of a ranking, closeness of subspaces, and whether two methods
// really differ.
//
// Every function takes the truth first and the result second, changes neither, and gives
// an error instead of a number that means nothing: lists of different length, empty
// ones, numbers that are not finite, or one class where two are needed.
//
//   - Regression: [RMSE], [MAE], [MedianAE], [TrimmedRMSE], [R2].
//   - Classification: [Accuracy], [Confusion], and for probabilities [LogLoss], [Brier].
//   - Rankings, such as outlier scores against known outliers: [ROC], [PrecisionRecall].
//   - Clusterings: [MatchedAccuracy], [NMISqrt], [NMIMean], [ARI].
//   - Subspaces: [LargestAngle], [PrincipalAngles], [ProjectorDistance].
//   - Reconstructions: [ReconstructionError], [SquaredReconstructionError].
//   - Comparisons over repeats: [PairedT].
package score

import (
	"fmt"
	"math"
)

// checkNumbers makes sure that two lists can be compared entry by entry.
func checkNumbers(name string, truth, result []float64) error {
	return checkNumbersAfter(name, 0, truth, result)
}

// checkNumbersAfter is checkNumbers of entries after so many others.
func checkNumbersAfter(name string, before int, truth, result []float64) error {
	if err := checkLengths(name, len(truth), len(result)); err != nil {
		return err
	}
	for i := range truth {
		if !finite(truth[i]) {
			return fmt.Errorf("score: %s: true value %d is %v", name, before+i+1, truth[i])
		}
		if !finite(result[i]) {
			return fmt.Errorf("score: %s: value %d is %v", name, before+i+1, result[i])
		}
	}
	return nil
}

func checkLengths(name string, truth, result int) error {
	if truth != result {
		return fmt.Errorf("score: %s: %d true values but %d results", name, truth, result)
	}
	if truth == 0 {
		return fmt.Errorf("score: %s: nothing to compare, both lists are empty", name)
	}
	return nil
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
