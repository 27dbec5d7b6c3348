package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
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

// timeless leaves out what differs from run to run.
func timeless(records []Record) []Record {
	out := slices.Clone(records)
	for i := range out {
		out[i].Seconds = 0
	}
	return out
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

func TestWorkersDoNotMatter(t *testing.T) {
	var runs atomic.Int64
	var got [2][]Record
	for i, workers := range []int{1, 4} {
		var err error
		if got[i], err = Run(context.Background(), made(&runs), Settings{Env: &Env{Full: true}, Seed: 7, Workers: workers}); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(timeless(got[0]), timeless(got[1])); d != "" || len(got[0]) != 20 {
		t.Errorf("%d records: %s", len(got[0]), d)
	}
}

func TestResume(t *testing.T) {
	var runs atomic.Int64
	spec := made(&runs)
	path := filepath.Join(t.TempDir(), "records", "made.jsonl")
	ctx, cancel := context.WithCancel(context.Background())
	// Interrupted after five runs.
	var once sync.Once
	_, err := Run(ctx, spec, Settings{Env: &Env{}, Seed: 1, Workers: 1, Journal: path, OnProgress: func(done, all int, _ string) {
		if all != 12 {
			t.Errorf("%d runs planned", all)
		}
		if done == 5 {
			once.Do(cancel)
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted: %v", err)
	}
	// A crash cut the last line.
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before := strings.Count(string(text), "\n")
	if err := os.WriteFile(path, append(text, `{"experiment":"ma`...), 0o644); err != nil {
		t.Fatal(err)
	}
	runs.Store(0)
	resumed, err := Run(context.Background(), spec, Settings{Env: &Env{}, Seed: 1, Journal: path})
	if err != nil {
		t.Fatal(err)
	}
	if int(runs.Load()) != 12-before {
		t.Errorf("%d lines were kept, but %d of 12 runs were done again", before, runs.Load())
	}
	fresh, err := Run(context.Background(), spec, Settings{Env: &Env{}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(timeless(fresh), timeless(resumed)); d != "" {
		t.Error(d)
	}
	// A longer run adds repeats; a quick one afterwards keeps them.
	runs.Store(0)
	for _, full := range []bool{true, false} {
		records, err := Run(context.Background(), spec, Settings{Env: &Env{Full: full}, Seed: 1, Journal: path})
		if err != nil || len(records) != 20 {
			t.Errorf("full=%v: %d records, %v", full, len(records), err)
		}
	}
	if runs.Load() != 8 {
		t.Errorf("%d runs instead of the 8 that were missing", runs.Load())
	}
}

func TestFailuresAreRecords(t *testing.T) {
	spec := made(new(atomic.Int64))
	spec.Plan = func(context.Context, *Env) ([]Case, error) {
		return []Case{{Data: "x", Entrants: []Entrant{
			{Name: "fails", Run: func(context.Context, *Bench) error { return errors.New("no luck") }},
			{Name: "panics", Run: func(context.Context, *Bench) error { panic("oops") }},
		}}}, nil
	}
	records, err := Run(context.Background(), spec, Settings{Env: &Env{}, Repeats: 1})
	if err != nil || len(records) != 2 || records[0].Failure != "no luck" || !strings.Contains(records[1].Failure, "oops") {
		t.Errorf("%+v, %v", records, err)
	}
}

func TestMissingDataIsAVerdict(t *testing.T) {
	spec := made(new(atomic.Int64))
	spec.Needs = []string{"nowhere.csv"}
	env := &Env{Dir: t.TempDir()}
	records, err := Run(context.Background(), spec, Settings{Env: env})
	if err != nil || len(records) != 0 {
		t.Fatal(records, err)
	}
	if v := Judge(spec, records, env.Missing(spec.Needs)); v.Outcome != NoData || !strings.Contains(v.Reason, "nowhere.csv") {
		t.Errorf("%+v", v)
	}
}

func TestParquetRoundTrip(t *testing.T) {
	records, err := Run(context.Background(), made(new(atomic.Int64)), Settings{Env: &Env{}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "records.parquet")
	if err := file.WriteTableFile(path, Columns(records)); err != nil {
		t.Fatal(err)
	}
	set, err := file.Read(context.Background(), path, file.Options{Columns: []string{"value", "repeat"}, Missing: file.MissingKeep})
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range records {
		if set.X.At(i, 0) != float64(r.Scores["value"]) || int(set.X.At(i, 1)) != r.Repeat {
			t.Errorf("row %d: %v for %+v", i, set.X.RawRowView(i), r)
		}
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
