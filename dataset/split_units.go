package dataset

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
)

// splitStrata returns, per stratum, the units that may be parted: lists of rows that
// must stay together. Without Stratify there is one stratum; with it one per class that
// occurs, in order. A unit with several classes belongs to the most frequent one.
func splitStrata(s *Set, rules SplitRules) ([][][]int, error) {
	n := s.Rows()
	if n == 0 {
		return nil, fmt.Errorf("dataset: split: %s has no rows", s.Name)
	}
	units, err := splitUnits(s, rules)
	if err != nil {
		return nil, err
	}
	if !rules.Stratify {
		return [][][]int{units}, nil
	}
	if s.Target == nil || s.Target.Labels == nil {
		return nil, fmt.Errorf("dataset: split: %s has no class labels to stratify by", s.Name)
	}
	byClass := make([][][]int, len(s.Target.Classes))
	for _, unit := range units {
		counts := make(map[int]int)
		best := s.Target.Labels[unit[0]]
		for _, i := range unit {
			label := s.Target.Labels[i]
			counts[label]++
			if counts[label] > counts[best] || (counts[label] == counts[best] && label < best) {
				best = label
			}
		}
		if best < 0 || best >= len(byClass) {
			return nil, fmt.Errorf("dataset: split: %s row %d: label %d is not one of its %d classes", s.Name, unit[0]+1, best, len(byClass))
		}
		byClass[best] = append(byClass[best], unit)
	}
	var strata [][][]int
	for _, units := range byClass {
		if len(units) > 0 {
			strata = append(strata, units)
		}
	}
	return strata, nil
}

// splitUnits joins rows that share a group or, on request, their content; each unit
// is in ascending order, units in the order of their first row.
func splitUnits(s *Set, rules SplitRules) ([][]int, error) {
	n := s.Rows()
	if rules.Groups != nil && len(rules.Groups) != n {
		return nil, fmt.Errorf("dataset: split: %d groups must be one for each of the %d rows of %s", len(rules.Groups), n, s.Name)
	}
	if rules.Groups == nil && !rules.Together { // each by itself
		rows, units := make([]int, n), make([][]int, n)
		for i := range rows {
			rows[i], units[i] = i, rows[i:i+1:i+1]
		}
		return units, nil
	}
	// A forest: each row points to an earlier row of its unit, or to itself.
	parent := make([]int, n)
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	byGroup, byContent := map[int]int{}, map[[sha256.Size]byte]int{}
	for i := range n {
		parent[i] = i
		join := func(first int) {
			if a, b := root(first), root(i); a < b {
				parent[b] = a
			} else {
				parent[a] = b
			}
		}
		if rules.Groups != nil {
			if first, ok := byGroup[rules.Groups[i]]; ok {
				join(first)
			} else {
				byGroup[rules.Groups[i]] = i
			}
		}
		if rules.Together {
			key := splitContent(s.X.RawRowView(i))
			if first, ok := byContent[key]; ok {
				join(first)
			} else {
				byContent[key] = i
			}
		}
	}
	at := make(map[int]int, n)
	var units [][]int
	for i := range n {
		first := root(i)
		k, ok := at[first]
		if !ok {
			k = len(units)
			at[first] = k
			units = append(units, nil)
		}
		units[k] = append(units[k], i)
	}
	return units, nil
}

// splitContent is a key that rows with the same numbers share: the hash of their bits.
// Both zeros are the same, and so are all missing values.
func splitContent(row []float64) [sha256.Size]byte {
	text := make([]byte, 0, 8*len(row))
	for _, v := range row {
		switch {
		case v == 0:
			v = 0 // also for -0
		case math.IsNaN(v):
			v = math.NaN()
		}
		text = binary.LittleEndian.AppendUint64(text, math.Float64bits(v))
	}
	return sha256.Sum256(text)
}

// Duplicates returns, for each row, the first row with the same numbers: its own
// number where there is none before.
func Duplicates(s *Set) []int {
	first := make([]int, s.Rows())
	seen := make(map[[sha256.Size]byte]int)
	for i := range first {
		key := splitContent(s.X.RawRowView(i))
		if k, ok := seen[key]; ok {
			first[i] = k
		} else {
			seen[key], first[i] = i, i
		}
	}
	return first
}
