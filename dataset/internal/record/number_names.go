package record

import (
	"math"

	"github.com/inlier-ml/inlier/dataset/internal/cell"
)

// mostCompared bounds the rows that a first record of numbers is compared with.
const mostCompared = 200

// NumbersName tells whether the numbers of the first record name columns, as wavelengths, angles and places from 0 do: they go up or down
// from column to column, in equal steps as no other record does, or so far from the values below that they are none of these. Texts beside
// them come in no other record. A value is its number, NaN where it is a date or has a unit, and its kind.
func NumbersName(sample [][][]byte, value func(field []byte) (float64, cell.Kind)) bool {
	if len(sample) < 3 {
		return false
	}
	rows := sample[1:min(len(sample), mostCompared+1)]
	var names []float64
	texts, far, chance := 0, true, 1.0
	for k, field := range sample[0] {
		v, kind := value(field)
		if kind == cell.Missing {
			continue
		}
		if kind == cell.Number && v != v || kind != cell.Number && comes(rows, k, field) {
			return false
		}
		if kind != cell.Number {
			texts++
			continue
		}
		names = append(names, v)
		low, high, n := math.Inf(1), math.Inf(-1), 0
		for _, row := range rows {
			if k >= len(row) {
				continue
			}
			switch w, kind := value(row[k]); {
			case kind != cell.Number:
			case w != w:
				n++
			default:
				low, high, n = min(low, w), max(high, w), n+1
			}
		}
		far = far && n > 0 && (low > high || max(low-v, v-high) > high-low && (v < low || v > high))
		chance *= 2 / float64(n+1) // that the first row is the lowest or highest
	}
	switch {
	case !goes(names):
		return false
	case far && (texts > 0 && chance < 1e-3 || len(names) > 5):
		return true
	}
	return even(names) && !someEven(rows, value) || places(sample[0], rows, value)
}

// places tells whether the numbers of a first record are 0, 1, 2 or 1, 2, 3 above columns of so many different values that a row would
// hardly ever be that. A column that goes up or down all along says nothing: its first row may well be 0 or 1.
func places(head [][]byte, rows [][][]byte, value func([]byte) (float64, cell.Kind)) bool {
	const rare = 5000 // rows of which one is so by chance
	next, often := math.NaN(), 1.0
	for k, field := range head {
		v, kind := value(field)
		if kind == cell.Missing && k == 0 { // above the rows' own numbers
			continue
		}
		if kind != cell.Number || next != next && v != 0 && v != 1 || next == next && v != next {
			return false
		}
		next = v + 1
		column, different := []float64{v}, map[float64]bool{}
		for _, row := range rows {
			if k < len(row) {
				if w, kind := value(row[k]); kind == cell.Number && w == w {
					column, different[w] = append(column, w), true
				}
			}
		}
		if !goes(column) && len(different) > 0 {
			often *= float64(len(different))
		}
	}
	return often > rare
}

// comes tells whether a field stands in a column of records.
func comes(rows [][][]byte, k int, field []byte) bool {
	for _, row := range rows {
		if k < len(row) && string(row[k]) == string(field) {
			return true
		}
	}
	return false
}

// goes tells whether numbers rise or fall all along.
func goes(v []float64) bool {
	for k := 1; k < len(v); k++ {
		if v[k] == v[k-1] || (v[k] > v[k-1]) != (v[1] > v[0]) {
			return false
		}
	}
	return len(v) > 1
}

// even tells whether numbers go on in equal steps, but for rounding: five and more, or four from 0 by 1, as frames without names are written.
func even(v []float64) bool {
	if len(v) < 4 || len(v) == 4 && (v[0] != 0 || v[1] != 1) {
		return false
	}
	step := (v[len(v)-1] - v[0]) / float64(len(v)-1)
	for k := range v {
		if math.Abs(v[k]-v[0]-step*float64(k)) > 1e-6*math.Abs(step) {
			return false
		}
	}
	return step != 0
}

func someEven(rows [][][]byte, value func([]byte) (float64, cell.Kind)) bool {
	var numbers []float64
	for _, row := range rows {
		numbers = numbers[:0]
		for _, field := range row {
			if v, kind := value(field); kind == cell.Number && v == v {
				numbers = append(numbers, v)
			}
		}
		if even(numbers) {
			return true
		}
	}
	return false
}
