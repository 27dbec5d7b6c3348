package tune

import (
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
)

// TestNarrowRangesHaveManyValues: all the steps that were asked for, and draws that differ.
func TestNarrowRangesHaveManyValues(t *testing.T) {
	m := (&ridgeline{}).method()
	if a := axis(t, m, "lambda=1..1.001:5000"); len(a.Values) != 5000 {
		t.Errorf("%d of 5000 values", len(a.Values))
	}
	s := Search{Method: m, Axes: []Axis{axis(t, m, "lambda=1000..1001:2")}, Random: 100}
	if list, err := s.candidates(); err != nil || len(list) != 100 {
		t.Errorf("%d of 100 draws, %v", len(list), err)
	}
}

func TestCandidates(t *testing.T) {
	m := (&ridgeline{}).method()
	s := Search{Method: m, Axes: []Axis{axis(t, m, "lambda=1,2"), axis(t, m, "hidden=5,6,7")}, Fixed: map[string]string{"mode": "flip"}}
	list, err := s.candidates()
	if err != nil || len(list) != 6 || list[1].Text(s.Axes) != "lambda=1 hidden=6" || list[5].Given()["mode"] != "flip" {
		t.Fatalf("%v %v", list, err)
	}
	s.Axes[0] = axis(t, m, "lambda=1e-3..1e3:4log")
	s.Random = 200
	list, err = s.candidates()
	if err != nil || len(list) != 200 {
		t.Fatalf("%d draws, %v", len(list), err)
	}
	seen := map[string]bool{}
	below := 0
	for _, c := range list {
		seen[c.Text(s.Axes)] = true
		v := catalog.Values(c.Params).Float("lambda")
		if v < 1e-3 || v > 1e3 {
			t.Errorf("lambda=%v is outside the range", v)
		}
		if v < 1 {
			below++
		}
	}
	if len(seen) != 200 || below < 60 || below > 140 { // half of the logarithms lie below 0
		t.Errorf("%d different draws, %d below 1", len(seen), below)
	}
	s.Axes = s.Axes[1:]
	if list, _ = s.candidates(); len(list) != 3 {
		t.Errorf("%d draws of three values", len(list))
	}
	for _, bad := range []Search{
		{Method: m, Axes: []Axis{{Name: "lambda", Values: []string{"1"}}, {Name: "lambda", Values: []string{"2"}}}},
		{Method: m, Axes: []Axis{{Name: "lambda", Values: []string{"1"}}}, Fixed: map[string]string{"lambda": "1"}},
		{Method: m, Random: -1},
		{Method: m, Fixed: map[string]string{"lambda": "-1"}},
	} {
		if _, err := bad.candidates(); err == nil {
			t.Errorf("%+v was accepted", bad)
		}
	}
}

// Every method of the catalog that learns a target has a default grid that it accepts.
func TestDefaultAxes(t *testing.T) {
	for _, m := range catalog.Methods() {
		for _, task := range []catalog.Task{catalog.Regress, catalog.Classify} {
			if !slices.Contains(m.Tasks, task) || m.Family == "tensor" {
				continue
			}
			set := lineData(200, 1)
			if task == catalog.Classify {
				set = classData(200)
			}
			s := Search{Method: m, Axes: DefaultAxes(m, nil, set, task)}
			list, err := s.candidates()
			if err != nil || len(list) < 2 || len(list) > mostDefault {
				t.Errorf("%s, %s: %d candidates, %v", m.Name, task, len(list), err)
			}
			fixed := map[string]string{}
			for _, a := range s.Axes {
				fixed[a.Name] = a.Values[0]
			}
			for _, a := range DefaultAxes(m, fixed, set, task) {
				if _, given := fixed[a.Name]; given {
					t.Errorf("%s: %s is fixed and varied", m.Name, a.Name)
				}
			}
		}
	}
}

// A beginning of the nested order has the classes in proportion.
func TestNestedSubsets(t *testing.T) {
	set := classData(100)
	rows := make([]int, 100)
	for i := range rows {
		rows[i] = i
	}
	order := nested(set, rows, "x", 1)
	if sorted := slices.Sorted(slices.Values(order)); !slices.Equal(sorted, rows) {
		t.Fatal("rows are lost")
	}
	count := make([]int, 3)
	for _, i := range order[:20] {
		count[set.Target.Labels[i]]++
	}
	all := make([]int, 3)
	for _, k := range set.Target.Labels {
		all[k]++
	}
	for k := range count {
		if diff := float64(count[k]) - float64(all[k])/5; diff > 1 || diff < -1 {
			t.Errorf("class %d: %d of 20 rows, %d of 100", k, count[k], all[k])
		}
	}
	if other := nested(set, rows, "y", 1); slices.Equal(order, other) {
		t.Error("two partitions have the same order")
	}
}
