package belief

// A label is doubted by confident learning (Northcutt, Jiang and Chuang 2021): another class
// is about as probable for the row as it is for the rows that carry it as their label.
const (
	// confidenceSlack is how far below the mean probability of a class, over the rows with its
	// label, the probability of a row may be that is claimed by it.
	confidenceSlack = 0.1
	// leastConfidence is the smallest probability with which a class claims a row.
	leastConfidence = 0.5
	// chance: the probability of the label must be below what any label had by chance if so
	// large a share of the rows had a wrong one.
	chance = 1.0 / 3
	// pooledRows is how many rows of average confidence each class is given in addition.
	pooledRows = 3
)

// Rule tells probabilities and doubtful labels. It never changes.
type Rule struct {
	Curve
	Confidence []float64 // of each class: the probability from which on it claims rows
}

// Learn makes the rule from held-out scores, as [Fit] takes them.
func Learn(scores []float64, k int, labels []int, weights []float64) *Rule {
	r := &Rule{Curve: Fit(scores, k, labels, weights), Confidence: make([]float64, k)}
	sum, count := make([]float64, k), make([]float64, k)
	all, total := 0.0, 0.0
	q := make([]float64, k)
	for i, label := range labels {
		w := 1.0
		if weights != nil {
			w = weights[i]
		}
		copy(q, scores[i*k:(i+1)*k])
		if r.True(q); w == 0 || q[label] != q[label] {
			continue
		}
		sum[label] += w * q[label]
		count[label] += w
		all += w * q[label]
		total += w
	}
	for l := range sum {
		mean := 1.0
		if total > 0 {
			mean = (sum[l] + pooledRows*all/total) / (count[l] + pooledRows)
		}
		r.Confidence[l] = max(mean-confidenceSlack, leastConfidence)
	}
	return r
}

// Doubts tells whether the probabilities of a row's true class (see [Curve.True]) contradict its label.
func (r *Rule) Doubts(q []float64, label int) bool {
	best := 0
	for l, v := range q {
		if v > q[best] {
			best = l
		}
	}
	return best != label && q[best] >= r.Confidence[best] && q[label] < chance/float64(len(q)-1)
}

// Trust is the share of its vote that a row with these probabilities and this label keeps when
// scores are learned anew: all of it unless another class is at least twice as probable.
func Trust(q []float64, label int) float64 {
	most := 0.0
	for _, v := range q {
		most = max(most, v)
	}
	return min(1, 2*q[label]/max(most, 1e-300))
}
