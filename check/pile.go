package check

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/inlier-ml/inlier/internal/univariate"
)

// pile is a value that a good part of a column's rows have (no rain, no discount). The others lie as far from it as
// they do from each other on the scale of logarithms: a scale that counts the pile is too narrow for them.
type pile struct {
	at             float64 // NaN: there is none
	middle, spread float64 // of the logarithms of the others' distances from it
	freedom        float64
	least, most    float64 // of the others; a value on a side of the pile where nobody is has no company
}

// pileShare is the share of the rows that makes a pile, and pileOthers how many others tell how they lie.
const pileShare, pileOthers = 0.3, 8

// pileOf looks for the pile of a column among the rows that were learned from.
func (m *Model) pileOf(column int) pile {
	values := pick(m.view.table.Columns[column].Values, m.view.sample)
	d := describe(values)
	p := pile{at: math.NaN()}
	if !(d.modeShare >= pileShare) {
		return p
	}
	p.least, p.most = quantile(sortedValues(values), 0.005), quantile(sortedValues(values), 0.995)
	away := values[:0]
	for _, v := range values {
		if v == v && v != d.mode && !math.IsInf(v, 0) {
			away = append(away, math.Log(math.Abs(v-d.mode)))
		}
	}
	if len(away) < pileOthers {
		return p
	}
	p.freedom = max(2, float64(len(away))/8)
	p.middle, p.spread = univariate.Deviation(away)
	if p.spread > 0 {
		p.at = d.mode
	}
	return p
}

// p is the chance that a value beside the pile lies so far from it; 0 where nothing can be said.
func (p pile) p(x float64) float64 {
	if !(x != p.at) || p.at != p.at || sentinel(x) || x < p.at && p.least == p.at || x > p.at && p.most == p.at {
		return 0
	}
	z := (math.Log(math.Abs(x-p.at)) - p.middle) / p.spread
	return distuv.StudentsT{Sigma: 1, Nu: p.freedom}.Survival(z)
}
