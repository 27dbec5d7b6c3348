package check

import (
	"math"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// A decimal mark that slipped leaves a trace beside the size: 6.8 among pulses of 68 and 72 is far out, and the only one that is no whole number.
// The two do not depend on each other among right values, so that their chances are multiplied.

const (
	// finerShare is the share of values that are finer than the column's step at most, and finerRows how many values tell of a step.
	finerShare, finerRows = 0.01, 100
)

// grid is the power of ten of which nearly all values of a column are multiples.
type grid struct {
	step  float64 // 0: none
	finer float64 // chance of a value that is none
}

// gridOfMost is the grid of nearly all values; that of all is gridOf's.
func gridOfMost(values []float64) grid {
	n := 0
	for _, v := range values {
		if v == v {
			n++
		}
	}
	if n < finerRows {
		return grid{}
	}
	for decimals := -6; decimals < 7; decimals++ {
		g, off := grid{step: math.Pow10(-decimals)}, 0
		for _, v := range values {
			if g.off(v) {
				off++
			}
		}
		if float64(off) <= finerShare*float64(n) {
			g.finer = float64(off+1) / float64(n+1)
			return g
		}
	}
	return grid{}
}

// off says that a value is none of the grid's.
func (g grid) off(v float64) bool {
	at := v / g.step
	return g.step > 0 && math.Abs(at-math.Round(at)) > 1e-6*max(1, math.Abs(at)*1e-6)
}

// learnGrids learns those of columns of numbers.
func (m *Model) learnGrids(v *view) {
	m.grids = make([]grid, len(m.features))
	for j, f := range m.features {
		if f.level < 0 && f.judged() && v.table.Columns[f.column].Kind == tolerant.Number {
			m.grids[j] = gridOfMost(v.sampled(f.column))
		}
	}
}

// finer is the chance that a cell is as fine as it is.
func (m *Model) finer(t *tolerant.Table, c *candidate) float64 {
	if g := m.grids[c.feature]; g.off(t.Columns[m.features[c.feature].column].Values[c.row]) {
		return g.finer
	}
	return 1
}
