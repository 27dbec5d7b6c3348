package experiment

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
)

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
