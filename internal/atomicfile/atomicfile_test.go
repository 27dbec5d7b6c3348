package atomicfile

import (
	"io"
	"os"
	"testing"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

func only(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) != len(names) {
		t.Fatalf("%d files are left, want %v", len(entries), names)
	}
	for i, e := range entries {
		if e.Name() != names[i] {
			t.Errorf("found %s, want %s", e.Name(), names[i])
		}
	}
}
