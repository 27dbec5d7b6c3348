package experiment

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/inlier-ml/inlier/experiment"
)

// Another seed does not destroy the records of the first: going back runs nothing.
func TestSeedsKeepTheirRecords(t *testing.T) {
	var runs atomic.Int64
	spec := made(&runs)
	path := filepath.Join(t.TempDir(), "records", "made.jsonl")
	run := func(seed uint64) []experiment.Record {
		t.Helper()
		records, err := experiment.Run(context.Background(), spec, experiment.Settings{Env: &experiment.Env{}, Seed: seed, Journal: path})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			if r.Seed != experiment.Seed(seed, r.Data, r.Repeat) {
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

// Methods are compared repeat by repeat, also where one of them has failed in some.
func TestPairsAfterAFailure(t *testing.T) {
	var records []experiment.Record
	for k := range 6 {
		for _, method := range []string{"a", "b"} {
			r := experiment.Record{Experiment: "made", Data: "x", Method: method, Repeat: k}
			value := float64(10 * k)
			if method == "a" {
				value++
			}
			switch {
			case method == "a" && k == 0, method == "b" && k == 5:
				r.Failure = "no luck"
			default:
				r.Scores = map[string]experiment.Number{"error": experiment.Number(value + 0.01*float64(k*k)*float64(len(method)))}
				if method == "a" {
					r.Scores["error"] += experiment.Number(0.001 * float64(k))
				}
			}
			records = append(records, r)
		}
	}
	v := experiment.NewView(made(new(atomic.Int64)), &experiment.Env{}, records)
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
	var size *experiment.SizeError
	if _, err := experiment.Run(context.Background(), made(new(atomic.Int64)), experiment.Settings{Env: &experiment.Env{}, Repeats: 1 << 40}); !errors.As(err, &size) || !strings.Contains(err.Error(), "too many") {
		t.Errorf("%v", err)
	}
}
