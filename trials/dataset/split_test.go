package dataset

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/synthetic"
)

// splitDraws draws a small labelled set with repeated rows, and rules.
func splitDraws(t *rapid.T) (*dataset.Set, dataset.SplitRules) {
	n := rapid.IntRange(2, 60).Draw(t, "n")
	classes := rapid.IntRange(1, 4).Draw(t, "classes")
	kinds := rapid.IntRange(2, 80).Draw(t, "kinds of rows")
	s := &dataset.Set{Name: "drawn", X: mat.NewDense(n, 1, nil), Columns: []string{"x"},
		Target: &dataset.Target{Name: "class", Labels: make([]int, n), Classes: []string{"1", "2", "3", "4"}[:classes]}}
	groups := make([]int, n)
	groupKinds := rapid.IntRange(2, 40).Draw(t, "groups")
	for i := range n {
		s.X.Set(i, 0, float64(rapid.IntRange(0, kinds).Draw(t, "x")))
		s.Target.Labels[i] = rapid.IntRange(0, classes-1).Draw(t, "label")
		groups[i] = rapid.IntRange(0, groupKinds).Draw(t, "group")
	}
	rules := dataset.SplitRules{Stratify: rapid.Bool().Draw(t, "stratify"), Together: rapid.Bool().Draw(t, "together")}
	if rapid.Bool().Draw(t, "grouped") {
		rules.Groups = groups
	}
	return s, rules
}

// splitCheck checks the laws that every partition of all rows obeys.
func generate(t *testing.T, r synthetic.Recipe, seed uint64) *synthetic.Generated {
	t.Helper()
	g, err := r.Generate(seed)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func splitCheck(t *rapid.T, s *dataset.Set, rules dataset.SplitRules, p dataset.Partition) {
	all := slices.Concat(p.Train, p.Test)
	slices.Sort(all)
	if !slices.Equal(all, splitCounting(s.Rows())) {
		t.Fatalf("train %v and test %v are not a division of %d rows", p.Train, p.Test, s.Rows())
	}
	if !slices.IsSorted(p.Train) || !slices.IsSorted(p.Test) || len(p.Train) == 0 || len(p.Test) == 0 {
		t.Fatal("a side is empty or not in order")
	}
	for _, a := range p.Train {
		for _, b := range p.Test {
			if rules.Together && s.X.At(a, 0) == s.X.At(b, 0) {
				t.Fatalf("equal rows %d and %d were parted", a, b)
			}
			if rules.Groups != nil && rules.Groups[a] == rules.Groups[b] {
				t.Fatalf("rows %d and %d of one group were parted", a, b)
			}
		}
	}
}

func splitCounting(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

func splitClassCounts(s *dataset.Set, rows []int) []int {
	counts := make([]int, len(s.Target.Classes))
	for _, i := range rows {
		counts[s.Target.Labels[i]]++
	}
	return counts
}

// splitUnits counts what must stay whole: rows that share a group or, together, their number, and what these share in turn.
func splitUnits(s *dataset.Set, rules dataset.SplitRules) (units int) {
	seen := make([]bool, s.Rows())
	for first := range seen {
		if seen[first] {
			continue
		}
		units++
		seen[first] = true
		for open := []int{first}; len(open) > 0; open = open[1:] {
			for b := range seen {
				a := open[0]
				if !seen[b] && (rules.Groups != nil && rules.Groups[a] == rules.Groups[b] || rules.Together && s.X.At(a, 0) == s.X.At(b, 0)) {
					seen[b], open = true, append(open, b)
				}
			}
		}
	}
	return units
}

func TestSplitLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, rules := splitDraws(t)
		fraction := rapid.Float64Range(0.02, 0.98).Draw(t, "fraction")
		seed := rapid.Uint64().Draw(t, "seed")
		p, err := dataset.SplitBy(s, fraction, rules, seed)
		if err != nil {
			if units := splitUnits(s, rules); units > 1 {
				t.Fatalf("%d units could not be split: %v", units, err)
			}
			return
		}
		splitCheck(t, s, rules, p)
		again, _ := dataset.SplitBy(s, fraction, rules, seed)
		if !reflect.DeepEqual(p, again) {
			t.Fatal("the same seed gave another split")
		}
		if rules.Groups == nil && !rules.Together {
			n := float64(s.Rows())
			if want := min(max(int(fraction*n+0.5), 1), s.Rows()-1); len(p.Test) != want {
				t.Fatalf("%d test rows, want %d", len(p.Test), want)
			}
			if rules.Stratify {
				share := float64(len(p.Test)) / n
				whole := splitClassCounts(s, splitCounting(s.Rows()))
				for k, got := range splitClassCounts(s, p.Test) {
					if want := share * float64(whole[k]); float64(got) <= want-1 || float64(got) >= want+1 {
						t.Fatalf("class %d has %d test rows, want about %.2f", k, got, want)
					}
				}
			}
		}
	})
}

func TestFoldLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, rules := splitDraws(t)
		k := rapid.IntRange(2, 6).Draw(t, "folds")
		units := splitUnits(s, rules)
		parts, err := dataset.RepeatedFolds(s, k, 2, rules, 3)
		if k > units {
			if err == nil {
				t.Fatal("more folds than units were accepted")
			}
			return
		}
		if err != nil {
			// Only a class that sits in few large groups may leave a fold empty.
			if rules.Groups == nil && !rules.Together {
				t.Fatal(err)
			}
			return
		}
		single, err := dataset.Folds(s, k, rules, 3)
		if err != nil || !reflect.DeepEqual(single, parts[:k]) {
			t.Fatal("the first repeat is not that of Folds")
		}
		for repeat := range 2 {
			tested := make([]int, s.Rows())
			least, most := s.Rows(), 0
			classLeast, classMost := slices.Repeat([]int{s.Rows()}, 4), make([]int, 4)
			for _, p := range parts[repeat*k : repeat*k+k] {
				splitCheck(t, s, rules, p)
				for _, i := range p.Test {
					tested[i]++
				}
				least, most = min(least, len(p.Test)), max(most, len(p.Test))
				for c, count := range splitClassCounts(s, p.Test) {
					classLeast[c], classMost[c] = min(classLeast[c], count), max(classMost[c], count)
				}
			}
			if slices.Min(tested) != 1 || slices.Max(tested) != 1 {
				t.Fatal("a row is not in exactly one test fold")
			}
			if rules.Groups == nil && !rules.Together {
				if most-least > 1 {
					t.Fatalf("fold sizes from %d to %d", least, most)
				}
				for c := range s.Target.Classes {
					if rules.Stratify && classMost[c]-classLeast[c] > 1 {
						t.Fatalf("class %d has from %d to %d rows in a fold", c, classLeast[c], classMost[c])
					}
				}
			}
		}
	})
}

func TestBootstrapLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, rules := splitDraws(t)
		parts, err := dataset.Bootstrap(s, 3, rules, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range parts {
			distinct := slices.Compact(slices.Clone(p.Train))
			all := slices.Concat(distinct, p.Test)
			slices.Sort(all)
			if !slices.Equal(all, splitCounting(s.Rows())) {
				t.Fatal("drawn and left-out rows do not make up the set")
			}
			if rules.Groups == nil && !rules.Together {
				if len(p.Train) != s.Rows() {
					t.Fatalf("%d draws, want %d", len(p.Train), s.Rows())
				}
				if rules.Stratify && !slices.Equal(splitClassCounts(s, p.Train), splitClassCounts(s, splitCounting(s.Rows()))) {
					t.Fatal("class counts changed")
				}
			}
		}
		if s.Rows() > 20 && rules.Groups == nil && !rules.Together && reflect.DeepEqual(parts[0], parts[1]) {
			t.Fatal("two repeats are the same")
		}
	})
}

