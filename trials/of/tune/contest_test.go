package tune

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/tune"
	"gonum.org/v1/gonum/mat"
)

func hold(t *testing.T, c tune.Contest, set *dataset.Set) *tune.Standing {
	t.Helper()
	s, err := c.Run(context.Background(), set)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Dirt goes into training rows only, anew in every repeat, and all methods see the same.
func TestContestCorruptsTrainingRowsOnly(t *testing.T) {
	fake := &ridgeline{}
	m := fake.method()
	set := lineData(60, 2)
	for i := range set.Rows() {
		set.X.Set(i, 1, float64(i)) // numbers the rows
	}
	s := hold(t, tune.Contest{Task: catalog.Regress, Repeats: 3, Corrupt: "target:0.2,size=1000", Entrants: []tune.Entrant{{Label: "a", Method: m}, {Label: "b", Method: m}}}, set)
	if s.Dirty != 9 {
		t.Errorf("%v rows dirtied of 45", s.Dirty)
	}
	if a, b := s.Lines[0].Scores["rmse"], s.Lines[1].Scores["rmse"]; !slices.Equal(a, b) {
		t.Errorf("the same method twice: %v, %v", a, b)
	}
	seen := map[int]bool{}
	for _, fit := range fake.fits {
		hit := 0
		for i := range fit.Rows() {
			row := int(fit.X.At(i, 1))
			if fit.Target.Values[i] != set.Target.Values[row] {
				hit++
				seen[row] = true
			}
		}
		if hit != 9 {
			t.Errorf("%d rows of a fit are dirty", hit)
		}
	}
	if len(seen) <= 9 {
		t.Error("every repeat hits the same rows")
	}
	for i, y := range s.Lines[0].First.Test.Target.Values {
		if y != set.Target.Values[s.Parts[0].Test[i]] {
			t.Error("a test row is dirty")
		}
	}
}

func TestContestFailures(t *testing.T) {
	good, bad := &ridgeline{}, &ridgeline{fail: func(catalog.Values) error { return &catalog.UsageError{Problem: "no luck"} }}
	set := lineData(40, 1)
	c := tune.Contest{Task: catalog.Regress, Repeats: 2, Entrants: []tune.Entrant{{Label: "bad", Method: bad.method()}, {Label: "good", Method: good.method()}}}
	s := hold(t, c, set)
	if s.Lines[0].Label != "good" || s.Lines[1].Failure != "repeat 1: no luck" || !math.IsNaN(s.Lines[1].Mean) {
		t.Errorf("%+v", s.Lines[1])
	}
	c.Entrants = c.Entrants[:1]
	var usage *catalog.UsageError
	if _, err := c.Run(context.Background(), set); !errors.As(err, &usage) {
		t.Errorf("all failed: %v", err)
	}
	c.Entrants = []tune.Entrant{{Label: "good", Method: good.method()}}
	for want, change := range map[string]func(*tune.Contest){
		"--test 1.5":          func(c *tune.Contest) { c.TestShare = 1.5 },
		"--repeats -1":        func(c *tune.Contest) { c.Repeats = -1 },
		"there is no corrupt": func(c *tune.Contest) { c.Corrupt = "fire:0.1" },
		"no class labels":     func(c *tune.Contest) { c.Corrupt = "label:0.1" },
	} {
		c := c
		change(&c)
		if _, err := c.Run(context.Background(), set); !errors.As(err, &usage) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := c.Run(ctx, set); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	c.Rules.Groups = make([]int, set.Rows()) // which cannot be divided
	if _, err := c.Run(ctx, set); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled before the rows were divided: %v", err)
	}
}

// A tuned contest chooses parameters on the training rows alone: no fit sees a test row
// of its own repeat.
func TestTunedContest(t *testing.T) {
	fake := &ridgeline{}
	set := lineData(60, 2)
	x := mat.DenseCopyOf(set.X)
	for i := range set.Rows() {
		x.Set(i, 1, float64(i))
	}
	set.X = x
	s := hold(t, tune.Contest{Task: catalog.Regress, Repeats: 1, Tune: true, Entrants: []tune.Entrant{{Label: "a", Method: fake.method()}}}, set)
	if s.Lines[0].Tuned["lambda"] == "" || fake.count() < 10 {
		t.Errorf("tuned %v in %d fits", s.Lines[0].Tuned, fake.count())
	}
	for _, fit := range fake.fits {
		for i := range fit.Rows() {
			if slices.Contains(s.Parts[0].Test, int(fit.X.At(i, 1))) {
				t.Fatal("a test row was learned from")
			}
		}
	}
}

// Groups stay whole also where parameters are chosen: a fold that has a part of each group praises what learns them by heart.
func TestTunedContestKeepsGroupsWhole(t *testing.T) {
	for _, size := range []int{6, 20} { // 10 groups, and fewer than folds
		fake := &ridgeline{}
		set := lineData(60, 2)
		groups := make([]int, 60)
		for i := range groups {
			set.X.Set(i, 1, float64(i)) // numbers the rows
			groups[i] = i / size
		}
		hold(t, tune.Contest{Task: catalog.Regress, Repeats: 1, Tune: true, Rules: dataset.SplitRules{Groups: groups}, Entrants: []tune.Entrant{{Label: "a", Method: fake.method()}}}, set)
		for _, fit := range fake.fits {
			rows := map[int]int{}
			for i := range fit.Rows() {
				rows[groups[int(fit.X.At(i, 1))]]++
			}
			for g, n := range rows {
				if n != size {
					t.Fatalf("groups of %d: a fit has %d rows of group %d", size, n, g)
				}
			}
		}
	}
}
