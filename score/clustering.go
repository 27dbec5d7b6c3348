package score

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// MatchedAccuracy is the accuracy of a clustering after its labels were matched to the
// classes in the best way (Kuhn-Munkres), eq. (33) of the corr-tensor paper. There may be
// more clusters than classes or fewer: what has no partner counts as wrong. Labels may be
// any integers.
func MatchedAccuracy(truth, predicted []int) (float64, error) {
	if err := checkLengths("MatchedAccuracy", len(truth), len(predicted)); err != nil {
		return 0, err
	}
	counts := contingency(truth, predicted)
	counts.Scale(-1, counts)
	_, total, err := Assign(counts)
	if err != nil {
		return 0, err
	}
	return -total / float64(len(truth)), nil
}

// NMISqrt is the mutual information of two clusterings over sqrt(H*H'), the geometric
// mean of their entropies: eq. (35) of the KMPE paper.
func NMISqrt(truth, predicted []int) (float64, error) {
	return normalisedInformation("NMISqrt", truth, predicted, func(a, b float64) float64 { return math.Sqrt(a) * math.Sqrt(b) })
}

// NMIMean is the mutual information of two clusterings over (H+H')/2, the arithmetic
// mean of their entropies: eq. (34) of the corr-tensor paper. It never exceeds NMISqrt.
func NMIMean(truth, predicted []int) (float64, error) {
	return normalisedInformation("NMIMean", truth, predicted, func(a, b float64) float64 { return (a + b) / 2 })
}

// normalisedInformation is 1 when both put everything into one cluster and 0 when only
// one does.
func normalisedInformation(name string, truth, predicted []int, mean func(a, b float64) float64) (float64, error) {
	if err := checkLengths(name, len(truth), len(predicted)); err != nil {
		return 0, err
	}
	counts := contingency(truth, predicted)
	classes, clusters := counts.Dims()
	if classes == 1 && clusters == 1 {
		return 1, nil
	}
	if classes == 1 || clusters == 1 {
		return 0, nil
	}
	n := float64(len(truth))
	rows, columns := margins(counts)
	var information float64
	for i := range rows {
		for j := range columns {
			if c := counts.At(i, j); c > 0 {
				information += c / n * math.Log(c*n/rows[i]/columns[j])
			}
		}
	}
	return min(max(information/mean(entropy(rows, n), entropy(columns, n)), 0), 1), nil
}

// ARI is the adjusted Rand index of Hubert and Arabie: 1 for the same clustering, 0 on
// average for independent ones, negative for worse.
func ARI(truth, predicted []int) (float64, error) {
	if err := checkLengths("ARI", len(truth), len(predicted)); err != nil {
		return 0, err
	}
	counts := contingency(truth, predicted)
	rows, columns := margins(counts)
	var both, inTruth, inResult float64
	for i := range rows {
		for j := range columns {
			both += pairs(counts.At(i, j))
		}
		inTruth += pairs(rows[i])
	}
	for _, c := range columns {
		inResult += pairs(c)
	}
	all := pairs(float64(len(truth)))
	if inTruth == inResult && (inTruth == 0 || inTruth == all) {
		return 1, nil // all samples alone, or all together, in both
	}
	expected := inTruth / all * inResult
	return (both - expected) / ((inTruth+inResult)/2 - expected), nil
}

func pairs(n float64) float64 { return n * (n - 1) / 2 }

func entropy(counts []float64, n float64) float64 {
	var h float64
	for _, c := range counts {
		if c > 0 {
			h -= c / n * math.Log(c/n)
		}
	}
	return h
}

// contingency counts how often each pair of labels occurs; labels are numbered in the
// order in which they occur.
func contingency(truth, predicted []int) *mat.Dense {
	number := func(labels []int) ([]int, int) {
		index := map[int]int{}
		out := make([]int, len(labels))
		for i, l := range labels {
			k, ok := index[l]
			if !ok {
				k = len(index)
				index[l] = k
			}
			out[i] = k
		}
		return out, len(index)
	}
	t, classes := number(truth)
	p, clusters := number(predicted)
	counts := mat.NewDense(classes, clusters, nil)
	for i := range t {
		counts.Set(t[i], p[i], counts.At(t[i], p[i])+1)
	}
	return counts
}

func margins(counts *mat.Dense) (rows, columns []float64) {
	n, m := counts.Dims()
	rows, columns = make([]float64, n), make([]float64, m)
	for i := range rows {
		for j, c := range counts.RawRowView(i) {
			rows[i] += c
			columns[j] += c
		}
	}
	return rows, columns
}
