package journal

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/inlier-ml/inlier/internal/journal"
)

func collect(into *[]string) func(int, []byte) error {
	return func(_ int, line []byte) error { *into = append(*into, string(line)); return nil }
}

// Lines come back; one that was cut off does not, and does not spoil the next.
func TestLinesComeBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	for round, want := range []string{"", "1", "1 2", "1 2 3"} {
		var got []string
		f, err := journal.Open(path, collect(&got), nil)
		if err != nil {
			t.Fatal(err)
		}
		if s := strings.Join(got, " "); s != want || f.Empty() != (round == 0) {
			t.Errorf("round %d: %q, not %q", round, s, want)
		}
		if err := f.Append(round + 1); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		cut, _ := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		cut.WriteString(`{"half`)
		cut.Close()
	}
	if left, _ := filepath.Glob(path + "*"); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

// Lines that are kept together come back in their order.
func TestKeep(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	f, err := journal.Open(path, collect(new([]string)), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Keep(1, 2), f.Keep(), f.Keep("x"), f.Close()); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "1\n2\n\"x\"\n" {
		t.Errorf("%q, %v", text, err)
	}
}

// Who comes second is told so and destroys nothing, in this program or another.
func TestOneAtATime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	if os.Getenv("JOURNAL_TEST_PATH") != "" {
		path = os.Getenv("JOURNAL_TEST_PATH")
		_, err := journal.Open(path, func(int, []byte) error { return nil }, nil)
		var busy *journal.BusyError
		if !errors.As(err, &busy) || busy.Path != path {
			t.Fatalf("not refused: %v", err)
		}
		return
	}
	f, err := journal.Open(path, func(int, []byte) error { return nil }, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Append("kept"); err != nil {
		t.Fatal(err)
	}
	var busy *journal.BusyError
	if _, err := journal.Open(path, func(int, []byte) error { return nil }, nil); !errors.As(err, &busy) {
		t.Errorf("not refused: %v", err)
	}
	other := exec.Command(os.Args[0], "-test.run", "^TestOneAtATime$")
	other.Env = append(os.Environ(), "JOURNAL_TEST_PATH="+path)
	if out, err := other.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	f.Close()
	var got []string
	if f, err = journal.Open(path, collect(&got), nil); err != nil || strings.Join(got, " ") != `"kept"` {
		t.Fatalf("%v, %v", got, err)
	}
	f.Close()
}

// Of many at once one has it at a time, and no line is lost.
func TestManyAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	written := 0
	var mu, inside sync.Mutex
	var crew sync.WaitGroup
	for range 8 {
		crew.Go(func() {
			for range 25 {
				f, err := journal.Open(path, func(int, []byte) error { return nil }, nil)
				if err != nil {
					continue
				}
				if !inside.TryLock() {
					t.Error("two have it")
				} else {
					mu.Lock()
					written++
					mu.Unlock()
					_ = f.Append("x")
					inside.Unlock()
				}
				f.Close()
			}
		})
	}
	crew.Wait()
	var got []string
	f, err := journal.Open(path, collect(&got), nil)
	if err != nil || len(got) != written || written == 0 {
		t.Errorf("%d lines of %d, %v", len(got), written, err)
	}
	f.Close()
}

// A file that read refuses stays as it is.
func TestForeignFilesStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	if err := os.WriteFile(path, []byte("mine\nhalf"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := journal.Open(path, func(int, []byte) error { return errors.New("foreign") }, nil); err == nil {
		t.Error("accepted")
	}
	if text, _ := os.ReadFile(path); string(text) != "mine\nhalf" {
		t.Errorf("now %q", text)
	}
}

// A journal that nothing was written to leaves no file; one that was there, or has been replaced meanwhile, stays.
func TestEmptyJournalsGo(t *testing.T) {
	for _, kind := range []string{"new", "there", "replaced"} {
		path := filepath.Join(t.TempDir(), "j")
		if kind == "there" {
			os.WriteFile(path, nil, 0o600)
		}
		f, err := journal.Open(path, collect(new([]string)), nil)
		if err != nil {
			t.Fatal(err)
		}
		if kind == "replaced" {
			other := filepath.Join(filepath.Dir(path), "other")
			os.WriteFile(other, []byte("1\n"), 0o600)
			os.Rename(other, path)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); (err == nil) != (kind != "new") {
			t.Errorf("%s: %v", kind, err)
		}
	}
}
