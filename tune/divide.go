package tune

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
)

// divide returns training and test rows of a partition as sets of their own. Text columns
// are coded again as if the training rows were all there is: a 0/1 column for a category
// that no training row has disappears, so that such a test row has only zeros there;
// ordinal codes are ranks among the categories of the training rows, and an unknown
// category stands halfway between its neighbours in the order. unknown counts the
// test cells that hold a category without a training row.
func divide(set *dataset.Set, part dataset.Partition) (train, test *dataset.Set, unknown int) {
	train, test = set.Subset(part.Train), set.Subset(part.Test)
	if set.Coder == nil {
		return train, test, 0
	}
	coder := &dataset.Coder{}
	drop := make([]bool, set.Dim())
	for _, coding := range set.Coder.Codings {
		first := slices.Index(set.Columns, coding.Names()[0])
		if first < 0 {
			continue
		}
		kept := coding
		kept.Levels = nil
		if coding.OneHot {
			for k, level := range coding.Levels {
				if column := first + k; hasOne(train.X, column) {
					kept.Levels = append(kept.Levels, level)
				} else {
					drop[column] = true
					unknown += countOnes(test.X, column)
				}
			}
		} else {
			seen := make([]bool, len(coding.Levels))
			for i := range train.Rows() {
				if k := codeOf(train.X.At(i, first)); k >= 0 && k < len(seen) {
					seen[k] = true
				}
			}
			rank := ranks(seen)
			for k, level := range coding.Levels {
				if seen[k] {
					kept.Levels = append(kept.Levels, level)
				}
			}
			recode(train.X, first, rank)
			unknown += recodeCounting(test.X, first, rank, seen)
		}
		coder.Codings = append(coder.Codings, kept)
	}
	train.Coder, test.Coder = coder, coder
	if slices.Contains(drop, true) {
		leaveOut(train, drop)
		leaveOut(test, drop)
	}
	return train, test, unknown
}

// unknownCells counts the test cells of all partitions whose category no training row has.
func unknownCells(set *dataset.Set, parts []dataset.Partition) int {
	count := 0
	if set.Coder != nil {
		for _, p := range parts {
			_, _, unknown := divide(set, p)
			count += unknown
		}
	}
	return count
}

// ranks turns "is there a training row" into codes: 0, 1, 2 for those that are there, and
// halves between them for the others.
func ranks(seen []bool) []float64 {
	out := make([]float64, len(seen))
	next := 0.0
	for k, s := range seen {
		out[k] = next - 0.5
		if s {
			out[k] = next
			next++
		}
	}
	return out
}

// codeOf is the number of a category, -1 of a missing one: as an integer NaN is whatever the processor
// makes of it, on some the first category.
func codeOf(v float64) int {
	if v != v {
		return -1
	}
	return int(v)
}

func recode(x *mat.Dense, column int, code []float64) {
	n, _ := x.Dims()
	for i := range n {
		if k := codeOf(x.At(i, column)); k >= 0 && k < len(code) {
			x.Set(i, column, code[k])
		}
	}
}

func recodeCounting(x *mat.Dense, column int, code []float64, seen []bool) (unknown int) {
	n, _ := x.Dims()
	for i := range n {
		if k := codeOf(x.At(i, column)); k >= 0 && k < len(code) && !seen[k] {
			unknown++
		}
	}
	recode(x, column, code)
	return unknown
}

func hasOne(x *mat.Dense, column int) bool { return countOnes(x, column) > 0 }

func countOnes(x *mat.Dense, column int) int {
	n, _ := x.Dims()
	count := 0
	for i := range n {
		if x.At(i, column) == 1 {
			count++
		}
	}
	return count
}

// leaveOut removes columns from a set of its own.
func leaveOut(s *dataset.Set, drop []bool) {
	var columns []string
	for j, name := range s.Columns {
		if !drop[j] {
			columns = append(columns, name)
		}
	}
	if selected, err := s.Select(columns); err == nil {
		selected.Coder = s.Coder
		*s = *selected
	}
}

