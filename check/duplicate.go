package check

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/linalg"
)

const (
	// duplicateShare of rows that are there twice are so by right: the table has a habit of it.
	duplicateShare = 0.1
	// duplicateFamily is the number of rows with a twin by chance in a whole clean table from
	// which on twins prove nothing.
	duplicateFamily = 0.01
	// copiedEntry is the chance that a row which breaks a running sum by being there twice is right: a degree of belief.
	copiedEntry = 1e-9
	// mostTwins is how many rows that agree in half of the columns are compared.
	mostTwins = 20
)

// duplicates is the part that looks for rows that are there twice, whole or but for one cell, and
// for keys that are. In a table of few values rows are equal by right: what counts is how
// rarely two rows agree by chance.
func duplicates(ctx context.Context, v *view) (Evidence, error) {
	out := Evidence{Part: PartDuplicate}
	t := v.table
	d := newTwins(t)
	if len(d.columns) >= 2 && t.Rows >= 3 {
		whole := d.equal()
		defer whole.free()
		if err := ctx.Err(); err != nil {
			return out, err
		}
		var given map[int]bool // what laws give agrees by itself where the rest does
		if v.laws != nil {
			given = v.laws.derived(func(int) bool { return true })
		}
		all, butOne := wholeAndButOne(d.chances(whole, given))
		n := float64(t.Rows)
		twins := map[int]twin{}
		if whole.count > 0 && float64(whole.count) <= duplicateShare*n {
			d.copied(whole, all, twins)
		}
		for row, first := range v.copies {
			twins[row] = twin{first: first, column: -1, p: copiedEntry}
		}
		if n*n*butOne < duplicateFamily && len(d.columns) >= 4 {
			near := d.near(whole)
			if float64(len(near)+whole.count) > duplicateShare/2*n {
				near = nil
			}
			for row, w := range near {
				w.p = max(n*butOne, 1e-8)
				twins[row] = w
			}
		}
		if len(twins) > 0 {
			out.Rows = spill.Make[float64](t.Room(), t.Rows)
			for i := range out.Rows {
				out.Rows[i] = 1
			}
			for row, w := range twins {
				out.Rows[row] = w.p
			}
			out.Why = func(row int) string { return twins[row].why(t, row) }
		}
		defer func() { v.again = thereTwice(out.Cells, whole, twins, t) }()
	}
	if err := ctx.Err(); err != nil {
		return out, err
	}
	cells, keys := repeatedKeys(t)
	out.Cells = cells
	v.relations = append(v.relations, keys...)
	return out, nil
}

// copied tells of the rows that are there twice, where hardly any would be by chance: anywhere, or one after the other, as often as two neighbours agree.
func (d *twins) copied(whole copies, all float64, twins map[int]twin) {
	n, next := float64(d.table.Rows), 0
	for row := range whole.first {
		if first, again := whole.of(row); again && first == row-1 {
			next++
		}
	}
	anywhere, behind := n*n*all < duplicateFamily, next > 0 && n*all < duplicateFamily
	if (anywhere || behind) && d.dense() {
		anywhere, behind = false, false
	}
	behind = behind && !d.inOrder(whole)
	p := max(n*all, 1e-12)
	if !anywhere && d.keyOfTwo(whole) {
		anywhere, p = true, keyedTwice
	}
	for row := range whole.first {
		switch first, again := whole.of(row); {
		case again && anywhere:
			twins[row] = twin{first: first, column: -1, p: p}
		case again && behind && first == row-1:
			twins[row] = twin{first: first, column: -1, p: max(all, 1e-12)}
		}
	}
}

// inOrder says that rows stand beside others that are like them: sorted by a column, or a series. Rows that agree by chance are neighbours there.
func (d *twins) inOrder(whole copies) bool {
	const sorted, rows = 0.25, 2000 // the part of usual differences, and rows that tell
	sample := spacedRows(d.table.Rows-1, rows)
	for k, c := range d.columns {
		column := &d.table.Columns[c]
		switch column.Kind {
		case tolerant.Date: // entries stand as they came
		case tolerant.Number:
			var beside, anywhere []float64
			for i, r := range sample {
				other := sample[(i+len(sample)/2)%len(sample)]
				if next, far := math.Abs(column.Values[r+1]-column.Values[r]), math.Abs(column.Values[other]-column.Values[r]); next == next && far == far {
					beside, anywhere = append(beside, next), append(anywhere, far)
				}
			}
			slices.Sort(beside)
			slices.Sort(anywhere)
			if len(beside) > 0 && quantile(beside, 0.75) < sorted*quantile(anywhere, 0.75) {
				return true
			}
		default:
			n := float64(len(sample))
			if d.neighbours(c, whole) > 2*agreeing(d.hashesOf(sample, k))/(n*(n-1)/2)+0.1 {
				return true
			}
		}
	}
	return false
}

// twin is a row before this one that is the same, but for one column; -1: for none.
type twin struct {
	first, column int
	p             float64
}

