package belief

import "math"

// farStanding bounds the logarithms of probabilities, so that differences are numbers.
const farStanding = 1e300

// mostMixedClasses is the most classes whose scores are mixed.
const mostMixedClasses = 16

// standing is the logarithm of the probability of a class, but for a constant.
func (c *Curve) standing(l int, scores []float64) float64 {
	sum := c.Shift[l]
	if c.Slope != 0 {
		sum += c.Slope * scores[l]
	}
	if c.Mix != nil {
		for m, a := range c.Mix[l*len(scores) : (l+1)*len(scores)] { // none so large that infinities could meet
			sum = bounded(sum) + bounded(a*scores[m])
		}
	}
	return bounded(sum)
}

func bounded(v float64) float64 { return min(max(v, -farStanding), farStanding) }

// Best is the most probable class, the first of equals.
func (c *Curve) Best(scores []float64) int {
	best, most := 0, math.Inf(-1)
	for l := range scores {
		if v := c.standing(l, scores); v > most {
			best, most = l, v
		}
	}
	return best
}

// Margin is how far the score of a class is above the best other, each with what its probability has beside it in units
// of scores: negative exactly where another class is more probable.
func (c *Curve) Margin(scores []float64, label int) float64 {
	other := math.Inf(-1)
	for l := range scores {
		if l != label {
			other = max(other, c.standing(l, scores))
		}
	}
	margin := c.standing(label, scores) - other
	if c.Slope > 0 {
		margin = min(max(margin/c.Slope, -math.MaxFloat64), math.MaxFloat64)
	}
	return margin
}

// Probabilities turns the scores of a row into probabilities of the classes. They rank as those
// of [Curve.True] do, of which Spread is spread over all classes.
func (c *Curve) Probabilities(row []float64) {
	c.True(row)
	for l, q := range row {
		row[l] = (1-c.Spread)*q + c.Spread/float64(len(row))
	}
}

// asLabelled is the Spread by which probabilities are those of labels, wrong ones included: any of the others is
// as probable as [Curve.Wrong] says.
func (c *Curve) asLabelled() float64 {
	if len(c.Shift) < 2 {
		return 0
	}
	return min(c.Wrong*float64(len(c.Shift))/float64(len(c.Shift)-1), 1)
}

// True turns the scores of a row into probabilities of being its true class.
func (c *Curve) True(row []float64) {
	scores := row
	var copied [mostMixedClasses]float64
	if c.Mix != nil {
		scores = copied[:copy(copied[:], row)]
	}
	most := math.Inf(-1)
	for l := range row {
		row[l] = c.standing(l, scores)
		most = max(most, row[l])
	}
	sum := 0.0
	for l, v := range row {
		row[l] = math.Exp(v - most)
		sum += row[l]
	}
	for l := range row {
		row[l] /= sum
	}
}

// given is the probability of a label for a row whose true class is l.
func (c *Curve) given(l, label int) float64 {
	if c.turned != nil {
		return c.turned[l*len(c.Flips)+label]
	}
	if l == label {
		return 1 - c.Flips[l]
	}
	return c.Flips[l] / float64(len(c.Flips)-1)
}

// observed is the probability of a label for a row with these probabilities of the classes.
func (c *Curve) observed(q []float64, label int) float64 {
	sum := 0.0
	for l, v := range q {
		sum += v * c.given(l, label)
	}
	return sum
}
