package check

import "math"

const (
	// keyRows is how many rows a key of two columns is looked for in, and keyColumns how many columns are tried.
	keyRows, keyColumns = 20_000, 16
	// keyExpected is how many pairs of rows would agree in both columns by chance where none does, by right of a key, and as many
	// for every row that is there twice.
	keyExpected = 12.0
	// keyBroken is the share of these that mistakes in the key make agree at most.
	keyBroken = 0.02
	// keyedTwice is the chance that such a key is there twice by right: a degree of belief.
	keyedTwice = 1e-6
)

// keyOfTwo says that two columns hardly ever agree together but in rows that are there twice, although each of them often does: a day and an agent. Their
// rows are kept once by right.
func (d *twins) keyOfTwo(whole copies) bool {
	var rows []int
	for _, r := range spacedRows(d.table.Rows, keyRows) {
		if _, again := whole.of(r); !again {
			rows = append(rows, r)
		}
	}
	n := float64(len(rows))
	alike := make([]float64, len(d.columns)) // the share of pairs of rows that agree in a column
	for k := range d.columns {
		alike[k] = agreeing(d.hashesOf(rows, k)) / (n * (n - 1) / 2)
	}
	for a := range min(len(d.columns), keyColumns) {
		for b := range a {
			expected := alike[a] * alike[b] * n * (n - 1) / 2
			if expected >= keyExpected*float64(1+whole.count) && agreeing(d.hashesOf(rows, a, b)) <= keyBroken*expected {
				return true
			}
		}
	}
	return false
}

// hashesOf some rows over some of the columns; missing cells agree with nothing.
func (d *twins) hashesOf(rows []int, places ...int) map[uint64]int {
	counts := make(map[uint64]int, len(rows))
	for _, i := range rows {
		h := uint64(0)
		d.table.Room().Touched(len(places))
		for _, k := range places {
			v := d.table.Columns[d.columns[k]].Values[i]
			if math.IsNaN(v) {
				v = float64(-i) - 0.5
			}
			h += mixed(bits(v) ^ d.seed[k])
		}
		counts[h]++
	}
	return counts
}

// agreeing is the number of pairs that are equal.
func agreeing(counts map[uint64]int) (pairs float64) {
	for _, n := range counts {
		pairs += float64(n) * float64(n-1) / 2
	}
	return pairs
}
