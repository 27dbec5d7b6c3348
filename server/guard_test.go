package server

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What was finished outlasts a crash; what was not is shown as such and can be run again.
func TestAfterACrash(t *testing.T) {
	folder := t.TempDir()
	s, c := began(t, Options{Folder: folder})
	var u Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	var j Job
	c.must(202, "POST", "/api/v1/checks", CheckRequest{Upload: u.ID}, &j)
	done := c.ended(j.ID)
	if _, err := New(Options{Folder: folder}); err == nil {
		t.Error("two servers share a folder")
	}
	// A crash: the lock goes, a job has begun, an upload and a result are half there, the last line is cut off.
	if err := s.state.close(); err != nil {
		t.Fatal(err)
	}
	lost := Job{ID: newIdentity(), Kind: "check", Name: "orders.csv", State: Waiting, Request: must(t, CheckRequest{Upload: u.ID}), Created: time.Now()}
	path := filepath.Join(folder, "journal.jsonl")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	line := must(t, entry{Job: &lost})
	half := []byte(`{"time":"2026-01-01T00:00:00Z","upl`)
	if err := os.WriteFile(path, append(append(append(before, line...), '\n'), half...), 0o600); err != nil {
		t.Fatal(err)
	}
	stray := []string{filepath.Join(folder, "uploads", newIdentity()), s.state.jobFolder(lost.ID), filepath.Join(folder, "jobs", "rows-123")}
	for _, name := range stray {
		if err := os.MkdirAll(name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	_, c = began(t, Options{Folder: folder})
	for _, name := range stray {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
	var again Job
	if c.must(200, "GET", "/api/v1/jobs/"+done.ID, nil, &again); again.State != Done || again.Summary != done.Summary {
		t.Errorf("%+v", again)
	}
	c.must(200, "GET", "/api/v1/jobs/"+done.ID+"/files/report.html", nil, nil)
	if c.must(200, "GET", "/api/v1/jobs/"+lost.ID, nil, &again); again.State != Interrupted {
		t.Errorf("%+v", again)
	}
	c.must(200, "POST", "/api/v1/jobs/"+lost.ID+"/again", nil, &again)
	if again = c.ended(again.ID); again.State != Done {
		t.Errorf("%+v", again)
	}
}
