package server

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/inlier-ml/inlier/internal/atomicfile"
)

// What has lost its file is not served: an upload is no more, a job can be run again.
func TestLinesWithoutFiles(t *testing.T) {
	folder := t.TempDir()
	s, c := began(t, Options{Folder: folder})
	var u Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	var j Job
	c.must(202, "POST", "/api/v1/checks", CheckRequest{Upload: u.ID}, &j)
	c.ended(j.ID)
	if err := errors.Join(s.state.close(), os.RemoveAll(filepath.Join(folder, "uploads", u.ID)), os.RemoveAll(s.state.jobFolder(j.ID))); err != nil {
		t.Fatal(err)
	}
	_, c = began(t, Options{Folder: folder})
	c.must(404, "GET", "/api/v1/uploads/"+u.ID, nil, nil)
	c.must(200, "GET", "/api/v1/jobs/"+j.ID, nil, &j)
	if j.State != Interrupted || len(j.Files) > 0 {
		t.Errorf("%+v", j)
	}
}

// A disk that is full is called so wherever it is met, without names of this machine's folders.
func TestFullDiskIsToldAsSuch(t *testing.T) {
	full := &os.PathError{Op: "write", Path: "/somewhere/private", Err: syscall.ENOSPC}
	for _, err := range []error{full, &atomicfile.Error{Path: "/somewhere/private", Problem: "cannot be written", Err: full}} {
		if p, ours := problemOf(err); ours || p.Detail != "the disk is full" || statusOf(err, ours) != 507 || strings.Contains(p.Detail, "private") {
			t.Errorf("%v: %+v, %d", err, p, statusOf(err, ours))
		}
	}
}
