//go:build linux

package server

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/inlier-ml/inlier/server"
)

// A disk of 4 MB that fills up: whatever cannot be kept is refused with the reason, nothing half stays, and what is removed makes room.
func TestFullDisk(t *testing.T) {
	long(t)
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=4m"); err != nil {
		t.Skip("a small disk cannot be had here: ", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, 0) })
	_, c := began(t, server.Options{Folder: filepath.Join(disk, "work")})
	var first server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &first)
	full := func(method, path string, in any) {
		t.Helper()
		var said struct{ Detail string }
		c.must(507, method, path, in, &said)
		if !strings.Contains(said.Detail, "the disk is full") {
			t.Errorf("%s: %s", path, said.Detail)
		}
	}
	full("POST", "/api/v1/uploads?name=large.csv", strings.Repeat("1,2\n", 2<<20))
	var j server.Job
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: first.ID}, &j)
	if j = c.ended(j.ID); j.State != server.Done {
		t.Fatalf("%+v", j.Problem)
	}
	// All but a few bytes: lines still fit, files do not.
	fill := func(leave int64) *os.File {
		t.Helper()
		var about syscall.Statfs_t
		f, err := os.CreateTemp(disk, "filler")
		if err == nil {
			err = syscall.Statfs(disk, &about)
		}
		if err == nil {
			_, err = f.Write(make([]byte, max(0, int64(about.Bavail)*about.Bsize-leave)))
		}
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	filler := fill(16 << 10)
	for path, in := range map[string]any{"/api/v1/checks": server.CheckRequest{Upload: first.ID}, "/api/v1/fits": server.FitRequest{Data: server.Table{Upload: first.ID, Columns: []string{"net", "tax"}}}} {
		var failed server.Job
		c.must(202, "POST", path, in, &failed)
		if failed = c.ended(failed.ID); failed.State == server.Failed && failed.Problem.Detail != "the disk is full" || failed.State == server.Done && path == "/api/v1/checks" {
			t.Errorf("%s: %s %+v", path, failed.State, failed.Problem)
		}
	}
	full("POST", "/api/v1/uploads?name=large.csv", strings.Repeat("1,2\n", 1<<16))
	rest := fill(0)
	full("POST", "/api/v1/jobs/"+j.ID+"/choices", map[string]any{"rows": manyRows(200), "choice": "drop"})
	full("POST", "/api/v1/uploads?name=small.csv", orders())
	c.must(200, "GET", "/api/v1/jobs/"+j.ID+"/files/rows.csv", nil, nil)
	// What is removed makes room.
	c.must(204, "DELETE", "/api/v1/jobs/"+j.ID, nil, nil)
	for _, f := range []*os.File{filler, rest} {
		f.Close()
		os.Remove(f.Name())
	}
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), nil)
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: first.ID}, &j)
	if j = c.ended(j.ID); j.State != server.Done {
		t.Fatalf("%+v", j.Problem)
	}
	left, err := filepath.Glob(filepath.Join(disk, "work", "*", ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	uploads, err := os.ReadDir(filepath.Join(disk, "work", "uploads"))
	if err != nil || len(uploads) != 2 {
		t.Errorf("%d folders of uploads, %v", len(uploads), err)
	}
	lines, err := os.ReadFile(filepath.Join(disk, "work", "journal.jsonl"))
	for line := range strings.Lines(string(lines)) {
		if !json.Valid([]byte(line)) {
			t.Errorf("%v %q", err, line)
		}
	}
}

func manyRows(n int) []int {
	rows := make([]int, n)
	for k := range rows {
		rows[k] = k + 1
	}
	return rows
}
