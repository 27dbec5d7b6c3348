package check

import (
	"slices"
	"sort"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
)

const (
	// toldFewest rows of a word tell where a series is with it; toldOwn is the share of them that may lie in the stretch in question, and
	// toldShare that of those which are where it is rather than where it was expected.
	toldFewest, toldOwn, toldShare = 10, 1.0 / 3, 0.9
)

// spoken is a column that tells where a series is: by word (the state of a machine, a value that comes again and again such as a speed of 0)
// the sorted values of the series in the rows that have it.
type spoken struct {
	column int
	values map[float64][]float64
}

// untold are the cells of stretches but for those that a word of their row explains: with it the series is there elsewhere too. A
// machine that idles or has a fault takes less power, whatever its other channels promise.
func (m *modes) untold(cells []Suspicion) []Suspicion {
	kept := make([]Suspicion, 0, len(cells))
	for from := 0; from < len(cells); {
		c, to := cells[from].Column, from+1
		for to < len(cells) && cells[to].Column == c && cells[to].Row <= cells[to-1].Row+2 {
			to++
		}
		if _, known := m.told[c]; !known {
			m.told[c] = m.words(c)
		}
		if m.ownKind(stretch{cells[from].Row, cells[to-1].Row + 1}) {
			from = to
			continue
		}
		for _, s := range cells[from:to] {
			if !m.explained(s, cells[from:to], m.told[c]) {
				kept = append(kept, s)
			}
		}
		from = to
	}
	return kept
}

const (
	// kindLevels are the words of a column at most of which one may tell a kind of rows that comes in one stretch, and onceFewest its rows.
	kindLevels, onceFewest = 20, 30
)

// ownKind says that a stretch is all rows of a word and has hardly others: a product that a machine made once only. Nothing says where a
// series is with it.
func (m *modes) ownKind(s stretch) bool {
	for k := range m.table.Columns {
		c := &m.table.Columns[k]
		if c.Kind != tolerant.Category || len(c.Levels) > kindLevels || len(c.Values) != m.table.Rows || s.end-s.first < onceFewest {
			continue
		}
		word, within, all := c.Values[(s.first+s.end)/2], 0, 0
		for row, w := range spill.Each(c.Values) {
			if w == word {
				if all++; row >= s.first && row < s.end {
					within++
				}
			}
		}
		if float64(within) >= toldShare*float64(max(all, s.end-s.first)) {
			return true
		}
	}
	return false
}

// words are the columns that may tell where a series is.
func (m *modes) words(c int) (out []spoken) {
	series := m.table.Columns[c].Values
	for k := range m.table.Columns {
		column := &m.table.Columns[k]
		switch column.Kind {
		case tolerant.Category, tolerant.Boolean, tolerant.Number:
		default:
			continue
		}
		if k == c || len(column.Values) != m.table.Rows {
			continue
		}
		s := spoken{k, map[float64][]float64{}}
		for _, i := range m.rows {
			if w, v := column.Values[i], series[i]; w == w && v == v {
				s.values[w] = append(s.values[w], v)
			}
		}
		for w, v := range s.values {
			if len(v) < toldFewest {
				delete(s.values, w)
				continue
			}
			slices.Sort(v)
		}
		if len(s.values) > 0 {
			out = append(out, s)
		}
	}
	return out
}

// explained says that with a word of its row the series is where the cell is, rather than where it was expected, in rows elsewhere.
func (m *modes) explained(s Suspicion, stretch []Suspicion, by []spoken) bool {
	if s.Expected != s.Expected {
		return false
	}
	is := m.table.Columns[s.Column].Values[s.Row]
	between := is/2 + s.Expected/2
	sampled := float64(len(m.rows)) / float64(m.table.Rows)
	return slices.ContainsFunc(by, func(k spoken) bool {
		column := m.table.Columns[k.column].Values
		word := column[s.Row]
		values := k.values[word]
		own := 0
		for _, other := range stretch {
			if column[other.Row] == word {
				own++
			}
		}
		n := float64(len(values))
		if n-sampled*float64(own) < toldFewest || sampled*float64(own) > toldOwn*n {
			return false
		}
		with := float64(sort.SearchFloat64s(values, between)) // below
		if is > between {
			with = n - with
		}
		return with >= toldShare*n
	})
}
