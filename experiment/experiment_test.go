package experiment

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/inlier-ml/inlier/dataset"
)

// made is a small experiment: two data sets, two methods; runs counts how often a method ran.
func made(runs *atomic.Int64) *Spec {
	entrant := func(name string, add float64) Entrant {
		return Entrant{Name: name, Params: map[string]string{"add": "1"}, Run: func(_ context.Context, b *Bench) error {
			runs.Add(1)
			b.Score("value", b.Data.(float64)+add)
			b.Series("curve", []float64{1, math.NaN(), 1.0 / 3})
			b.Ended(2, "converged")
			return nil
		}}
	}
	return &Spec{ID: "made", Paper: "beyond", Item: "Made", Title: "made", Quick: Form{Repeats: 3}, Full: Form{Repeats: 5},
		Plan: func(context.Context, *Env) ([]Case, error) {
			var out []Case
			for _, data := range []string{"one", "two"} {
				out = append(out, Case{Data: data, Draw: func(_ context.Context, seed uint64) (any, error) {
					return dataset.Random(seed, "made").Float64(), nil
				}, Entrants: []Entrant{entrant("a", 0), entrant("b", 1)}})
			}
			return out, nil
		}}
}

func TestAllMethodsMeetTheSameData(t *testing.T) {
	var runs atomic.Int64
	records, err := Run(context.Background(), made(&runs), Settings{Env: &Env{}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	r := newResults(records)
	for _, data := range r.data {
		a, b := r.values(data, "a", "value"), r.values(data, "b", "value")
		for i := range a {
			if math.Abs(b[i]-a[i]-1) > 1e-5 { // scores keep six digits
				t.Errorf("%s, repeat %d: a met %g, b met %g", data, i, a[i], b[i]-1)
			}
		}
		if len(a) != 3 || a[0] == a[1] {
			t.Errorf("%s: repeats are %v", data, a)
		}
	}
	if Seed(1, "one", 0) == Seed(1, "two", 0) || Seed(1, "one", 0) == Seed(2, "one", 0) || Seed(1, "one", 0) == Seed(1, "one", 1) {
		t.Error("seeds do not depend on base, data and repeat")
	}
}

func TestPageOfIncompleteRecords(t *testing.T) {
	spec := made(new(atomic.Int64))
	spec.Present = func(_ context.Context, v *View) error {
		_ = v.Of("never run", "a")[0]
		return nil
	}
	records, err := Run(context.Background(), spec, Settings{Env: &Env{}, Repeats: 1})
	if err != nil {
		t.Fatal(err)
	}
	page, err := NewView(spec, &Env{}, records).build(context.Background(), Origin{})
	if err != nil {
		t.Fatal(err)
	}
	html, err := page.HTML()
	if err != nil || !strings.Contains(string(html), "records are not complete") {
		t.Errorf("the page does not say that records are missing (%v)", err)
	}
}

func TestPagesNameTheVersionsOfTheirRecords(t *testing.T) {
	spec := made(new(atomic.Int64))
	path := filepath.Join(t.TempDir(), "journal.jsonl")
	run := func(version string, repeats int) []Record {
		records, err := Run(context.Background(), spec, Settings{Env: &Env{}, Repeats: repeats, Journal: path, Version: version})
		if err != nil {
			t.Fatal(err)
		}
		return records
	}
	if line := (Origin{Version: "9"}).line(run("1.0+a", 1)); !strings.Contains(line, "Inlier 1.0+a on") {
		t.Errorf("one version: %s", line)
	}
	// Pages written again from new records, beside the verdicts of an older version.
	site := &Site{Dir: t.TempDir(), Env: &Env{}, Origin: Origin{Machine: "m", Version: "9"}}
	registry[spec.ID] = spec
	defer delete(registry, spec.ID)
	if err := writeFile(site.RecordsPath(spec.ID), run("1.0+a", 1)); err != nil {
		t.Fatal(err)
	}
	if _, err := site.Write(context.Background(), []*Spec{spec}); err != nil {
		t.Fatal(err)
	}
	if o, ok := ReadOrigin(site.Dir); !ok || o.Version != "1.0+a" {
		t.Errorf("verdicts.json names version %q, the records 1.0+a", o.Version)
	}
	resumed := run("1.0+b", 2)
	n := len(resumed) / 2
	if line := (Origin{Version: "9"}).line(resumed); !strings.Contains(line, fmt.Sprintf("1.0+a %d, 1.0+b %d", n, n)) {
		t.Errorf("a resumed run: %s", line)
	}
}
