package classify

import (
	"github.com/inlier-ml/inlier/kernel"
	"github.com/inlier-ml/inlier/linalg"
)

// curvature tells which of the second derivatives of a row's loss by its scores there are.
type curvature int

const (
	equal    curvature = iota // the same for every class, and none between them
	single                    // one for each class
	together                  // between classes too
)

// form is the loss of a row with its derivatives by the scores, k and k x k, of which the upper part is read.
type form struct {
	curvature curvature
	row       func(f []float64, label int, slope, bend []float64) float64
}

// inBlocks tells whether Newton's equations of a machine fit into so many numbers, several sums of them beside each other.
func inBlocks(m machine, p, k, room int) bool {
	unknown := p * k
	switch m := m.(type) {
	case Square:
		unknown = p
	case Logistic:
	case Hinge:
		if !m.squared(kernel.Linear) {
			return false
		}
	case RegMaxCEM:
		if m.Variant == AsPrinted || m.Rule == SigmaPaper {
			return false
		}
	default:
		return false
	}
	const little = 1 << 18 // numbers that do not matter
	return unknown <= max(room, little)/unknown/(2*linalg.Threads()+2)
}

// formOf is the loss of a machine as its model has it, so many classes being there, others absent, and how often the penalty counts.
func formOf(m machine, model *Model, present int, absent []bool) (form, float64) {
	switch m := m.(type) {
	case Logistic:
		if model.parts.Joint {
			return form{together, func(f []float64, label int, slope, bend []float64) float64 {
				return jointLogistic(f, label, absent, slope, bend)
			}}, 1
		}
		one := oneByOne(func(y, f float64) (value, slope, bend float64) {
			miss := sigmoid(-y * f)
			return softplus(-y * f), -y * miss, max(miss*(1-miss), leastCurvature)
		})
		return form{single, func(f []float64, label int, slope, bend []float64) float64 {
			value := one(f, label, slope, bend)
			for l, none := range absent { // its likelihood has no maximum: it stays where the sample has placed it
				if none {
					slope[l] = 0
				}
			}
			return value
		}}, 1
	case Hinge:
		return form{single, oneByOne(func(y, f float64) (value, slope, bend float64) {
			if y*f >= 1 {
				return 0, 0, 0
			}
			return (y - f) * (y - f), -2 * (y - f), 2
		})}, 1
	case RegMaxCEM:
		return m.formOf(model, present, absent)
	}
	return form{equal, oneByOne(func(y, f float64) (value, slope, bend float64) { return (y - f) * (y - f), -2 * (y - f), 2 })}, 1
}

// oneByOne is the form of losses of single scores.
func oneByOne(of func(y, f float64) (value, slope, bend float64)) func(f []float64, label int, slope, bend []float64) float64 {
	return func(f []float64, label int, slope, bend []float64) float64 {
		sum := 0.0
		for l, v := range f {
			y := -1.0
			if l == label {
				y = 1
			}
			value, first, second := of(y, v)
			sum += value
			slope[l], bend[l*len(f)+l] = first, second
		}
		return sum
	}
}

// jointLogistic is the loss -log p of a label.
func jointLogistic(f []float64, label int, absent []bool, slope, bend []float64) float64 {
	k := len(f)
	softmax(slope, f, absent)
	for l := range k {
		for m := l; m < k; m++ {
			bend[l*k+m] = -slope[l] * slope[m]
		}
		bend[l*k+l] += slope[l]
	}
	slope[label]--
	return logSum(f, absent) - f[label]
}

// formOf is the loss of the misses. With s a square that a row misses by, of derivatives s' and s”, it is rho(s), of derivatives
// rho' s' and rho' s” + rho” s' s'.
func (m RegMaxCEM) formOf(model *Model, present int, absent []bool) (form, float64) {
	l := model.loss
	c := l.Slope()
	outer := func(s float64) (value, first, second float64) {
		step := 1e-4 * max(s, 1e-2)
		return l.Rho(s), c * l.Weight(s), c * (l.Weight(s+step) - l.Weight(max(s-step, 0))) / (step + min(s, step))
	}
	if model.parts.Joint {
		times := 2 * c
		if present == 2 {
			times *= 2
		}
		return form{together, func(f []float64, label int, slope, bend []float64) float64 {
			s := max(2*jointLogistic(f, label, absent, slope, bend), 0)
			return chained(outer, s, 2, slope, bend)
		}}, times
	}
	if m.Variant == PerElement {
		return form{single, oneByOne(func(y, f float64) (float64, float64, float64) {
			e := y - f
			value, first, second := outer(e * e)
			return value, -2 * first * e, 2*first + 4*second*e*e
		})}, c
	}
	one := oneByOne(func(y, f float64) (value, slope, bend float64) {
		if !m.TwoSided && y*f >= 1 {
			return 0, 0, 0
		}
		return (y - f) * (y - f), -2 * (y - f), 2
	})
	return form{together, func(f []float64, label int, slope, bend []float64) float64 {
		return chained(outer, one(f, label, slope, bend), 1, slope, bend)
	}}, c
}

// chained makes of the derivatives of s/times those of rho(s).
func chained(outer func(s float64) (value, first, second float64), s, times float64, slope, bend []float64) float64 {
	k := len(slope)
	value, first, second := outer(s)
	for l := range k {
		for m := l; m < k; m++ {
			bend[l*k+m] = first*times*bend[l*k+m] + second*times*times*slope[l]*slope[m]
		}
	}
	for l := range slope {
		slope[l] *= first * times
	}
	return value
}
