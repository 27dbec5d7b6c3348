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
	"github.com/inlier-ml/inlier/experiment"
)

// made is a small experiment: two data sets, two methods; runs counts how often a method ran.
func made(runs *atomic.Int64) *experiment.Spec {
	entrant := func(name string, add float64) experiment.Entrant {
		return experiment.Entrant{Name: name, Params: map[string]string{"add": "1"}, Run: func(_ context.Context, b *experiment.Bench) error {
			runs.Add(1)
			b.Score("value", b.Data.(float64)+add)
			b.Series("curve", []float64{1, math.NaN(), 1.0 / 3})
			b.Ended(2, "converged")
			return nil
		}}
	}
	return &experiment.Spec{ID: "made", Paper: "beyond", Item: "Made", Title: "made", Quick: experiment.Form{Repeats: 3}, Full: experiment.Form{Repeats: 5},
		Plan: func(context.Context, *experiment.Env) ([]experiment.Case, error) {
			var out []experiment.Case
			for _, data := range []string{"one", "two"} {
				out = append(out, experiment.Case{Data: data, Draw: func(_ context.Context, seed uint64) (any, error) {
					return dataset.Random(seed, "made").Float64(), nil
				}, Entrants: []experiment.Entrant{entrant("a", 0), entrant("b", 1)}})
			}
			return out, nil
		}}
}

// timeless leaves out what differs from run to run.
func timeless(records []experiment.Record) []experiment.Record {
	out := slices.Clone(records)
	for i := range out {
		out[i].Seconds = 0
	}
	return out
}

func TestWorkersDoNotMatter(t *testing.T) {
	var runs atomic.Int64
	var got [2][]experiment.Record
	for i, workers := range []int{1, 4} {
		var err error
		if got[i], err = experiment.Run(context.Background(), made(&runs), experiment.Settings{Env: &experiment.Env{Full: true}, Seed: 7, Workers: workers}); err != nil {
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
	_, err := experiment.Run(ctx, spec, experiment.Settings{Env: &experiment.Env{}, Seed: 1, Workers: 1, Journal: path, OnProgress: func(done, all int, _ string) {
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
	resumed, err := experiment.Run(context.Background(), spec, experiment.Settings{Env: &experiment.Env{}, Seed: 1, Journal: path})
	if err != nil {
		t.Fatal(err)
	}
	if int(runs.Load()) != 12-before {
		t.Errorf("%d lines were kept, but %d of 12 runs were done again", before, runs.Load())
	}
	fresh, err := experiment.Run(context.Background(), spec, experiment.Settings{Env: &experiment.Env{}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(timeless(fresh), timeless(resumed)); d != "" {
		t.Error(d)
	}
	// A longer run adds repeats; a quick one afterwards keeps them.
	runs.Store(0)
	for _, full := range []bool{true, false} {
		records, err := experiment.Run(context.Background(), spec, experiment.Settings{Env: &experiment.Env{Full: full}, Seed: 1, Journal: path})
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
	spec.Plan = func(context.Context, *experiment.Env) ([]experiment.Case, error) {
		return []experiment.Case{{Data: "x", Entrants: []experiment.Entrant{
			{Name: "fails", Run: func(context.Context, *experiment.Bench) error { return errors.New("no luck") }},
			{Name: "panics", Run: func(context.Context, *experiment.Bench) error { panic("oops") }},
		}}}, nil
	}
	records, err := experiment.Run(context.Background(), spec, experiment.Settings{Env: &experiment.Env{}, Repeats: 1})
	if err != nil || len(records) != 2 || records[0].Failure != "no luck" || !strings.Contains(records[1].Failure, "oops") {
		t.Errorf("%+v, %v", records, err)
	}
}

// Records and pages are for others: what failed names files as they lie in the data folder, not where that is on this machine.
func TestFailuresNameNoFolders(t *testing.T) {
	spec := made(new(atomic.Int64))
	env := &experiment.Env{Dir: t.TempDir() + "/"}
	spec.Plan = func(context.Context, *experiment.Env) ([]experiment.Case, error) {
		return []experiment.Case{{Data: "x", Entrants: []experiment.Entrant{{Name: "fails", Run: func(context.Context, *experiment.Bench) error {
			return fmt.Errorf("%s: no luck", filepath.Join(env.Dir, "leaf.csv"))
		}}}}}, nil
	}
	records, err := experiment.Run(context.Background(), spec, experiment.Settings{Env: env, Repeats: 1})
	if err != nil || len(records) != 1 || records[0].Failure != "leaf.csv: no luck" {
		t.Errorf("%+v, %v", records, err)
	}
}

func TestMissingDataIsAVerdict(t *testing.T) {
	spec := made(new(atomic.Int64))
	spec.Needs = []string{"nowhere.csv"}
	env := &experiment.Env{Dir: t.TempDir()}
	records, err := experiment.Run(context.Background(), spec, experiment.Settings{Env: env})
	if err != nil || len(records) != 0 {
		t.Fatal(records, err)
	}
	if v := experiment.Judge(spec, records, env.Missing(spec.Needs)); v.Outcome != experiment.NoData || !strings.Contains(v.Reason, "nowhere.csv") {
		t.Errorf("%+v", v)
	}
}

func TestParquetRoundTrip(t *testing.T) {
	records, err := experiment.Run(context.Background(), made(new(atomic.Int64)), experiment.Settings{Env: &experiment.Env{}, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "records.parquet")
	if err := file.WriteTableFile(t.Context(), path, experiment.Columns(records)); err != nil {
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
