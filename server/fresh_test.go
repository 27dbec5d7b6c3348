package server

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/report"
)

// The header of a table in parts stands once, however many rows a part has.
func TestPartsOfATable(t *testing.T) {
	w := httptest.NewRecorder()
	a := &tableAnswer{w: w}
	for _, rows := range [][][]any{nil, {{1}}, nil, {{2}, {3}}} {
		if err := a.add(partOf(&report.Table{Columns: []report.Column{{Name: "score"}}, Rows: rows})); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.end(nil); err != nil || w.Body.String() != "score\n1\n2\n3\n" {
		t.Errorf("%v %q", err, w.Body)
	}
}

// A model whose file is broken or gone is told without places on this machine.
func TestModelsWithoutFiles(t *testing.T) {
	s, c := began(t, Options{Limits: Limits{Models: 1}})
	m := StoredModel{ID: newIdentity(), Name: "x"}
	if err := s.state.add(entry{Model: &m}); err != nil {
		t.Fatal(err)
	}
	ask := func(status int) {
		t.Helper()
		for _, of := range [][2]string{{"GET", ""}, {"POST", "/judge"}} {
			code, text, _ := c.do(of[0], "/api/v1/models/"+m.ID+of[1], "application/json", []byte(`{"rows":[[1]]}`))
			if code != status || strings.Contains(string(text), s.Folder) {
				t.Errorf("%s: %d %s", of, code, text)
			}
		}
	}
	ask(404)
	if err := os.WriteFile(s.state.modelPath(m.ID), []byte("PK\x03\x04"), 0o600); err != nil {
		t.Fatal(err)
	}
	ask(422)
}

// Lines of rows are found by their number, also where texts hold line ends and quotation marks.
func TestLinesOf(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rows.csv")
	if err := os.WriteFile(path, []byte("row,id,why\n1,a,\n2,\"b\n\"\"b\"\"\",\"x, y\"\n3,c,\"\"\"\"\n4,d,last\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	found, err := linesOf(path, map[int]bool{2: true, 4: true, 9: true})
	if got := fmt.Sprint(found); err != nil || got != "[map[id:b\n\"b\" row:2 why:x, y] map[id:d row:4 why:last]]" {
		t.Errorf("%v %s", err, got)
	}
}

// Rows as JSON that would take more memory than there is are refused with the figure, and give their turns back.
func TestRowsBeyondMemory(t *testing.T) {
	s, c := began(t, Options{})
	var u Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	var j Job
	c.must(202, "POST", "/api/v1/fits", FitRequest{Method: "linear-robust", Data: Table{Upload: u.ID, Target: "total", Drop: []string{"order", "kind"}}}, &j)
	j = c.ended(j.ID)
	defer func(before func() int64) { free = before }(free)
	free = func() int64 { return 20 << 20 }
	for rows, status := range map[int]int{10: 200, largeRows / 8: 503} {
		text := `{"rows":[` + strings.Repeat("[50,100],", rows) + `[50,10]]}`
		if code, answer, _ := c.do("POST", "/api/v1/models/"+j.Model+"/predict", "application/json", []byte(text)); code != status || status == 503 && !strings.Contains(string(answer), "20.0 MiB are free") {
			t.Errorf("%d rows: %d %.300s", rows, code, answer)
		}
	}
	if len(s.tables)+len(s.large) != 0 {
		t.Error("turns were not given back")
	}
}

// What a refusal advises can be done where it is read: with a field of the request, or it says where else.
func TestAdviceIsWordedForRequests(t *testing.T) {
	for hint, want := range map[string]string{
		"{trust} lifts the limit": "--trust at the command line lifts the limit",
		"code with {categorical} onehot, or {decimal-comma}, or {drop} it": `code with categorical ("Text columns" on the page) onehot, or decimal_comma, or drop it`,
	} {
		if p, _ := problemOf(&inlier.Error{Problem: "no", Hint: hint}); p.Hint != want {
			t.Errorf("%q becomes %q", hint, p.Hint)
		}
	}
}
