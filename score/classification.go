package score

import "fmt"

// Accuracy is the share of labels that are right.
func Accuracy(truth, predicted []int) (float64, error) {
	if err := checkLengths("Accuracy", len(truth), len(predicted)); err != nil {
		return 0, err
	}
	right := 0
	for i, t := range truth {
		if predicted[i] == t {
			right++
		}
	}
	return float64(right) / float64(len(truth)), nil
}

// BalancedAccuracy is the mean, over the classes that occur in the truth, of the share of
// their samples that were given the right label: a rare class counts as much as a common
// one. Labels are counted from 0 and must be below classes; classes = 0 takes the largest
// label found.
func BalancedAccuracy(truth, predicted []int, classes int) (float64, error) {
	table, err := Confusion(truth, predicted, classes)
	if err != nil {
		return 0, err
	}
	return BalancedAccuracyOf(table), nil
}

// BalancedAccuracyOf is [BalancedAccuracy] of the counts of [Confusion].
func BalancedAccuracyOf(table [][]int) float64 {
	sum, present := 0.0, 0
	for k, row := range table {
		total := 0
		for _, n := range row {
			total += n
		}
		if total > 0 {
			sum += float64(row[k]) / float64(total)
			present++
		}
	}
	return sum / float64(present)
}

// Confusion counts: entry [i][j] is the number of samples of class i that were given
// label j. Labels are counted from 0 and must be below classes; classes = 0 takes the
// largest label found.
func Confusion(truth, predicted []int, classes int) ([][]int, error) {
	if err := checkLengths("Confusion", len(truth), len(predicted)); err != nil {
		return nil, err
	}
	if classes < 0 {
		return nil, fmt.Errorf("score: Confusion: %d classes", classes)
	}
	if classes == 0 {
		for i := range truth {
			classes = max(classes, truth[i]+1, predicted[i]+1)
		}
		// A table for labels that are far apart would be nearly empty and perhaps huge.
		if classes > 1000 && classes > 2*len(truth) {
			return nil, fmt.Errorf("score: Confusion: label %d for %d samples; number the classes from 0", classes-1, len(truth))
		}
	}
	for i := range truth {
		if t := truth[i]; t < 0 || t >= classes {
			return nil, fmt.Errorf("score: Confusion: true label %d of sample %d is not between 0 and %d", t, i+1, classes-1)
		}
		if p := predicted[i]; p < 0 || p >= classes {
			return nil, fmt.Errorf("score: Confusion: label %d of sample %d is not between 0 and %d", p, i+1, classes-1)
		}
	}
	table := make([][]int, classes)
	cells := make([]int, classes*classes)
	for i := range table {
		table[i] = cells[i*classes : (i+1)*classes]
	}
	for i, t := range truth {
		table[t][predicted[i]]++
	}
	return table, nil
}
