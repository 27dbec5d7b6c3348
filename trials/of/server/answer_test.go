package server

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/server"
)

// A file that is sent is previewed, checked, cleaned as somebody chose, and teaches what is right in the next one.
func TestFromAFileToAnAnswer(t *testing.T) {
	_, c := began(t, server.Options{})
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=../../my%20orders.csv", orders(), &u)
	if u.Name != "my orders.csv" || u.Bytes != int64(len(orders())) {
		t.Errorf("%+v", u)
	}
	var seen server.Preview
	c.must(200, "GET", "/api/v1/uploads/"+u.ID+"/preview", nil, &seen)
	if len(seen.Columns) != 5 || seen.Columns[1].ReadAs != "number" || seen.Columns[4].ReadAs != "category" || seen.Rows != 300 || len(seen.Head) != 12 {
		t.Errorf("%+v", seen)
	}
	var j server.Job
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: u.ID, Repair: true}, &j)
	if j = c.ended(j.ID); j.State != server.Done {
		t.Fatalf("%+v", j)
	}
	var found struct {
		Wrong []int `json:"wrong_rows"`
		Worst []any `json:"worst"`
	}
	c.must(200, "GET", "/api/v1/jobs/"+j.ID+"/files/result.json", nil, &found)
	if fmt.Sprint(found.Wrong) != "[11 42 200]" || len(found.Worst) != 3 {
		t.Errorf("wrong rows %v, worst %+v", found.Wrong, found.Worst)
	}
	// The library says the same, to the byte.
	path := filepath.Join(t.TempDir(), "my orders.csv")
	if err := os.WriteFile(path, []byte(orders()), 0o600); err != nil {
		t.Fatal(err)
	}
	same, err := inlier.Check{Paths: []string{path}, Repair: true, Seed: 1}.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func(io.Writer) error{"rows.csv": same.WriteRows, "cells.csv": same.WriteCells, "repaired.csv": same.WriteRepaired, "changes.csv": same.WriteChanges} {
		var want bytes.Buffer
		if err := write(&want); err != nil {
			t.Fatal(err)
		}
		_, got, _ := c.do("GET", "/api/v1/jobs/"+j.ID+"/files/"+name, "", nil)
		if !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%s differs", name)
		}
	}
	_, page, head := c.do("GET", "/api/v1/jobs/"+j.ID+"/files/report.html", "", nil)
	if !strings.Contains(string(page), "What is wrong in my orders.csv") || !strings.Contains(head.Get("Content-Security-Policy"), "sandbox") {
		t.Error("the report has no name or no policy")
	}
	if j.Command != "inlier check 'my orders.csv' --repair" {
		t.Error(j.Command)
	}
	// What a person chooses is kept one by one, can be taken back, and is carried out beside the file that was sent.
	var chosen []inlier.Choice
	for _, one := range []inlier.Choice{{Row: 11, Choice: inlier.Drop}, {Row: 42, Column: "total", Choice: inlier.Repair}, {Row: 200, Choice: inlier.Drop}, {Row: 200, Choice: ""}} {
		c.must(200, "POST", "/api/v1/jobs/"+j.ID+"/choices", one, &chosen)
	}
	if fmt.Sprint(chosen) != "[{11  drop} {42 total repair}]" {
		t.Errorf("%v", chosen)
	}
	var cleaned server.Job
	c.must(202, "POST", "/api/v1/jobs/"+j.ID+"/carry-out", nil, &cleaned)
	if cleaned = c.ended(cleaned.ID); cleaned.State != server.Done || cleaned.Command != "inlier check 'my orders.csv' --choices 'my orders-choices.csv'" {
		t.Fatalf("%+v", cleaned)
	}
	_, got, _ := c.do("GET", "/api/v1/jobs/"+cleaned.ID+"/files/repaired.csv", "", nil)
	lines := strings.SplitAfter(orders(), "\n")
	want := strings.Join(lines[:11], "") + strings.Join(lines[12:42], "") + strings.Replace(lines[42], ",-", ",", 1) + strings.Join(lines[43:], "")
	if string(got) != want {
		t.Errorf("%d bytes instead of %d", len(got), len(want))
	}
	// A second batch by what the first has taught.
	var second server.Job
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: u.ID, Against: j.ID}, &second)
	if second = c.ended(second.ID); second.State != server.Done || !strings.Contains(second.Summary, "3 of 300") {
		t.Errorf("%+v", second)
	}
}