const (
	// mostRepeats bounds repeats.
	mostRepeats = 10000
	// mostPlaces bounds the numbers of rows that all divisions together list: 800 MB.
	mostPlaces = 1e8
)

// affordable refuses so many divisions that listing their rows would not fit into memory.
func affordable(repeats, folds int, set *dataset.Set) error {
	n := set.Rows()
	switch {
	case repeats < 1 || repeats > mostRepeats:
		return wrong(fmt.Sprintf("it is a number from 1 to %d", mostRepeats), "--repeats %d is not allowed", repeats)
	case folds <= n && float64(repeats)*float64(folds)*float64(n) > mostPlaces: // more folds than rows are refused as such
		return wrong("use fewer", "--repeats %d with %d divisions each of the %d rows of %s need too much memory", repeats, folds, n, set.Name)
	}
	return nil
}

// partitions makes the folds of every repeat, one repeat after the other, and refuses
// numbers of folds that the rows do not allow.
func partitions(set *dataset.Set, folds, repeats int, rules dataset.SplitRules, task catalog.Task, seed uint64) ([]dataset.Partition, error) {
	n := set.Rows()
	switch {
	case folds < 2:
		return nil, wrong("at least 2", "--folds %d is not allowed", folds)
	case folds > n:
		return nil, wrong("at most one fold per row", "--folds %d: %s has only %d rows", folds, set.Name, n)
	case repeats < 1:
		return nil, wrong("at least 1", "--repeats %d is not allowed", repeats)
	}
	rules.Stratify = task == catalog.Classify
	parts, err := dataset.RepeatedFolds(set, folds, repeats, rules, seed)
	if err != nil {
		return nil, wrongIn("folds", "use fewer folds", "%s", strings.TrimPrefix(err.Error(), "dataset: "))
	}
	return parts, checkParts(set, parts, task, "use fewer folds, or other groups")
}

// checkParts makes sure that the training rows of every partition can teach the target.
func checkParts(set *dataset.Set, parts []dataset.Partition, task catalog.Task, hint string) error {
	t := set.Target
	for _, p := range parts {
		if task == catalog.Regress {
			if constant(t.Values, p.Train) {
				return wrong(hint, "%s: target %q is constant in the training rows of a fold", set.Name, t.Name)
			}
			continue
		}
		rows := make([]int, len(t.Classes))
		for _, i := range p.Train {
			rows[t.Labels[i]]++
		}
		all := make([]int, len(t.Classes))
		for _, k := range t.Labels {
			all[k]++
		}
		for k := range rows {
			if rows[k] == 0 && all[k] > 0 {
				return wrong(hint, "%s: class %q has no training row in a fold, because its rows must stay together", set.Name, t.Classes[k])
			}
		}
	}
	return nil
}

func constant(values []float64, rows []int) bool {
	for _, i := range rows {
		if values[i] != values[rows[0]] {
			return false
		}
	}
	return true
}

// nested orders the rows so that every beginning of the list is a fair sample: classes in
// their proportions, otherwise at random.
func nested(set *dataset.Set, rows []int, purpose string, seed uint64) []int {
	order := slices.Clone(rows)
	r := dataset.Random(seed, fmt.Sprintf("tune subset %s", purpose))
	r.Shuffle(len(order), func(a, b int) { order[a], order[b] = order[b], order[a] })
	if set.Target == nil || set.Target.Labels == nil {
		return order
	}
	total, met := map[int]int{}, map[int]int{}
	for _, i := range order {
		total[set.Target.Labels[i]]++
	}
	place := make(map[int]float64, len(order))
	for _, i := range order {
		k := set.Target.Labels[i]
		place[i] = (float64(met[k]) + 0.5) / float64(total[k])
		met[k]++
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case place[a] < place[b]:
			return -1
		case place[a] > place[b]:
			return 1
		}
		return 0
	})
	return order
}
