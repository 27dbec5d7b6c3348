package check

import "slices"

// chances are how likely two rows agree in each column, beside the others: the largest of the
// chance for two rows anywhere, for neighbours, and for two rows that agree in one of the columns
// before it, where enough do. The most telling column comes first. Columns that are left aside do not count.
func (d *twins) chances(whole copies, aside map[int]bool) []float64 {
	var rows []int
	for _, r := range spacedRows(d.table.Rows, 3000) {
		if _, again := whole.of(r); !again {
			rows = append(rows, r)
		}
	}
	type column struct {
		values []float64
		agree  [][2]int // pairs of rows that agree in it
		chance float64
	}
	columns := make([]column, 0, len(d.columns))
	for _, c := range d.columns {
		if aside[c] {
			continue
		}
		values := pick(d.table.Columns[c].Values, rows)
		order := make([]int, len(rows))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int {
			x, y := bits(values[a]), bits(values[b])
			switch {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return 0
		})
		own := column{values, nil, max(agreement(values, order), d.neighbours(c, whole))}
		for i := 1; i < len(order); i++ {
			if a, b := order[i-1], order[i]; bits(values[a]) == bits(values[b]) {
				own.agree = append(own.agree, [2]int{a, b})
			}
		}
		columns = append(columns, own)
	}
	slices.SortStableFunc(columns, func(a, b column) int {
		switch {
		case a.chance < b.chance:
			return -1
		case a.chance > b.chance:
			return 1
		}
		return 0
	})
	out := make([]float64, len(columns))
	for k, c := range columns {
		out[k] = c.chance
		for _, before := range columns[:k] {
			if len(before.agree) < 20 {
				continue
			}
			both := 0
			for _, pair := range before.agree {
				if bits(c.values[pair[0]]) == bits(c.values[pair[1]]) {
					both++
				}
			}
			out[k] = max(out[k], float64(both+1)/float64(len(before.agree)+1))
		}
	}
	return out
}

// neighbours is the chance that two rows one after the other agree in a column.
func (d *twins) neighbours(c int, whole copies) float64 {
	values := d.table.Columns[c].Values
	same, asked := 0, 0
	for _, r := range spacedRows(d.table.Rows, 3000) {
		if _, again := whole.of(r); r == 0 || again {
			continue
		}
		asked++
		d.table.Room().Touched(1)
		if bits(values[r]) == bits(values[r-1]) {
			same++
		}
	}
	return float64(same) / float64(max(asked, 1))
}

// agreement is the chance that two rows have the same value; what the rounding of the numbers
// makes of it where none have.
func agreement(values []float64, order []int) float64 {
	n := float64(len(values))
	pairs := 0.0
	for i := 0; i < len(order); {
		k := i
		for k < len(order) && bits(values[order[k]]) == bits(values[order[i]]) {
			k++
		}
		pairs += float64(k-i) * float64(k-i-1)
		i = k
	}
	if n < 2 {
		return 1
	}
	if pairs > 0 {
		return pairs / (n * (n - 1))
	}
	about := describe(values)
	return min(1/(n*(n-1)), max(about.step/(3.5*about.spread), 1e-12))
}

// wholeAndButOne are the chances that two rows agree in all columns, and in all but one.
func wholeAndButOne(chance []float64) (all, butOne float64) {
	all = 1
	for _, c := range chance {
		all *= c
	}
	for k := range chance {
		rest := 1.0
		for j, c := range chance {
			if j != k {
				rest *= c
			}
		}
		butOne += rest
	}
	return all, butOne
}
