package univariate

import "math"

// Shrink moves numbers, each known up to a variance of its own, towards their common mean as far
// as they differ by no more than chance, after James and Stein: what few rows tell of groups that
// are alike is better told by all groups together. A number that is known well stays where it is
// whatever is known of the others, and groups that are unlike stay as they are. How far the groups
// truly differ is the variance that, added to those of the numbers, explains their differences
// (Paule and Mandel 1982). With equal variances the numbers keep 1 - (k-1) variance/sum of their
// differences from the mean, sum being that of the squared differences.
func Shrink(x, variance []float64) {
	if len(x) < 2 {
		return
	}
	between := 0.0
	if differ(x, variance, 0) > 0 {
		high := 0.0
		for _, v := range x {
			high = max(high, (v-x[0])*(v-x[0]))
		}
		for high *= float64(len(x)); differ(x, variance, high) > 0; {
			high *= 2
		}
		for low, steps := 0.0, 0; steps < 200; steps++ { // differences fall as the variance grows
			if between = low + (high-low)/2; between <= low || between >= high {
				break
			}
			if differ(x, variance, between) > 0 {
				low = between
			} else {
				high = between
			}
		}
	}
	mean := meanWithin(x, variance, between)
	for i, v := range x {
		keep := 0.0
		if between > 0 {
			keep = between / (between + variance[i])
		}
		x[i] = mean + keep*(v-mean)
	}
}

// differ is by how much numbers differ more than chance and a variance between them make them:
// their squared differences from the mean, over their variances, less what is expected.
func differ(x, variance []float64, between float64) float64 {
	mean, sum := meanWithin(x, variance, between), 0.0
	for i, v := range x {
		if v != mean {
			sum += (v - mean) * (v - mean) / (variance[i] + between)
		}
	}
	return sum - float64(len(x)-1)
}

// meanWithin is the mean of numbers that count the more the better they are known.
func meanWithin(x, variance []float64, between float64) float64 {
	least := math.Inf(1)
	for _, v := range variance {
		least = min(least, v)
	}
	mean, total := 0.0, 0.0
	for i, v := range x {
		share := 1.0
		if of := variance[i] + between; of > 0 {
			share = (least + between) / of
		}
		total += share
		mean += (v - mean) * share / total
	}
	return mean
}
