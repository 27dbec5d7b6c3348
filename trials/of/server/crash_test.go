package server

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/server"
)

// What was finished outlasts a crash; what was not is shown as such and can be run again.
func TestAfterACrash(t *testing.T) {
	folder := t.TempDir()
	s, c := began(t, server.Options{Folder: folder})
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	var j server.Job
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: u.ID}, &j)
	done := c.ended(j.ID)
	if _, err := server.New(server.Options{Folder: folder}); err == nil {
		t.Error("two servers share a folder")
	}
	// A crash: the lock goes, a job has begun, an upload and a result are half there, the last line is cut off.
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	lost := server.Job{ID: "0123456789abcdef", Kind: "check", Name: "orders.csv", State: server.Waiting, Request: must(t, server.CheckRequest{Upload: u.ID}), Created: time.Now()}
	path := filepath.Join(folder, "journal.jsonl")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	line := must(t, map[string]any{"time": time.Now(), "job": lost})
	half := []byte(`{"time":"2026-01-01T00:00:00Z","upl`)
	if err := os.WriteFile(path, append(append(append(before, line...), '\n'), half...), 0o600); err != nil {
		t.Fatal(err)
	}
	stray := []string{filepath.Join(folder, "uploads", "fedcba9876543210"), filepath.Join(folder, "jobs", lost.ID), filepath.Join(folder, "jobs", "rows-123")}
	for _, name := range stray {
		if err := os.MkdirAll(name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	_, c = began(t, server.Options{Folder: folder})
	for _, name := range stray {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
	var again server.Job
	if c.must(200, "GET", "/api/v1/jobs/"+done.ID, nil, &again); again.State != server.Done || again.Summary != done.Summary {
		t.Errorf("%+v", again)
	}
	c.must(200, "GET", "/api/v1/jobs/"+done.ID+"/files/report.html", nil, nil)
	if c.must(200, "GET", "/api/v1/jobs/"+lost.ID, nil, &again); again.State != server.Interrupted {
		t.Errorf("%+v", again)
	}
	c.must(200, "POST", "/api/v1/jobs/"+lost.ID+"/again", nil, &again)
	if again = c.ended(again.ID); again.State != server.Done {
		t.Errorf("%+v", again)
	}
}

// What has lost its file is not served: an upload is no more, a job can be run again.
func TestLinesWithoutFiles(t *testing.T) {
	folder := t.TempDir()
	s, c := began(t, server.Options{Folder: folder})
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	var j server.Job
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: u.ID}, &j)
	c.ended(j.ID)
	if err := errors.Join(s.Close(t.Context()), os.RemoveAll(filepath.Join(folder, "uploads", u.ID)), os.RemoveAll(filepath.Join(folder, "jobs", j.ID))); err != nil {
		t.Fatal(err)
	}
	_, c = began(t, server.Options{Folder: folder})
	c.must(404, "GET", "/api/v1/uploads/"+u.ID, nil, nil)
	c.must(200, "GET", "/api/v1/jobs/"+j.ID, nil, &j)
	if j.State != server.Interrupted || len(j.Files) > 0 {
		t.Errorf("%+v", j)
	}
}
