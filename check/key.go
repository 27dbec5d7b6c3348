package check

import (
	"fmt"
	"hash/maphash"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/words"
)

// keyRepeats is the share of rows up to which a key may be there again.
const keyRepeats = 0.02

// repeatedKeys finds columns that tell rows apart and the rows whose key was there before, or which are out of order with the key of a
// later row that is no copy of them.
func repeatedKeys(t *tolerant.Table) (cells []Suspicion, keys []Relation) {
	for c := range t.Columns {
		column := &t.Columns[c]
		if column.Kind != tolerant.Identifier || t.Rows < 20 {
			continue
		}
		again, distinct := repeats(t, c)
		n := float64(t.Rows - column.Missing)
		if float64(len(again)) > keyRepeats*n || distinct < 10 {
			continue
		}
		p, ok := keyP(t, c, len(again))
		if !ok {
			continue
		}
		r := Relation{Text: column.Name + " is there only once", Columns: []int{c}, Rows: int(n)}
		for _, a := range again {
			row, other, there := a.row, a.first, "already"
			if inOrder(t, c, row) && !inOrder(t, c, other) && !sameText(t, row, other) {
				row, other, there = other, row, "again"
			}
			r.Broken = append(r.Broken, row)
			cells = append(cells, Suspicion{Row: row, Column: c, P: p, Expected: math.NaN(), Low: math.NaN(), High: math.NaN(),
				Why: fmt.Sprintf("%s %s is there %s in row %d", words.Clip(column.Name), words.Clip(t.Text(row, c)), there, other+1)})
		}
		slices.Sort(r.Broken)
		keys = append(keys, r)
	}
	return cells, keys
}

// inOrder says that the number of a key lies between those of the rows before and behind.
func inOrder(t *tolerant.Table, c, row int) bool {
	if row == 0 || row+1 == t.Rows {
		return false
	}
	before, at, behind := keyNumber(t.Text(row-1, c)), keyNumber(t.Text(row, c)), keyNumber(t.Text(row+1, c))
	return before < at && at < behind || before > at && at > behind
}

// sameText says that two rows are the same.
func sameText(t *tolerant.Table, a, b int) bool {
	for c := range t.Columns {
		if t.Text(a, c) != t.Text(b, c) {
			return false
		}
	}
	return true
}

// keyNumber is the number that the digits of a key make; not a number where it has none, or too many.
func keyNumber(text string) float64 {
	digits := strings.TrimLeft(strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, text), "0")
	v, err := strconv.ParseFloat(digits, 64)
	if err != nil || len(digits) > 15 {
		return math.NaN()
	}
	return v
}

type repeat struct{ row, first int }

// repeats lists the rows whose text was there before; it stops where they are many.
func repeats(t *tolerant.Table, c int) (again []repeat, distinct int) {
	seed := maphash.MakeSeed()
	hashes := spill.Make[uint64](t.Room(), t.Rows)
	for i := range t.Room().Rows(t.Rows, 2) {
		hashes[i] = maphash.String(seed, t.Text(i, c))
	}
	firsts := newFirsts(hashes)
	defer firsts.free()
	for i := range t.Room().Rows(t.Rows, 3) {
		text := t.Text(i, c)
		if text == "" {
			continue
		}
		first, seen := firsts.of(i)
		if !seen || t.Text(first, c) != text {
			distinct++
			continue
		}
		again = append(again, repeat{i, first})
		if float64(len(again)) > keyRepeats*float64(t.Rows)+1 {
			break
		}
	}
	return again, distinct
}

// keyP is how surely a column is a key: numbers that lie so close that drawing them at random
// would repeat many, or a column that says it is one.
func keyP(t *tolerant.Table, c, repeated int) (p float64, ok bool) {
	rows := spacedRows(t.Rows, 2000)
	numbers := make([]float64, 0, len(rows))
	for _, r := range rows {
		if v := keyNumber(t.Text(r, c)); v == v {
			numbers = append(numbers, v)
		}
	}
	n := float64(t.Rows)
	if len(numbers) > len(rows)/2 {
		sorted := sortedValues(numbers)
		room := (quantile(sorted, 0.95)-quantile(sorted, 0.05))/0.9 + 1
		if byChance := n * n / 2 / room; byChance > 15+4*float64(repeated) {
			return 1e-6, true
		}
	}
	name := strings.ToLower(t.Columns[c].Name)
	for _, sign := range []string{"uuid", "guid", "key", "invoice", "order id", "order_id", "orderid", "row id", "row_id", "record"} {
		if name == "id" || strings.Contains(name, sign) {
			return 1e-4, true
		}
	}
	return 0, false
}
