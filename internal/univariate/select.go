package univariate

import "slices"

// Select returns the value that would stand at place k (from 0) if x were sorted, by
// Hoare's selection: in linear time on average. The slice is reordered so that it stands
// there, none larger before it and none smaller behind.
func Select(x []float64, k int) float64 {
	low, high := 0, len(x)-1
	for low < high {
		pivot := middle(x[low], x[low+(high-low)/2], x[high])
		i, j := low, high
		for i <= j {
			for x[i] < pivot {
				i++
			}
			for x[j] > pivot {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			high = j
		case k >= i:
			low = i
		default:
			return x[k]
		}
	}
	return x[k]
}

// middle is the middle one of three numbers.
func middle(a, b, c float64) float64 {
	return max(min(a, b), min(max(a, b), c))
}

// Smallest returns the indices of the h smallest values, 1 <= h <= len(x), in ascending
// order of index; ties go to the lower index.
func Smallest(x []float64, h int) []int {
	limit := Select(slices.Clone(x), h-1)
	ties := h
	for _, v := range x {
		if v < limit {
			ties--
		}
	}
	out := make([]int, 0, h)
	for i, v := range x {
		if v < limit {
			out = append(out, i)
		} else if v == limit && ties > 0 {
			out = append(out, i)
			ties--
		}
	}
	return out
}
