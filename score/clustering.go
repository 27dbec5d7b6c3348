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
	return agreementOf(truth, predicted).MatchedAccuracy()
}

// MatchedAccuracy is [MatchedAccuracy] of all rows counted.
func (a *Agreement) MatchedAccuracy() (float64, error) {
	counts := a.table()
	counts.Scale(-1, counts)
	_, total, err := Assign(counts)
	if err != nil {
		return 0, err
	}
	return -total / float64(a.rows), nil
}

// NMISqrt is the mutual information of two clusterings over sqrt(H*H'), the geometric
// mean of their entropies: eq. (35) of the KMPE paper.
func NMISqrt(truth, predicted []int) (float64, error) {
	if err := checkLengths("NMISqrt", len(truth), len(predicted)); err != nil {
		return 0, err
	}
	return agreementOf(truth, predicted).NMISqrt(), nil
}

// NMISqrt is [NMISqrt] of all rows counted.
func (a *Agreement) NMISqrt() float64 {
	return a.information(func(a, b float64) float64 { return math.Sqrt(a) * math.Sqrt(b) })
}

// NMIMean is the mutual information of two clusterings over (H+H')/2, the arithmetic
// mean of their entropies: eq. (34) of the corr-tensor paper. It never exceeds NMISqrt.
func NMIMean(truth, predicted []int) (float64, error) {
	if err := checkLengths("NMIMean", len(truth), len(predicted)); err != nil {
		return 0, err
	}
	return agreementOf(truth, predicted).NMIMean(), nil
}

// NMIMean is [NMIMean] of all rows counted.
func (a *Agreement) NMIMean() float64 {
	return a.information(func(a, b float64) float64 { return (a + b) / 2 })
}

// information is normalised: 1 when both put everything into one cluster and 0 when only
// one does.
func (a *Agreement) information(mean func(a, b float64) float64) float64 {
	counts := a.table()
	classes, clusters := counts.Dims()
	if classes == 1 && clusters == 1 {
		return 1
	}
	if classes == 1 || clusters == 1 {
		return 0
	}
	n := float64(a.rows)
	rows, columns := margins(counts)
	var information float64
	for i := range rows {
		for j := range columns {
			if c := counts.At(i, j); c > 0 {
				information += c / n * math.Log(c*n/rows[i]/columns[j])
			}
		}
	}
	return min(max(information/mean(entropy(rows, n), entropy(columns, n)), 0), 1)
}

// ARI is the adjusted Rand index of Hubert and Arabie: 1 for the same clustering, 0 on
// average for independent ones, negative for worse.
func ARI(truth, predicted []int) (float64, error) {
	if err := checkLengths("ARI", len(truth), len(predicted)); err != nil {
		return 0, err
	}
	return agreementOf(truth, predicted).ARI(), nil
}

// ARI is [ARI] of all rows counted.
func (a *Agreement) ARI() float64 {
	counts := a.table()
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
	all := pairs(float64(a.rows))
	if inTruth == inResult && (inTruth == 0 || inTruth == all) {
		return 1 // all samples alone, or all together, in both
	}
	expected := inTruth / all * inResult
	return (both - expected) / ((inTruth+inResult)/2 - expected)
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

// Agreement counts how often each pair of labels occurs, row by row; labels are numbered in the
// order in which they occur.
type Agreement struct {
	rows              int
	classes, clusters map[int]int
	counts            map[[2]int]float64
}

func agreementOf(truth, predicted []int) *Agreement {
	a := new(Agreement)
	a.Add(truth, predicted)
	return a
}

// Add counts further rows, of which there are as many in both lists.
func (a *Agreement) Add(truth, predicted []int) {
	if a.counts == nil {
		a.classes, a.clusters, a.counts = map[int]int{}, map[int]int{}, map[[2]int]float64{}
	}
	number := func(index map[int]int, label int) int {
		k, ok := index[label]
		if !ok {
			k = len(index)
			index[label] = k
		}
		return k
	}
	a.rows += len(truth)
	for i, t := range truth {
		a.counts[[2]int{number(a.classes, t), number(a.clusters, predicted[i])}]++
	}
}

func (a *Agreement) table() *mat.Dense {
	counts := mat.NewDense(len(a.classes), len(a.clusters), nil)
	for at, n := range a.counts {
		counts.Set(at[0], at[1], n)
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