func TestBootstrapLeavesOutAThird(t *testing.T) {
	s := generate(t, &synthetic.LowRank{N: 5000, D: 1, SDs: []float64{1}, Outliers: "none"}, 1).Set
	parts, err := dataset.Bootstrap(s, 1, dataset.SplitRules{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	// The share never drawn tends to exp(-1) = 0.368.
	if share := float64(len(parts[0].Test)) / 5000; share < 0.34 || share > 0.395 {
		t.Errorf("%g of the rows were left out, want about 0.368", share)
	}
}

func TestSplitKeepsCopiesTogether(t *testing.T) {
	s := generate(t, &synthetic.Faces{Subjects: 5, PerSubject: 8, Size: []int{16, 12}, Max: 255, Lighting: 1, Expression: 1, Pose: 1}, 1).Set
	rows := append(splitCounting(40), 3, 3, 17, 22)
	s = s.Subset(rows)
	first := dataset.Duplicates(s)
	for i, want := range map[int]int{0: 0, 39: 39, 40: 3, 41: 3, 42: 17, 43: 22} {
		if first[i] != want {
			t.Errorf("first copy of row %d is %d, want %d", i, first[i], want)
		}
	}
	parted := 0
	for seed := range uint64(20) {
		for _, together := range []bool{false, true} {
			p, err := dataset.SplitBy(s, 0.5, dataset.SplitRules{Stratify: true, Together: together}, seed)
			if err != nil {
				t.Fatal(err)
			}
			inTest := make(map[int]bool)
			for _, i := range p.Test {
				inTest[i] = true
			}
			for i, f := range first {
				if inTest[i] != inTest[f] {
					if together {
						t.Fatal("copies were parted")
					}
					parted++
				}
			}
		}
	}
	if parted == 0 {
		t.Error("without the rule copies were never parted: the test shows nothing")
	}
}

func TestSplitCountsAndPerClass(t *testing.T) {
	c := synthetic.DefaultBlobs()
	c.LabelNoise = 0
	s := generate(t, &c, 1).Set // 300 rows
	p, err := dataset.SplitCount(s, 100, 50, dataset.SplitRules{}, 4)
	if err != nil || len(p.Train) != 100 || len(p.Test) != 50 {
		t.Fatalf("%d + %d rows, error %v", len(p.Train), len(p.Test), err)
	}
	for _, i := range p.Train {
		if slices.Contains(p.Test, i) {
			t.Fatal("a row is on both sides")
		}
	}
	p, err = dataset.PerClass(s, 20, 4)
	if err != nil || !slices.Equal(splitClassCounts(s, p.Train), []int{20, 20, 20}) || len(p.Test) != 240 {
		t.Fatalf("per class: %v, error %v", splitClassCounts(s, p.Train), err)
	}
}

func TestSplitRefuses(t *testing.T) {
	c := synthetic.DefaultBlobs()
	s := generate(t, &c, 1).Set
	table := generate(t, &synthetic.LowRank{N: 30, D: 4, SDs: []float64{1}, Outliers: "none"}, 1).Set
	one := make([]int, 30)
	cases := []struct {
		what string
		err  error
		want string
	}{}
	add := func(what string, err error, want string) {
		cases = append(cases, struct {
			what string
			err  error
			want string
		}{what, err, want})
	}
	for _, f := range []float64{0, 1, -1, 2} {
		_, err := dataset.Split(s, f, 1)
		add(fmt.Sprint("fraction ", f), err, "must be in (0, 1)")
	}
	_, err := dataset.SplitBy(table, 0.5, dataset.SplitRules{Stratify: true}, 1)
	add("stratify without labels", err, "has no class labels to stratify by")
	_, err = dataset.SplitBy(table, 0.5, dataset.SplitRules{Groups: one[:3]}, 1)
	add("few groups", err, "3 groups must be one for each of the 30 rows")
	_, err = dataset.SplitBy(table, 0.5, dataset.SplitRules{Groups: one}, 1)
	add("one group", err, "must all stay together")
	_, err = dataset.SplitCount(table, 20, 11, dataset.SplitRules{}, 1)
	add("too many", err, "together at most the 30")
	_, err = dataset.Folds(table, 31, dataset.SplitRules{}, 1)
	add("too many folds", err, "31 folds must be in [2, 30]")
	_, err = dataset.Folds(table, 1, dataset.SplitRules{}, 1)
	add("one fold", err, "1 folds must be in [2, 30]")
	_, err = dataset.RepeatedFolds(table, 3, 0, dataset.SplitRules{}, 1)
	add("no repeats", err, "0 repeats must be at least 1")
	_, err = dataset.Bootstrap(table, 0, dataset.SplitRules{}, 1)
	add("no bootstrap", err, "0 repeats must be at least 1")
	_, err = dataset.PerClass(s, 1000, 1)
	add("per class", err, "1000 rows per class must be in [1,")
	_, err = dataset.Split(s.Subset([]int{1}), 0.5, 1)
	add("one row", err, "must have at least 2")
	_, err = dataset.Folds(s.Subset(nil), 2, dataset.SplitRules{}, 1)
	add("no rows", err, "has no rows")
	for _, c := range cases {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) || !strings.HasPrefix(c.err.Error(), "dataset: ") {
			t.Errorf("%s: error %v, want %q", c.what, c.err, c.want)
		}
	}
}

// Splits for a seed are fixed for ever, as generators are.
func TestSplitsAreFixedForEver(t *testing.T) {
	c := synthetic.DefaultBlobs()
	c.N = 12
	s := generate(t, &c, 1).Set
	p, err := dataset.Split(s, 0.25, 7)
	if err != nil {
		t.Fatal(err)
	}
	folds, err := dataset.Folds(s, 3, dataset.SplitRules{Stratify: true}, 7)
	if err != nil {
		t.Fatal(err)
	}
	boot, err := dataset.Bootstrap(s, 1, dataset.SplitRules{}, 7)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(p.Test, folds[0].Test, folds[1].Test, folds[2].Test, boot[0].Train)
	const want = "[1 4 11] [0 4 5 8] [3 6 9 10] [1 2 7 11] [1 3 3 3 4 5 6 7 10 11 11 11]"
	if got != want {
		t.Errorf("splits %q, want %q", got, want)
	}
}
