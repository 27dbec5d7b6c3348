package check

import (
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// stillRows is the shortest stretch of which another series can tell that it is no mistake.
const stillRows = 5

// still is a stretch in which a column repeats a value.
type still struct {
	stretch
	column int
}

// standing are the stretches of stuck cells in which another series is at nought and neither before nor behind: a car that stands does not
// change its place.
func standing(t *tolerant.Table, series []int, cells []Suspicion) (rest []still) {
	var stills []still
	for _, s := range cells {
		if k := len(stills) - 1; k >= 0 && stills[k].column == s.Column && stills[k].end == s.Row {
			stills[k].end++
		} else {
			stills = append(stills, still{stretch{s.Row, s.Row + 1}, s.Column})
		}
	}
	for _, s := range stills {
		if slices.ContainsFunc(series, func(z int) bool { return z != s.column && atNought(t.Columns[z].Values, s.stretch) }) {
			rest = append(rest, s)
		}
	}
	return rest
}

// moving are the cells but for those of columns that stand, or are at nought, in such stretches.
func moving(t *tolerant.Table, rest []still, cells []Suspicion) []Suspicion {
	of := map[int][]still{}
	for _, s := range rest {
		for row := s.first; row < s.end; row++ {
			of[row] = append(of[row], s)
		}
	}
	return slices.DeleteFunc(cells, func(c Suspicion) bool {
		return slices.ContainsFunc(of[c.Row], func(s still) bool { return s.column == c.Column || t.Columns[c.Column].Values[c.Row] == 0 })
	})
}

// atNought says that a series is 0 in a stretch, but for up to three rows at either end, and not before and behind it, nor most of the time.
func atNought(values []float64, s stretch) bool {
	if s.end-s.first < stillRows {
		return false
	}
	from, to := s.first+min(3, (s.end-s.first)/stillRows), s.end-min(3, (s.end-s.first)/stillRows)
	for _, v := range values[from:to] {
		if v != 0 {
			return false
		}
	}
	other := func(from, to int) bool {
		for _, v := range values[max(from, 0):min(to, len(values))] {
			if v == v && v != 0 {
				return true
			}
		}
		return false
	}
	return other(s.first-3, from) && other(to, s.end+3) && !rests(values)
}
