package dataset

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
)

// Folds divides the rows into k parts of sizes as equal as the rules allow, and
// returns k partitions, each with one part as its test rows. With Stratify every class is
// spread over the parts as evenly as possible too.
func Folds(s *Set, k int, rules SplitRules, seed uint64) ([]Partition, error) {
	return RepeatedFolds(s, k, 1, rules, seed)
}

// RepeatedFolds makes [Folds] repeats times with different random numbers, one
// repeat after the other. The first repeat is that of Folds.
func RepeatedFolds(s *Set, k, repeats int, rules SplitRules, seed uint64) ([]Partition, error) {
	strata, err := splitStrata(s, rules)
	if err != nil {
		return nil, err
	}
	units := 0
	for _, stratum := range strata {
		units += len(stratum)
	}
	if k < 2 || k > units {
		return nil, fmt.Errorf("dataset: folds: %d folds must be in [2, %d], the rows of %s that may be apart", k, units, s.Name)
	}
	if repeats < 1 {
		return nil, fmt.Errorf("dataset: folds: %d repeats must be at least 1", repeats)
	}
	var parts []Partition
	for repeat := range repeats {
		parts = append(parts, splitDeal(s.Rows(), strata, k, Random(seed, fmt.Sprintf("folds %d", repeat)))...)
	}
	for _, p := range parts {
		if len(p.Test) == 0 {
			return nil, fmt.Errorf("dataset: folds: rows of %s that must stay together leave a fold empty", s.Name)
		}
	}
	return parts, nil
}

// splitDeal deals the units of each stratum to k folds: always to the fold that has
// the fewest rows of the stratum so far, among those the one with the fewest rows in all.
// With single rows both counts then differ by at most one between folds.
func splitDeal(n int, strata [][][]int, k int, r *rand.Rand) []Partition {
	fold := make([]int, n)
	total := make([]int, k)
	order := r.Perm(k) // breaks ties
	for _, stratum := range strata {
		units := splitShuffled(r, stratum)
		// Large groups first, so that small ones even them out.
		slices.SortStableFunc(units, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
		here := make([]int, k)
		for _, unit := range units {
			best := slices.MinFunc(order, func(a, b int) int {
				return cmp.Or(cmp.Compare(here[a], here[b]), cmp.Compare(total[a], total[b]))
			})
			here[best] += len(unit)
			total[best] += len(unit)
			for _, i := range unit {
				fold[i] = best
			}
		}
	}
	parts := make([]Partition, k)
	for i, f := range fold {
		for p := range parts {
			if p == f {
				parts[p].Test = append(parts[p].Test, i)
			} else {
				parts[p].Train = append(parts[p].Train, i)
			}
		}
	}
	return parts
}
