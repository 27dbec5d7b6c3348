package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Partition divides the rows of a set into those to learn from and those to test on,
// as ascending row numbers counted from 0.
type Partition struct {
	Train, Test []int
}

// SplitRules say which rows must stay together and what each side must look like. The
// zero value asks for nothing.
type SplitRules struct {
	// Stratify keeps the proportions of the classes on both sides.
	Stratify bool
	// Groups, one entry per row, keeps rows with the same entry on the same side, such
	// as all pictures of one visit.
	Groups []int
	// Together keeps rows with exactly the same numbers on the same side, so that no
	// test row has been seen in training. The Yale set has such rows.
	Together bool
}

// Split draws a random test set of the given fraction of the rows.
func Split(s *Set, testFraction float64, seed uint64) (Partition, error) {
	return SplitBy(s, testFraction, SplitRules{}, seed)
}

// SplitBy is [Split] under rules. Without groups the test set has the nearest whole number
// of rows, at least one and not all; with groups as near as whole groups allow.
func SplitBy(s *Set, testFraction float64, rules SplitRules, seed uint64) (Partition, error) {
	if !(testFraction > 0 && testFraction < 1) {
		return Partition{}, fmt.Errorf("dataset: split: test fraction %g must be in (0, 1)", testFraction)
	}
	n := s.Rows()
	if n < 2 {
		return Partition{}, fmt.Errorf("dataset: split: %s has %d row and must have at least 2", s.Name, n)
	}
	test := min(max(int(math.Round(testFraction*float64(n))), 1), n-1)
	return splitDraw(s, n, test, rules, seed)
}

// SplitCount draws train rows to learn from and test rows to test on. Rows beyond
// train+test are left out of both.
func SplitCount(s *Set, train, test int, rules SplitRules, seed uint64) (Partition, error) {
	n := s.Rows()
	if train < 1 || test < 1 || train+test > n {
		return Partition{}, fmt.Errorf("dataset: split: %d training and %d test rows must each be at least 1 and together at most the %d of %s", train, test, n, s.Name)
	}
	return splitDraw(s, train, test, rules, seed)
}

// splitDraw draws test rows first and then train rows, or all that are left if there
// are fewer.
func splitDraw(s *Set, train, test int, rules SplitRules, seed uint64) (Partition, error) {
	strata, err := splitStrata(s, rules)
	if err != nil {
		return Partition{}, err
	}
	r := Random(seed, "split")
	for k := range strata {
		strata[k] = splitShuffled(r, strata[k])
	}
	tests, left := splitTake(strata, test)
	// Units much larger than its share leave a side empty; then it gets the smallest.
	if len(tests) == 0 {
		tests, left = splitSmallest(left)
	}
	trains, rest := splitTake(left, train)
	if len(trains) == 0 {
		trains, _ = splitSmallest(rest)
	}
	if len(trains) == 0 && len(tests) > 1 {
		var others [][][]int
		trains, others = splitSmallest([][][]int{tests})
		tests = others[0]
	}
	p := Partition{Train: slices.Concat(trains...), Test: slices.Concat(tests...)}
	if len(p.Train) == 0 || len(p.Test) == 0 {
		return Partition{}, fmt.Errorf("dataset: split: the rows of %s must all stay together", s.Name)
	}
	slices.Sort(p.Train)
	slices.Sort(p.Test)
	return p, nil
}

// PerClass draws count rows of every class to learn from; the others are for testing.
func PerClass(s *Set, count int, seed uint64) (Partition, error) {
	strata, err := splitStrata(s, SplitRules{Stratify: true})
	if err != nil {
		return Partition{}, err
	}
	r := Random(seed, "split per class")
	var p Partition
	for _, units := range strata {
		if count < 1 || count > len(units) {
			label := s.Target.Classes[s.Target.Labels[units[0][0]]]
			return Partition{}, fmt.Errorf("dataset: split: %d rows per class must be in [1, %d], the rows of class %q of %s", count, len(units), label, s.Name)
		}
		for k, at := range r.Perm(len(units)) {
			if k < count {
				p.Train = append(p.Train, units[at][0])
			} else {
				p.Test = append(p.Test, units[at][0])
			}
		}
	}
	slices.Sort(p.Train)
	slices.Sort(p.Test)
	return p, nil
}

