package tune

import (
	"errors"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
)

func TestParseAxis(t *testing.T) {
	m := (&ridgeline{}).method()
	for text, want := range map[string][]string{
		"lambda=0.1, 1,10":       {"0.1", "1", "10"},
		"lambda=0.1,0.1,1":       {"0.1", "1"},
		"lambda=1e-2..1e2:5log":  {"0.01", "0.1", "1", "10", "100"},
		"lambda=0..1:3":          {"0", "0.5", "1"},
		"lambda=5,0..1:2":        {"5", "0", "1"},
		"hidden=2..5":            {"2", "3", "4", "5"},
		"hidden=10..1000:3log":   {"10", "100", "1000"},
		"hidden=auto,20":         {"auto", "20"},
		"mode=plain,flip":        {"plain", "flip"},
		"hidden=1..3:9":          {"1", "2", "3"},
		"lambda=0.001..0.1:3log": {"0.001", "0.01", "0.1"},
		"lambda=1000..1001:5":    {"1000", "1000.25", "1000.5", "1000.75", "1001"}, // a range that is a small part of its numbers
	} {
		a, err := ParseAxis(m, nil, text)
		if err != nil || !slices.Equal(a.Values, want) {
			t.Errorf("%s: %q, %v; want %q", text, a.Values, err, want)
		}
	}
	for _, text := range []string{"lambda", "lambda=", "=1", "lambda=-1", "lambda=a..b:3", "lambda=1..0:3", "lambda=0..1:3log", "lambda=0..1", "lambda=0..1:1",
		"lambda=1,,2", "hidden=2.5", "mode=other", "size=3", "loss=huber", "hidden=0..5", "lambda=0..1:3x"} {
		_, err := ParseAxis(m, nil, text)
		var usage *catalog.UsageError
		if !errors.As(err, &usage) {
			t.Errorf("%s: %v", text, err)
		}
	}
	near, err := catalog.Lookup("nearest-subspace")
	if err != nil {
		t.Fatal(err)
	}
	if a, err := ParseAxis(near, map[string]string{"reduce": "pca"}, "reduce.components=1..3"); err != nil || !slices.Equal(a.Values, []string{"1", "2", "3"}) {
		t.Errorf("components of the first step %q, %v", a.Values, err)
	}
	if _, err := ParseAxis(near, nil, "reduce.components=0"); err == nil {
		t.Error("no components were accepted")
	}
	m.Loss, m.Default = true, "welsch"
	if a, err := ParseAxis(m, nil, "loss=huber;kmpe:p=2,sigma=1"); err != nil || !slices.Equal(a.Values, []string{"huber", "kmpe:p=2,sigma=1"}) {
		t.Errorf("losses %q, %v", a.Values, err)
	}
}

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
