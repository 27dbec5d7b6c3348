//go:build unix

package file

import (
	"context"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe among images is refused; opening it would wait for ever.
func TestPipeAmongImages(t *testing.T) {
	folder := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(folder, "a.png"), 0o600); err != nil {
		t.Skip(err)
	}
	_, err := Read(context.Background(), folder, Options{})
	complaint(t, err)
}