func (w twin) why(t *tolerant.Table, row int) string {
	if w.p == 0 {
		return ""
	}
	if w.column < 0 {
		return fmt.Sprintf("is the same as row %d", w.first+1)
	}
	c := &t.Columns[w.column]
	return fmt.Sprintf("is the same as row %d but for %s, which is %s here and %s there", w.first+1, words.Clip(c.Name),
		amount(c, c.Values[row]), amount(c, c.Values[w.first]))
}

// twins compares rows by the columns that say something; names of rows and free text are left
// aside.
type twins struct {
	table   *tolerant.Table
	columns []int
	seed    []uint64
}

func newTwins(t *tolerant.Table) *twins {
	d := &twins{table: t}
	for c := range t.Columns {
		column := &t.Columns[c]
		switch column.Kind {
		case tolerant.Number, tolerant.Date, tolerant.Boolean, tolerant.Category:
			if len(column.Values) == t.Rows && !column.Constant() {
				d.columns = append(d.columns, c)
				d.seed = append(d.seed, mixed(uint64(c)+1))
			}
		}
	}
	return d
}

// mixed spreads the bits of a number (splitmix64).
func mixed(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// bits of a value; all missing values are one.
func bits(v float64) uint64 {
	switch {
	case v != v:
		return 1
	case v == 0:
		return 0
	}
	return math.Float64bits(v)
}

// hashes of all rows over some of the columns.
func (d *twins) hashes(places []int) []uint64 {
	h := spill.Make[uint64](d.table.Room(), d.table.Rows)
	const some = 1 << 14
	linalg.Parallel((len(h)+some-1)/some, func(part int) {
		from, to := part*some, min((part+1)*some, len(h))
		for _, k := range places {
			seed := d.seed[k]
			for i, v := range d.table.Columns[d.columns[k]].Values[from:to] {
				h[from+i] += mixed(bits(v) ^ seed)
			}
		}
		d.table.Room().Passed(int64(to-from) * 8 * int64(len(places)+1))
	})
	return h
}

func (d *twins) places() []int {
	all := make([]int, len(d.columns))
	for k := range all {
		all[k] = k
	}
	return all
}

// differ is the column in which two rows differ and how many there are, counted up to two. Rows
// without most of their values are like anything and count as different.
func (d *twins) differ(a, b int) (column, count int) {
	column = -1
	present := 0
	for _, c := range d.columns {
		x, y := d.table.Columns[c].Values[a], d.table.Columns[c].Values[b]
		if x == x {
			present++
		}
		if bits(x) != bits(y) {
			column = c
			if count++; count == 2 {
				return column, 2
			}
		}
	}
	if 2*present <= len(d.columns) {
		return column, 2
	}
	return column, count
}

// copies are the rows that are the same as one before them.
type copies struct {
	first []int32 // that row, counted from 1; 0: none
	count int
}

// of is the row that another is a copy of.
func (c copies) of(row int) (first int, again bool) { return int(c.first[row]) - 1, c.first[row] > 0 }

func (c copies) free() { spill.Free(c.first) }

// equal finds for every row the first one before it that is the same. Free text tells rows apart.
func (d *twins) equal() copies {
	out := copies{first: spill.Make[int32](d.table.Room(), d.table.Rows)}
	first := newFirsts(d.hashes(d.places()))
	defer first.free()
	for i := range d.table.Room().Rows(d.table.Rows, 4) {
		f, again := first.of(i)
		if !again {
			continue
		}
		if _, count := d.differ(f, i); count == 0 && d.sameTexts(f, i) {
			out.first[i] = int32(f + 1)
			out.count++
		}
	}
	return out
}

func (d *twins) sameTexts(a, b int) bool {
	for c := range d.table.Columns {
		if d.table.Columns[c].Kind == tolerant.Text && d.table.Text(a, c) != d.table.Text(b, c) {
			return false
		}
	}
	return true
}

// near finds rows that are the same as one before them but for one column. Such rows agree in one
// half of the columns or in the other.
func (d *twins) near(whole copies) map[int]twin {
	out := map[int]twin{}
	var half [2][]int
	for k := range d.columns {
		half[k%2] = append(half[k%2], k)
	}
	for _, places := range half {
		last := make(map[uint64][]int32)
		seen := newFirsts(d.hashes(places))
		for i, key := range spill.Each(seen.hashes) {
			first, again := seen.of(i)
			if !again {
				continue
			}
			if _, again := whole.of(i); again {
				continue
			}
			group := last[key]
			if group == nil {
				group = []int32{int32(first)}
			}
			if len(group) < mostTwins {
				for _, f := range group {
					if column, count := d.differ(int(f), i); count == 1 {
						if _, known := out[i]; !known {
							out[i] = twin{first: int(f), column: column}
						}
						break
					}
				}
				group = append(group, int32(i))
			}
			last[key] = group
		}
		seen.free()
	}
	heads := map[int]twin{} // a chain of alike rows is a run, not a mistake
	for row, w := range out {
		if _, chained := out[w.first]; !chained {
			heads[row] = w
		}
	}
	return heads
}
