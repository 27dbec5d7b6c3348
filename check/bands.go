package check

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

const (
	// bandCost is how many labels a further border must explain, and bandSure by how many labels of its class a band begins for sure.
	bandCost, bandSure = 5, 3
	// bandWrong is the share of labels that may break such a rule, and bandGain the part of those that the most frequent label would leave.
	bandWrong, bandGain = 0.15, 0.4
	// bandRuns labels of a class beside each other may be a band of its own, at least.
	bandRuns = 3
)

// bandWidths are how many rows beside a border are looked at.
var bandWidths = []int{3, 6, 12, 25}

// band holds the labels of the rows whose number lies from first to last. Between low and high it is sure that it does, and not those of the next band.
type band struct {
	first, last, low, high float64
	class                  int
}

// bands is the rule by which a number decides a class.
type bands struct {
	feature feature
	list    []band
	wrong   int
}

// at is the band of a value; nil between two.
func (r *bands) at(v float64) *band {
	for k := range r.list {
		if b := &r.list[k]; (k == 0 || v >= b.first) && (k == len(r.list)-1 || v <= b.last) && v == v {
			return b
		}
	}
	return nil
}

// allows says that a class keeps the rule: that of its band, or between two that of either.
func (r *bands) allows(v float64, class int) bool {
	if b := r.at(v); b != nil {
		return b.class == class
	}
	k := slices.IndexFunc(r.list, func(b band) bool { return v < b.first })
	return k > 0 && (r.list[k].class == class || r.list[k-1].class == class)
}

// has says that a class has a band.
func (r *bands) has(class int) bool {
	return slices.ContainsFunc(r.list, func(b band) bool { return b.class == class })
}

// numbered is a row that bands are learned from.
type numbered struct {
	value float64
	class int
}

// newBands is the rule by which the values of rows, ascending, decide their classes, and the class that it gives to each; nil where they do not.
func newBands(rows []numbered, classes int, soft float64) (*bands, []int) {
	class := bestBands(rows, classes)
	r := &bands{}
	counts := make([]int, classes)
	for _, row := range rows {
		counts[row.class]++
	}
	var errors []int
	for k := 0; k < len(rows); {
		end := k
		for end < len(rows) && class[end] == class[k] {
			end++
		}
		low, high, sure := bandSurely(rows[k:end], class[k], k > 0, end < len(rows))
		if !sure {
			return nil, nil
		}
		r.list = append(r.list, band{rows[k].value, rows[end-1].value, low, high, class[k]})
		for ; k < end; k++ {
			if rows[k].class != class[k] {
				errors = append(errors, k)
			}
		}
	}
	r.wrong = len(errors)
	if n := float64(len(rows)); len(r.list) < 2 || len(r.list) > 2*classes || float64(r.wrong) > bandWrong*n ||
		float64(r.wrong) > bandGain*(n-float64(slices.Max(counts))) || !sharp(class, errors, soft) {
		return nil, nil
	}
	// Wrong labels of one class beside each other, more than come by chance, are right ones of a band that was too short.
	longest := max(bandRuns, int(math.Ceil(math.Log(0.01/float64(len(rows)))/math.Log(float64(r.wrong+1)/float64(len(rows)+1)))))
	for k := 0; k < len(errors); {
		run := k
		for run < len(errors) && errors[run]-errors[k] == run-k && rows[errors[run]].class == rows[errors[k]].class && class[errors[run]] == class[errors[k]] {
			run++
		}
		a, b := errors[k], errors[run-1] // all of a value
		if run-k >= longest && (a == 0 || rows[a-1].value != rows[b].value) && (b+1 == len(rows) || rows[b+1].value != rows[a].value) {
			return nil, nil
		}
		k = run
	}
	return r, class
}

// bandSurely is the part of a band from which on its labels outnumber others by bandSure, counted from its borders.
func bandSurely(rows []numbered, class int, below, above bool) (low, high float64, sure bool) {
	ends := [2]float64{rows[0].value, rows[len(rows)-1].value}
	for side, border := range []bool{below, above} {
		at := func(k int) numbered {
			if side == 1 {
				return rows[len(rows)-1-k]
			}
			return rows[k]
		}
		lead := 0
		for k := 0; k < len(rows) && border; {
			value := at(k).value
			for ; k < len(rows) && at(k).value == value; k++ {
				if lead--; at(k).class == class {
					lead += 2
				}
			}
			if lead >= bandSure {
				ends[side], border = value, false
			}
		}
		if border {
			return 0, 0, false
		}
	}
	return ends[0], ends[1], ends[0] <= ends[1]
}

// bestBands is the class of every row, ascending by value, with the least number of labels that differ and of borders, each of which costs bandCost;
// rows of one value have one class.
func bestBands(rows []numbered, classes int) []int {
	cost, came := make([]int, classes), [][]int{}
	var starts []int
	for first := 0; first < len(rows); {
		end := first
		counts := make([]int, classes)
		for end < len(rows) && rows[end].value == rows[first].value {
			counts[rows[end].class]++
			end++
		}
		cheapest := 0
		for c := range cost {
			if cost[c] < cost[cheapest] {
				cheapest = c
			}
		}
		from, least := make([]int, classes), cost[cheapest]
		for c := range cost {
			if from[c] = c; cost[c] > least+bandCost {
				from[c], cost[c] = cheapest, least+bandCost
			}
			cost[c] += end - first - counts[c]
		}
		came, starts, first = append(came, from), append(starts, first), end
	}
	class := make([]int, len(rows))
	c := slices.Index(cost, slices.Min(cost))
	for k, end := len(starts)-1, len(rows); k >= 0; k-- {
		for i := starts[k]; i < end; i++ {
			class[i] = c
		}
		c, end = came[k][c], starts[k]
	}
	return class
}

// sharp says that the labels which break a rule lie anywhere in their bands, and not near borders as they do where classes overlap.
func sharp(class, errors []int, soft float64) bool {
	sum := 0.0
	near := make([]int, len(class)) // rows between each and the next border
	for first := 0; first < len(class); {
		end := first
		for end < len(class) && class[end] == class[first] {
			end++
		}
		size := float64(end - first)
		for i := first; i < end; i++ {
			inner, outer := i-first, end-1-i
			if first == 0 {
				inner = len(class)
			}
			if end == len(class) {
				outer = len(class)
			}
			if near[i] = min(inner, outer); first > 0 && end < len(class) {
				size = float64(end-first) / 2
			}
			if _, broken := slices.BinarySearch(errors, i); broken {
				sum += (float64(near[i]) + 0.5) / size
			}
		}
		first = end
	}
	n := float64(len(errors)) // the mean of uniform depths is a half, with a variance of 1/12 by their number
	if n > 0 && (sum/n-0.5)*math.Sqrt(12*n) < distuv.UnitNormal.Quantile(soft/2) {
		return false
	}
	for _, width := range bandWidths {
		var rows, broken [2]float64 // far and near
		for i, r := range near {
			side := 0
			if r < width {
				side = 1
			}
			rows[side]++
			if _, is := slices.BinarySearch(errors, i); is {
				broken[side]++
			}
		}
		if broken[1] > 1 && 1-(distuv.Poisson{Lambda: rows[1] * (broken[0] + 0.5) / (rows[0] + 1)}).CDF(broken[1]-1) < soft {
			return false
		}
	}
	return true
}
