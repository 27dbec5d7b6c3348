package belief

import (
	"math"
	"slices"
)

// Known remembers what held-out scores said about the labels of training rows, so that these
// rows are judged by scores that were learned without them whenever they are met again. A
// row is told by 52 bits of its numbers and its label. The zero value knows no row.
type Known struct {
	Rows     []uint64  // of all rows that were held out, in ascending order
	Doubtful []uint64  // those whose label is doubtful
	Label    []int     // the most probable class of each of these
	Margin   []float64 // and by how much the label's score is below it
}

// dropped is how many of the last bits of a number do not count: 32 of 52 do, nine digits and a half, in
// which times and places far from zero still differ.
const dropped = 20

// Key is the mark of a row with its label. Numbers of any size count to nine digits, so that
// rounding in what was computed of a row before does not make it another.
func Key(row []float64, label int) uint64 {
	h := uint64(label)*0x9e3779b97f4a7c15 + 1
	for _, v := range row {
		bits := math.Float64bits(v + 0) // one zero, not two
		h ^= (bits + 1<<(dropped-1)) >> dropped
		h *= 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	h ^= h >> 29
	h *= 0xc4ceb9fe1a85ec53
	return (h ^ h>>32) & (1<<52 - 1)
}

// Finding is what held-out scores say of a row.
type Finding struct {
	Key    uint64
	Doubt  bool
	Label  int
	Margin float64
}

// Remember makes the memory of findings, one for each key.
func Remember(findings []Finding) Known {
	slices.SortFunc(findings, func(a, b Finding) int {
		if a.Key < b.Key {
			return -1
		} else if a.Key > b.Key {
			return 1
		}
		return 0
	})
	var k Known
	for i, f := range findings {
		if i > 0 && f.Key == findings[i-1].Key {
			continue
		}
		k.Rows = append(k.Rows, f.Key)
		if f.Doubt {
			k.Doubtful, k.Label, k.Margin = append(k.Doubtful, f.Key), append(k.Label, f.Label), append(k.Margin, f.Margin)
		}
	}
	return k
}

// Find tells whether a row with its label was held out, and what was found. It allocates nothing.
func (k *Known) Find(row []float64, label int) (f Finding, known bool) {
	if len(k.Rows) == 0 {
		return f, false
	}
	f.Key = Key(row, label)
	if _, known = slices.BinarySearch(k.Rows, f.Key); !known {
		return f, false
	}
	if at, doubt := slices.BinarySearch(k.Doubtful, f.Key); doubt {
		f.Doubt, f.Label, f.Margin = true, k.Label[at], k.Margin[at]
	}
	return f, true
}
