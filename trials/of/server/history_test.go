package server

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/inlier-ml/inlier/server"
)

// A journal that tells mostly of what is no more is shortened when a server starts, and what stands is the same before and behind it: jobs,
// models, uploads, choices and the steps that lead back. What a crash has left amid it goes.
func TestTheJournalIsShortened(t *testing.T) {
	folder := t.TempDir()
	s, c := began(t, server.Options{Folder: folder})
	var u, gone server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	var checked, fitted, removed server.Job
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: u.ID}, &checked)
	c.must(202, "POST", "/api/v1/fits", server.FitRequest{Method: "pca", Data: server.Table{Upload: u.ID, Columns: []string{"net", "tax", "total"}}}, &fitted)
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: u.ID, Seed: 2}, &removed)
	for _, id := range []string{checked.ID, fitted.ID, removed.ID} {
		if j := c.ended(id); j.State != server.Done {
			t.Fatalf("%+v", j)
		}
	}
	choices := "/api/v1/jobs/" + checked.ID + "/choices"
	for row := 1; row < 6; row++ {
		c.must(200, "POST", choices, map[string]any{"row": row, "choice": "drop"}, nil)
	}
	c.must(200, "POST", choices+"/undo", nil, nil)
	c.must(200, "POST", choices+"/undo", nil, nil)
	c.must(200, "POST", "/api/v1/jobs/"+removed.ID+"/choices", map[string]any{"row": 3, "choice": "drop"}, nil)
	c.must(204, "DELETE", "/api/v1/jobs/"+removed.ID, nil, nil)
	for k := range 100 {
		c.must(201, "POST", fmt.Sprintf("/api/v1/uploads?name=%d.csv", k), "a,b\n1,2\n", &gone)
		c.must(204, "DELETE", "/api/v1/uploads/"+gone.ID, nil, nil)
	}
	stand := func() (all []byte) {
		for _, path := range []string{"/api/v1/uploads", "/api/v1/jobs", "/api/v1/jobs/" + checked.ID, "/api/v1/models", choices} {
			code, text, header := c.do("GET", path, "", nil)
			if code != 200 {
				t.Fatalf("%s: %d %s", path, code, text)
			}
			all = fmt.Appendf(all, "%s %s %s\n", text, header.Get("Undo-Steps"), header.Get("Redo-Steps"))
		}
		return all
	}
	path := filepath.Join(folder, "journal.jsonl")
	size := func() int64 {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	before, long := stand(), size()
	for round := range 3 {
		if err := s.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		left := filepath.Join(folder, ".journal.jsonl.0123456789abcdef.tmp")
		if err := os.WriteFile(left, []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
		s, c = began(t, server.Options{Folder: folder})
		if _, err := os.Stat(left); err == nil {
			t.Error("what a crash left is there")
		}
		if after := stand(); !bytes.Equal(after, before) {
			t.Errorf("round %d: %s\nbefore %s", round, after, before)
		}
		if now := size(); now*3 > long {
			t.Errorf("round %d: %d bytes of %d", round, now, long)
		}
	}
	c.must(200, "POST", choices+"/redo", nil, nil) // lines are added behind it
	before = stand()
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, c = began(t, server.Options{Folder: folder}); !bytes.Equal(stand(), before) {
		t.Errorf("%s\nbefore %s", stand(), before)
	}
}

// Lines that this version knows nothing of are for a later one that a folder goes back to: a journal that is shortened keeps them.
func TestLinesOfLaterVersionsStay(t *testing.T) {
	folder := t.TempDir()
	const later = `{"time":"2031-01-01T00:00:00Z","shared":{"of":"0123456789abcdef"}}` + "\n"
	removals := bytes.Repeat([]byte(`{"time":"2026-01-01T00:00:00Z","remove":"0123456789abcdef"}`+"\n"), 20)
	path := filepath.Join(folder, "journal.jsonl")
	if err := os.WriteFile(path, append(append(removals, later...), removals...), 0o600); err != nil {
		t.Fatal(err)
	}
	began(t, server.Options{Folder: folder})
	if left, err := os.ReadFile(path); err != nil || string(left) != later {
		t.Errorf("%q, %v", left, err)
	}
}
