package tune

import (
	"testing"
)

// As many random candidates as there are cells are all of them.
func TestRandomTriesEveryCell(t *testing.T) {
	m := new(ridgeline).method()
	for _, c := range []struct {
		grids []string
		ask   int
		want  int
	}{
		{[]string{"lambda=0,1,2,3,4,5,6,7,8,9", "hidden=1,2,3,4,5,6,7,8,9,10"}, 100, 100},
		{[]string{"lambda=0,1,2,3,4,5,6,7,8,9", "hidden=1,2,3,4,5,6,7,8,9,10"}, 99, 99},
		{[]string{"lambda=0,1,2,3,4,5,6,7,8,9", "hidden=1,2,3,4,5,6,7,8,9,10"}, 1000, 100},
		{[]string{"lambda=0,1", "hidden=1..40"}, 80, 80},
		{[]string{"lambda=0..1:3"}, 60, 60},
	} {
		s := Search{Method: m, Random: c.ask, Seed: 3}
		for _, g := range c.grids {
			s.Axes = append(s.Axes, axis(t, m, g))
		}
		list, err := s.candidates()
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, one := range list {
			seen[one.Text(s.Axes)] = true
		}
		if len(list) != c.want || len(seen) != c.want {
			t.Errorf("%v: %d asked for, %d tried, %d different", c.grids, c.ask, len(list), len(seen))
		}
	}
}

// Fewer components are simpler, also those of a reduction.
func TestOneStandardErrorKnowsReductions(t *testing.T) {
	axes := []Axis{{Name: "reduce.components", Values: []string{"5", "2"}}}
	r := Result{Axes: axes, Trials: []Trial{
		{Candidate: Candidate{Params: map[string]string{"reduce.components": "5"}}, Score: 1, StandardError: 0.2},
		{Candidate: Candidate{Params: map[string]string{"reduce.components": "2"}}, Score: 1.1},
	}}
	if r.choose(true); r.Chosen().Params["reduce.components"] != "2" {
		t.Errorf("chosen: %v", r.Chosen().Params)
	}
}

// Differences that are equal but for rounding have no spread and no p value.
func TestEqualDifferencesAreNotTested(t *testing.T) {
	a, b := []float64{0.1, 0.2, 0.3, 0.4}, []float64{0.3, 0.4, 0.5, 0.6000000000000001}
	if d, err := resampled(a, b, 0.3); err == nil {
		t.Errorf("p = %v", d.P)
	}
	if d, err := resampled(a, a, 0.3); err != nil || d.P != 1 {
		t.Errorf("equal scores: %v, %v", d, err)
	}
}
