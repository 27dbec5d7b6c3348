package server

import (
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/inlier-ml/inlier/internal/atomicfile"
)

// A disk that is full is called so wherever it is met, without names of this machine's folders.
func TestFullDiskIsToldAsSuch(t *testing.T) {
	full := &os.PathError{Op: "write", Path: "/somewhere/private", Err: syscall.ENOSPC}
	for _, err := range []error{full, &atomicfile.Error{Path: "/somewhere/private", Problem: "cannot be written", Err: full}} {
		if p, ours := problemOf(err); ours || p.Detail != "the disk is full" || statusOf(err, ours) != 507 || strings.Contains(p.Detail, "private") {
			t.Errorf("%v: %+v, %d", err, p, statusOf(err, ours))
		}
	}
}
