package nearest

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/internal/univariate"
	"github.com/inlier-ml/inlier/linalg"
)

// Eq. (30) of corr-tensor measures how alike a core M and a center C are by
// exp(-lambda sqrt(|M - C|^alpha)), lambda = beta^-alpha, of matrices. Read of their norm, it
// ranks classes as the norm does. Read number by number, as a program for arrays computes it, and
// added up, it does not: few numbers far off cost no more than a little each.

// similarity is the mean over the columns of exp(-(sqrt|x - c|/beta)^alpha). room has one
// number per column.
func (m *Model) similarity(row, center, room []float64) float64 {
	m.exponents(row, center, room)
	linalg.Exp(room, room)
	sum := 0.0
	for _, v := range room {
		sum += v
	}
	return sum / float64(len(row))
}

// unlikeness is one less the similarity, to all digits also where that is 1 but for rounding.
func (m *Model) unlikeness(row, center, room []float64) float64 {
	m.exponents(row, center, room)
	sum := 0.0
	for _, v := range room {
		sum -= math.Expm1(v)
	}
	return sum / float64(len(row))
}

// exponents are -(sqrt|x - c|/beta)^alpha.
func (m *Model) exponents(row, center, room []float64) {
	unit, power := 1/m.beta/m.beta, m.alpha/2
	for j, v := range row {
		t := math.Abs(v-center[j]) * unit
		switch power { // the powers of whole alphas need no logarithm
		case 0.5:
			t = math.Sqrt(t)
		case 1:
		case 1.5:
			t *= math.Sqrt(t)
		case 2:
			t *= t
		case 2.5:
			t *= t * math.Sqrt(t)
		default:
			t = math.Pow(t, power)
		}
		room[j] = -math.Min(t, 800) // beyond there is nothing left
	}
}

// alike is the similarity from which classes are told apart by how unlike a row is to them: a wide
// bandwidth leaves no other digits.
const alike = 1 - 1e-6

// mostSimilar is the class that a scaled row is most similar to, the first of equals; false
// where it is similar to none, and the nearest has to do.
func (m *Model) mostSimilar(row, room []float64) (class int, similar bool) {
	most := 0.0
	for c := range m.scaled.RawMatrix().Rows {
		if s := m.similarity(row, m.scaled.RawRowView(c), room); s > most {
			class, most = c, s
		}
	}
	if most > alike {
		least := math.Inf(1)
		for c := range m.scaled.RawMatrix().Rows {
			if u := m.unlikeness(row, m.scaled.RawRowView(c), room); u < least {
				class, least = c, u
			}
		}
	}
	return class, most > 1e-300
}

// similarities are those of scaled rows with every class.
func (m *Model) similarities(x *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	k, _ := m.scaled.Dims()
	out := mat.NewDense(n, k, nil)
	linalg.Parallel(n, func(i int) {
		room := make([]float64, d)
		for c := range k {
			out.Set(i, c, m.similarity(x.RawRowView(i), m.scaled.RawRowView(c), room))
		}
	})
	return out
}

// labelsOf are the classes of scaled rows with these distances, -1 where there is no distance.
func (m *Model) labelsOf(x, distance *mat.Dense) []int {
	labels := closest(distance)
	if !m.elementwise {
		return labels
	}
	_, d := x.Dims()
	linalg.Parallel(len(labels), func(i int) {
		if labels[i] < 0 {
			return
		}
		if k, similar := m.mostSimilar(x.RawRowView(i), make([]float64, d)); similar {
			labels[i] = k
		}
	})
	return labels
}

// elementBandwidth makes the typical difference of a number from its center exp(-1) alike.
func elementBandwidth(squared, weights []float64, columns int) float64 {
	middle := univariate.WeightedMedian(squared, weights)
	beta := math.Pow(math.Min(middle, math.MaxFloat64)/float64(columns), 0.25)
	if !(beta > 0) { // most rows lie in the center
		return 1
	}
	return beta
}