// Bootstrap draws, repeats times, as many rows as the set has with replacement
// (whole groups under rules with groups; Stratify draws within each class); the
// rows never drawn are the test rows. Train repeats the rows that were drawn more than once.
func Bootstrap(s *Set, repeats int, rules SplitRules, seed uint64) ([]Partition, error) {
	if repeats < 1 {
		return nil, fmt.Errorf("dataset: bootstrap: %d repeats must be at least 1", repeats)
	}
	strata, err := splitStrata(s, rules)
	if err != nil {
		return nil, err
	}
	parts := make([]Partition, repeats)
	for k := range parts {
		r := Random(seed, fmt.Sprintf("bootstrap %d", k))
		drawn := make([]bool, s.Rows())
		p := &parts[k]
		for _, units := range strata {
			for range units {
				unit := units[r.IntN(len(units))]
				p.Train = append(p.Train, unit...)
				for _, i := range unit {
					drawn[i] = true
				}
			}
		}
		for i, hit := range drawn {
			if !hit {
				p.Test = append(p.Test, i)
			}
		}
		slices.Sort(p.Train)
	}
	return parts, nil
}

// splitShares divides total over strata in proportion to their sizes by largest
// remainders, so that the shares add up exactly and none exceeds its stratum.
func splitShares(total int, sizes []int) []int {
	whole := 0
	for _, size := range sizes {
		whole += size
	}
	shares := make([]int, len(sizes))
	if whole == 0 {
		return shares
	}
	order := make([]int, len(sizes))
	left := total
	for k, size := range sizes {
		order[k] = k
		shares[k] = total * size / whole
		left -= shares[k]
	}
	slices.SortStableFunc(order, func(a, b int) int { return (total * sizes[b] % whole) - (total * sizes[a] % whole) })
	for _, k := range order[:left] {
		shares[k]++
	}
	return shares
}

// splitTake takes about want rows, spread over the strata in proportion: from each
// stratum the units in order, as long as each brings the number of rows nearer to the
// stratum's share. It returns the units taken and those left, by stratum.
func splitTake(strata [][][]int, want int) (taken [][]int, left [][][]int) {
	sizes := make([]int, len(strata))
	whole := 0
	for k, units := range strata {
		for _, unit := range units {
			sizes[k] += len(unit)
			whole += len(unit)
		}
	}
	left = make([][][]int, len(strata))
	for k, share := range splitShares(min(want, whole), sizes) {
		for _, unit := range strata[k] {
			if share > 0 && len(unit)-share < share {
				taken = append(taken, unit)
				share -= len(unit)
			} else {
				left[k] = append(left[k], unit)
			}
		}
	}
	return taken, left
}

// splitSmallest takes the smallest of all units out, if there is any.
func splitSmallest(strata [][][]int) (taken [][]int, left [][][]int) {
	from, at := -1, 0
	for k, units := range strata {
		for j, unit := range units {
			if from < 0 || len(unit) < len(strata[from][at]) {
				from, at = k, j
			}
		}
	}
	if from < 0 {
		return nil, strata
	}
	taken = [][]int{strata[from][at]}
	left = slices.Clone(strata)
	left[from] = slices.Concat(strata[from][:at], strata[from][at+1:])
	return taken, left
}

// splitShuffled returns the units in random order.
func splitShuffled(r *rand.Rand, units [][]int) [][]int {
	out := slices.Clone(units)
	r.Shuffle(len(out), func(a, b int) { out[a], out[b] = out[b], out[a] })
	return out
}
