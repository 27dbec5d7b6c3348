package experiment

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Another seed does not destroy the records of the first: going back runs nothing.
func TestSeedsKeepTheirRecords(t *testing.T) {
	var runs atomic.Int64
	spec := made(&runs)
	path := filepath.Join(t.TempDir(), "records", "made.jsonl")
	run := func(seed uint64) []Record {
		t.Helper()
		records, err := Run(context.Background(), spec, Settings{Env: &Env{}, Seed: seed, Journal: path})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			if r.Seed != Seed(seed, r.Data, r.Repeat) {
				t.Fatalf("a record of another seed is among them: %+v", r)
			}
		}
		return records
	}
	first := run(1)
	run(2)
	runs.Store(0)
	if again := run(1); runs.Load() != 0 || cmp.Diff(first, again) != "" {
		t.Errorf("%d runs were made again", runs.Load())
	}
	run(2)
	run(3)
	if runs.Load() != 12 {
		t.Errorf("%d runs instead of 12", runs.Load())
	}
}

// A fresh run that is interrupted leaves the old records where they were, goes on when it is
// given again, and in the end keeps what it has replaced.
func TestFreshReplacesAtTheEnd(t *testing.T) {
	var runs atomic.Int64
	spec := made(&runs)
	path := filepath.Join(t.TempDir(), "made.jsonl")
	if _, err := Run(context.Background(), spec, Settings{Env: &Env{}, Seed: 1, Journal: path, Version: "old"}); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(path)
	ctx, stop := context.WithCancel(context.Background())
	_, err := Run(ctx, spec, Settings{Env: &Env{}, Seed: 1, Journal: path, Fresh: true, Workers: 1, Version: "new", OnProgress: func(done, _ int, _ string) {
		if done == 5 {
			stop()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if now, _ := os.ReadFile(path); string(now) != string(before) {
		t.Error("an interrupted fresh run has changed the records")
	}
	runs.Store(0)
	records, err := Run(context.Background(), spec, Settings{Env: &Env{}, Seed: 1, Journal: path, Fresh: true, Version: "new"})
	if err != nil || len(records) != 12 || runs.Load() > 7 {
		t.Fatalf("%d records, %d runs, %v", len(records), runs.Load(), err)
	}
	for _, r := range records {
		if r.Version != "new" {
			t.Errorf("a record of version %q", r.Version)
		}
	}
	if replaced, err := recorded(replacedPath(path)); err != nil || len(replaced) != 12 || replaced[0].Version != "old" {
		t.Errorf("%d replaced records are kept, %v", len(replaced), err)
	}
	if _, err := os.Stat(FreshPath(path)); err == nil {
		t.Error("the file of the fresh run was left behind")
	}
	// A damaged file makes way, but is not destroyed.
	if err := os.WriteFile(path, []byte("not a record\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(context.Background(), spec, Settings{Env: &Env{}, Seed: 1, Journal: path, Fresh: true}); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path + ".damaged"); string(text) != "not a record\n" {
		t.Errorf("the damaged file is %q", text)
	}
}

// Two runs at once: the second is refused and changes nothing.
func TestOneRunAtATime(t *testing.T) {
	spec := made(new(atomic.Int64))
	path := filepath.Join(t.TempDir(), "made.jsonl")
	tried := false
	_, err := Run(context.Background(), spec, Settings{Env: &Env{}, Seed: 1, Journal: path, Workers: 1, OnProgress: func(int, int, string) {
		if tried {
			return
		}
		tried = true
		for _, fresh := range []bool{false, true} {
			var busy *BusyError
			if _, err := Run(context.Background(), spec, Settings{Env: &Env{}, Seed: 1, Journal: path, Fresh: fresh}); !errors.As(err, &busy) {
				t.Errorf("fresh %v: not refused: %v", fresh, err)
			}
		}
	}})
	if err != nil || !tried {
		t.Fatal(err)
	}
	if records, err := recorded(path); err != nil || len(records) != 12 {
		t.Errorf("%d records, %v", len(records), err)
	}
}

// Methods are compared repeat by repeat, also where one of them has failed in some.
func TestPairsAfterAFailure(t *testing.T) {
	var records []Record
	for k := range 6 {
		for _, method := range []string{"a", "b"} {
			r := Record{Experiment: "made", Data: "x", Method: method, Repeat: k}
			value := float64(10 * k)
			if method == "a" {
				value++
			}
			switch {
			case method == "a" && k == 0, method == "b" && k == 5:
				r.Failure = "no luck"
			default:
				r.Scores = map[string]Number{"error": Number(value + 0.01*float64(k*k)*float64(len(method)))}
				if method == "a" {
					r.Scores["error"] += Number(0.001 * float64(k))
				}
			}
			records = append(records, r)
		}
	}
	v := NewView(made(new(atomic.Int64)), &Env{}, records)
	for name, test := range map[string]func() (float64, bool){
		"independent": func() (float64, bool) { t, ok := v.Paired("x", "a", "b", "error"); return t.Difference, ok },
		"splits":      func() (float64, bool) { t, ok := v.PairedSplits("x", "a", "b", "error", 0.5); return t.Difference, ok },
	} {
		if d, ok := test(); !ok || math.Abs(d-1.0025) > 1e-9 {
			t.Errorf("%s: difference %v, not 1.0025", name, d)
		}
	}
}

// More repeats than fit into memory are refused before anything is made of them.
func TestTooManyRepeats(t *testing.T) {
	var size *SizeError
	if _, err := Run(context.Background(), made(new(atomic.Int64)), Settings{Env: &Env{}, Repeats: 1 << 40}); !errors.As(err, &size) || !strings.Contains(err.Error(), "too many") {
		t.Errorf("%v", err)
	}
}
