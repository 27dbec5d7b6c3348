package univariate

// Shrink moves numbers, each known up to the given variance, towards their mean as far as they
// differ by no more than chance, after James and Stein: what few rows tell of groups that are
// alike is better told by all groups together, and groups that are unlike stay as they are.
func Shrink(x []float64, variance float64) {
	mean, sum := 0.0, 0.0
	for i, v := range x {
		mean += (v - mean) / float64(i+1)
	}
	for _, v := range x {
		sum += (v - mean) * (v - mean)
	}
	keep := 0.0
	if chance := float64(len(x)-1) * variance; sum > chance {
		keep = 1 - chance/sum
	}
	for i, v := range x {
		x[i] = mean + keep*(v-mean)
	}
}
