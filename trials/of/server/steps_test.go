package server

import (
	"fmt"
	"io/fs"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/server"
)

// What one request chooses is undone and made again as one step, whoever asked for it, after a restart too.
func TestStepsOfChoices(t *testing.T) {
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	s, err := server.New(server.Options{Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s)
	c := &client{t: t, at: web.URL, headers: map[string]string{}}
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	var j server.Job
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: u.ID}, &j)
	j = c.ended(j.ID)
	at := "/api/v1/jobs/" + j.ID + "/choices"
	stands := func(method, path, body, want string, back, again int) {
		t.Helper()
		kind := ""
		if body != "" {
			kind = "application/json"
		}
		code, text, head := c.do(method, at+path, kind, []byte(body))
		if code != 200 || string(text) != want+"\n" || head.Get("Undo-Steps") != strconv.Itoa(back) || head.Get("Redo-Steps") != strconv.Itoa(again) {
			t.Fatalf("%s%s: %d %s (%s, %s), not %s (%d, %d)", method, path, code, text, head.Get("Undo-Steps"), head.Get("Redo-Steps"), want, back, again)
		}
	}
	const one, three = `[{"row":5,"choice":"keep"}]`, `[{"row":5,"choice":"drop"},{"row":6,"choice":"drop"},{"row":7,"choice":"drop"}]`
	stands("GET", "", "", "[]", 0, 0)
	stands("POST", "", `{"row":5,"choice":"keep"}`, one, 1, 0)
	stands("POST", "", `{"rows":[6,5,6,7],"choice":"drop"}`, three, 2, 0)
	stands("POST", "/undo", "", one, 1, 1)
	stands("POST", "/redo", "", three, 2, 0)
	stands("DELETE", "", "", "[]", 3, 0)
	stands("POST", "/undo", "", three, 2, 1)
	stands("POST", "/undo", "", one, 1, 2)
	web.Close()
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if info, told := e.Info(); err == nil && told == nil && !e.IsDir() && info.Mode().Perm()&0o077 != 0 && filepath.Base(path) == "journal.jsonl" {
			t.Errorf("others can read %s: %v", path, info.Mode())
		}
		return err
	}); err != nil {
		t.Error(err)
	}
	_, c = began(t, server.Options{Folder: folder})
	stands("GET", "", "", one, 1, 2)
	stands("POST", "/redo", "", three, 2, 1)
	stands("POST", "", `{"row":9,"column":"total","choice":"empty"}`, three[:len(three)-1]+`,{"row":9,"column":"total","choice":"empty"}]`, 3, 0) // what was undone is no more
	c.must(422, "POST", at+"/redo", nil, nil)
	c.must(404, "POST", "/api/v1/jobs/0123456789abcdef/choices/undo", nil, nil)
	stands("POST", "/undo", "", three, 2, 1)
	stands("POST", "/undo", "", one, 1, 2)
	stands("POST", "/undo", "", "[]", 0, 3)
	c.must(422, "POST", at+"/undo", nil, nil)
}

// Choosing anew about the same rows makes no more choices; of many steps the oldest stand for good.
func TestManyRowsChosenAnew(t *testing.T) {
	_, c := began(t, server.Options{})
	text := "a,b\n" + strings.Repeat("1,2\n2,3\n3,5\n4,7\n5,9\n6,11\n", 10000)
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=many.csv", text, &u)
	var j server.Job
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: u.ID}, &j)
	at := "/api/v1/jobs/" + c.ended(j.ID).ID + "/choices"
	var rows []int
	for k := range 60000 {
		rows = append(rows, k+1)
	}
	for k, choice := range []string{"drop", "keep", "drop", "keep"} {
		var now []inlier.Choice
		if c.must(200, "POST", at, map[string]any{"rows": rows, "choice": choice}, &now); len(now) != 60000 || now[7].Choice != choice {
			t.Errorf("%d: %d choices, %+v", k, len(now), now[7])
		}
	}
	c.must(422, "POST", at, map[string]any{"rows": rows, "column": "a", "choice": "keep"}, nil)
	if _, _, head := c.do("GET", at, "", nil); head.Get("Undo-Steps") != "3" {
		t.Error(head)
	}
	var now []inlier.Choice
	for range 3 {
		c.must(200, "POST", at+"/undo", nil, &now)
	}
	if len(now) != 60000 || now[0].Choice != "drop" {
		t.Errorf("%d %+v", len(now), now[0])
	}
	c.must(422, "POST", at+"/undo", nil, nil)
}

// A check may be asked for with as many choices as the description allows.
func TestManyChoicesInARequest(t *testing.T) {
	_, c := began(t, server.Options{})
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	r := server.CheckRequest{Upload: u.ID}
	for k := range 100000 {
		r.Choices = append(r.Choices, inlier.Choice{Row: 1 + k, Column: "total_with_a_name_of_some_length", Choice: "keep"})
	}
	var j server.Job
	c.must(202, "POST", "/api/v1/checks", r, &j)
	if j = c.ended(j.ID); j.Problem == nil && j.State != server.Done {
		t.Error(fmt.Sprintf("%+v", j)[:300])
	}
	r.Choices = append(r.Choices, r.Choices[0])
	c.must(413, "POST", "/api/v1/checks", r, nil)
	for status, body := range map[int]string{413: `{"upload":"` + u.ID + `","sentinels":[1` + strings.Repeat(",1", 400000) + `]}`, 422: `{"upload":"` + u.ID + `","choices":[{}` + strings.Repeat(",{}", 50000) + `]}`} {
		if code, text, _ := c.do("POST", "/api/v1/checks", "application/json", []byte(body)); code != status || len(text) > 5000 {
			t.Errorf("%d, %d bytes: %.200s", code, len(text), text)
		}
	}
}
