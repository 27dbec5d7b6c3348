package check

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// Wrong labels are found, named with the class they should have, and good ones left alone.
func TestWrongLabelsAreFound(t *testing.T) {
	source := random.New(5, "labels")
	classes := []string{"ash", "beech", "oak"}
	wrong := map[int]string{}
	var rows [][]string
	for i := range 300 {
		class := i % 3
		x := float64(class)*4 + source.NormFloat64()
		y := math.Abs(float64(class)-1)*3 + source.NormFloat64()
		label := classes[class]
		if i%12 == 5 {
			wrong[i] = label
			label = classes[(class+1)%3]
		}
		rows = append(rows, []string{fmt.Sprintf("%.3f", x), fmt.Sprintf("%.3f", y), fmt.Sprintf("%.3f", source.NormFloat64()), label})
	}
	table := tolerant.FromStrings([]string{"height", "width", "noise", "tree"}, rows, tolerant.Options{})
	r, err := check.Run(context.Background(), table, check.Settings{Target: "tree"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	found, doubted := 0, 0
	for _, c := range r.Cells {
		if c.Part != check.PartLabel || !c.Wrong {
			continue
		}
		if should, ok := wrong[c.Row]; !ok {
			doubted++
		} else if found++; c.Level != should {
			t.Errorf("row %d: should be %s, suggested %s (%s)", c.Row+1, should, c.Level, c.Why)
		}
		if !r.Wrong[c.Row] {
			t.Errorf("row %d has a wrong label and is not wrong", c.Row+1)
		}
	}
	if found < 21 || doubted > 3 {
		t.Errorf("%d of %d wrong labels found, %d good ones doubted", found, len(wrong), doubted)
	}
}

// Where classes overlap a label that is not the usual one there is no mistake: of 200 good labels of
// which every fifth lies on the other class's side few are called wrong (28 were).
func TestGoodLabelsOfOverlappingClasses(t *testing.T) {
	source := random.New(7, "overlap")
	var rows [][]string
	for i := range 200 {
		x := 1.5*float64(i%2) + source.NormFloat64()
		rows = append(rows, []string{fmt.Sprintf("%.3f", x), fmt.Sprintf("%.3f", source.NormFloat64()), fmt.Sprintf("%.3f", source.NormFloat64()), []string{"no", "yes"}[i%2]})
	}
	table := tolerant.FromStrings([]string{"a", "b", "c", "ill"}, rows, tolerant.Options{})
	r, err := check.Run(context.Background(), table, check.Settings{Target: "ill"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	called := 0
	for i, wrong := range r.Wrong {
		if wrong && r.Part[i] == check.PartLabel {
			called++
		}
	}
	if called > 8 {
		t.Errorf("%d of 200 good labels are called wrong", called)
	}
}

// A numeric target is held against a bent function of the others, which no line follows.
func TestWrongTargetsOfABentFunction(t *testing.T) {
	source := random.New(9, "targets")
	wrong := map[int]bool{}
	var rows [][]string
	for i := range 400 {
		x := 6*source.Float64() - 3
		y := 5 + 4*math.Cos(1.5*x) + 0.1*source.NormFloat64()
		if i%40 == 7 {
			wrong[i] = true
			y = 10 - y + 1.5
		}
		rows = append(rows, []string{fmt.Sprintf("%.4f", x), fmt.Sprintf("%.4f", source.NormFloat64()), fmt.Sprintf("%.4f", y)})
	}
	table := tolerant.FromStrings([]string{"x", "noise", "y"}, rows, tolerant.Options{})
	r, err := check.Run(context.Background(), table, check.Settings{Target: "y"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	found, others := 0, 0
	for i, w := range r.Wrong {
		if w && wrong[i] {
			found++
		} else if w {
			others++
		}
	}
	if found < 8 || others > 2 {
		t.Errorf("%d of %d wrong targets found, %d good rows called wrong", found, len(wrong), others)
	}
}

// Without a target, or with one that nothing can be said about, the part is silent.
func TestTargetsWithoutGround(t *testing.T) {
	for name, rows := range map[string][][]string{
		"few rows":  {{"1", "a"}, {"2", "b"}, {"3", "a"}},
		"one class": {{"1", "a"}, {"2", "a"}, {"3", "a"}},
	} {
		table := tolerant.FromStrings([]string{"x", "y"}, rows, tolerant.Options{})
		for _, target := range []string{"", "y", "x", "none"} {
			if _, err := check.Run(context.Background(), table, check.Settings{Target: target}, nil); err != nil {
				t.Errorf("%s, target %q: %v", name, target, err)
			}
		}
	}
}

// called counts the labels that are called wrong among those that are, with the suggested class right, and the others.
func called(t *testing.T, r *check.Result, wrong map[int]string) (found, others int) {
	t.Helper()
	for _, c := range r.Cells {
		if c.Part != check.PartLabel || !c.Wrong {
			continue
		}
		if should, is := wrong[c.Row]; is && c.Level == should {
			found++
		} else if !is {
			others++
		}
	}
	return found, others
}

// Three in ten rows of one class are called another: usual as that is, the rows lie as deep among those of their own class as these do.
func TestLabelsThatWentAstrayTogether(t *testing.T) {
	source := random.New(11, "astray")
	wrong := map[int]string{}
	var rows [][]string
	for i := range 300 {
		label := []string{"ash", "beech", "oak"}[i%3]
		x, y := 5*float64(i%3)+source.NormFloat64(), source.NormFloat64()
		if i%3 == 0 && source.Float64() < 0.3 {
			wrong[i], label = label, "beech"
		}
		rows = append(rows, []string{fmt.Sprintf("%.3f", x), fmt.Sprintf("%.3f", y), label})
	}
	table := tolerant.FromStrings([]string{"height", "width", "tree"}, rows, tolerant.Options{})
	r, err := check.Run(context.Background(), table, check.Settings{Target: "tree"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if found, others := called(t, r, wrong); 10*found < 8*len(wrong) || others > 3 {
		t.Errorf("%d of %d wrong labels found, %d good ones called wrong", found, len(wrong), others)
	}
}

// Classes that are coded by numbers are no grades: as many wrong labels are called as of the same classes in words.
func TestCodesOfClassesAreNoGrades(t *testing.T) {
	source := random.New(5, "codes")
	words := []string{"ash", "oak", "fir", "elm"}
	spots := [][2]float64{{0, 0}, {6, 0}, {0, 6}, {6, 6}}
	wrong := map[int]bool{}
	var coded, worded [][]string
	for i := range 240 {
		is := source.IntN(4)
		a, b := fmt.Sprintf("%.3f", spots[is][0]+source.NormFloat64()), fmt.Sprintf("%.3f", spots[is][1]+source.NormFloat64())
		if i%10 == 3 {
			wrong[i], is = true, (is+1)%4
		}
		coded, worded = append(coded, []string{a, b, fmt.Sprint(is)}), append(worded, []string{a, b, words[is]})
	}
	count := func(rows [][]string) (found int) {
		r, err := check.Run(context.Background(), tolerant.FromStrings([]string{"a", "b", "tree"}, rows, tolerant.Options{}), check.Settings{Target: "tree"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range r.Cells {
			if c.Part == check.PartLabel && c.Wrong && wrong[c.Row] {
				found++
			}
		}
		return found
	}
	if codes, names := count(coded), count(worded); codes < names || names < 12 {
		t.Errorf("of %d wrong labels %d are called as numbers, %d as words", len(wrong), codes, names)
	}
}
