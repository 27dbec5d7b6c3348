package score

import (
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// RMSE is the root of the mean squared error.
func RMSE(truth, predicted []float64) (float64, error) {
	if err := checkNumbers("RMSE", truth, predicted); err != nil {
		return 0, err
	}
	return rootMeanSquare(absoluteErrors(truth, predicted)), nil
}

// MAE is the mean absolute error.
func MAE(truth, predicted []float64) (float64, error) {
	if err := checkNumbers("MAE", truth, predicted); err != nil {
		return 0, err
	}
	var sum float64
	for _, e := range absoluteErrors(truth, predicted) {
		sum += e / float64(len(truth))
	}
	return sum, nil
}

// MedianAE is the median absolute error: half of the test rows may be outliers.
func MedianAE(truth, predicted []float64) (float64, error) {
	if err := checkNumbers("MedianAE", truth, predicted); err != nil {
		return 0, err
	}
	return univariate.Median(absoluteErrors(truth, predicted)), nil
}

// TrimmedRMSE is the RMSE without the given share of rows that have the largest errors,
// 0 <= share < 1; floor(share*n) rows are left out. It suits test rows that are dirty
// themselves.
func TrimmedRMSE(truth, predicted []float64, share float64) (float64, error) {
	if err := checkNumbers("TrimmedRMSE", truth, predicted); err != nil {
		return 0, err
	}
	if !(share >= 0 && share < 1) {
		return 0, fmt.Errorf("score: TrimmedRMSE: share %v of rows to leave out must be at least 0 and below 1", share)
	}
	e := absoluteErrors(truth, predicted)
	slices.Sort(e)
	// The small addition keeps 1/3 of 6 rows at 2 rows whatever the rounding.
	leave := int(share*float64(len(e)) + 1e-9)
	return rootMeanSquare(e[:len(e)-min(leave, len(e)-1)]), nil
}

// R2 is one minus the squared error over that of the mean: 1 is perfect, 0 no better
// than the mean, and negative values are worse. A constant truth, up to rounding, has no
// variance to explain: R2 is then 1 for predictions that meet it, up to rounding as well,
// and 0 for others, as in scikit-learn.
func R2(truth, predicted []float64) (float64, error) {
	if err := checkNumbers("R2", truth, predicted); err != nil {
		return 0, err
	}
	// In units of the largest number nothing overflows, and about the first value the mean
	// of equal ones is exact.
	n := float64(len(truth))
	top := 0.0
	for i, t := range truth {
		top = max(top, math.Abs(t), math.Abs(predicted[i]))
	}
	if top == 0 {
		return 1, nil
	}
	first := truth[0] / top
	var shift, size float64
	for _, t := range truth {
		shift += (t/top - first) / n
		size = max(size, math.Abs(t))
	}
	deviations, errors := make([]float64, len(truth)), make([]float64, len(truth))
	for i, t := range truth {
		deviations[i] = math.Abs((t/top - first) - shift)
		errors[i] = math.Abs(t/top - predicted[i]/top)
	}
	const rounding = 0x1p-50
	if slices.Max(deviations) <= rounding*(size/top) {
		if slices.Max(errors) <= rounding*(size/top) {
			return 1, nil
		}
		return 0, nil
	}
	ratio := rootMeanSquare(errors) / rootMeanSquare(deviations)
	return max(1-ratio*ratio, -math.MaxFloat64), nil
}

func absoluteErrors(truth, predicted []float64) []float64 {
	out := make([]float64, len(truth))
	for i, t := range truth {
		out[i] = math.Abs(t - predicted[i])
	}
	return out
}

// rootMeanSquare does not overflow for numbers whose squares would.
func rootMeanSquare(e []float64) float64 {
	top := slices.Max(e)
	if top == 0 || math.IsInf(top, 1) {
		return top
	}
	var sum float64
	for _, v := range e {
		sum += (v / top) * (v / top)
	}
	return top * math.Sqrt(sum/float64(len(e)))
}
