package server

import (
	"encoding/binary"
	"fmt"
	"math"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/report"
)

// Counting and cancelling at the same time: neither waits for the other for ever.
func TestMetricsWhileCancelling(t *testing.T) {
	s, c := began(t, Options{Limits: Limits{Waiting: 10000}})
	var u Upload
	c.must(201, "POST", "/api/v1/uploads?name=wide.csv", wide(), &u)
	slow := CompareRequest{Data: Table{Upload: u.ID, Target: "y"}, Repeats: 1000}
	first, err := s.queue.add("compare", "wide.csv", "", slow)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		var both sync.WaitGroup
		both.Go(func() {
			for range 3000 {
				s.metrics(httptest.NewRecorder(), nil)
			}
		})
		for range 100 {
			if j, err := s.queue.add("compare", "wide.csv", "", slow); err == nil {
				_, _ = s.queue.cancel(j.ID)
			}
		}
		both.Wait()
	}()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Fatal("both wait")
	}
	_, _ = s.queue.cancel(first.ID)
}

// The header of a table in parts stands once, however many rows a part has.
func TestPartsOfATable(t *testing.T) {
	w := httptest.NewRecorder()
	a := &tableAnswer{w: w}
	for _, rows := range [][][]any{nil, {{1}}, nil, {{2}, {3}}} {
		if err := a.add(&report.Table{Columns: []report.Column{{Name: "score"}}, Rows: rows}); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.end(); err != nil || w.Body.String() != "score\n1\n2\n3\n" {
		t.Errorf("%v %q", err, w.Body)
	}
}

// Rows that come as JSON are answered as CSV where that is asked for, as those of a file are.
func TestRowsAnsweredAsCSV(t *testing.T) {
	_, c := began(t, Options{})
	var u Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	var j Job
	c.must(202, "POST", "/api/v1/fits", FitRequest{Method: "linear-robust", Data: Table{Upload: u.ID, Target: "total", Drop: []string{"order", "kind"}}}, &j)
	j = c.ended(j.ID)
	c.headers["Accept"] = "text/csv"
	code, text, head := c.do("POST", "/api/v1/models/"+j.Model+"/predict", "application/json", []byte(`{"rows":[[50,10],[20,4]]}`))
	if lines := strings.Split(string(text), "\n"); code != 200 || len(lines) != 4 || lines[0] != "prediction" || !strings.HasPrefix(head.Get("Content-Type"), "text/csv") {
		t.Errorf("%d %s", code, text)
	}
	if code, text, _ := c.do("POST", "/api/v1/models/"+j.Model+"/transform", "application/json", []byte(`{"rows":[[50,10],[20,4]]}`)); code != 422 {
		t.Errorf("%d %s", code, text)
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

// A file that a model was fitted to tolerantly can be asked about: decimal commas, rows that were left out, and a target among rows as JSON.
func TestTolerantFiles(t *testing.T) {
	_, c := began(t, Options{})
	var file strings.Builder
	file.WriteString("a;b;y\n")
	for i := range 60 {
		a := fmt.Sprintf("%d,%d", i%7, i%10)
		if i == 1 || i == 4 {
			a = "" // rows 2 and 5 are left out
		}
		y := 10*i + i%3
		if i == 20 {
			y = 9000
		}
		fmt.Fprintf(&file, "%s;%d,5;%d\n", a, 3*i, y)
	}
	var u Upload
	c.must(201, "POST", "/api/v1/uploads?name=a.csv", file.String(), &u)
	var j Job
	c.must(202, "POST", "/api/v1/fits", FitRequest{Method: "linear-robust", Data: Table{Upload: u.ID, Target: "y", Tolerant: true}}, &j)
	j = c.ended(j.ID)
	var found struct {
		Points inlier.Points
	}
	c.must(200, "GET", "/api/v1/jobs/"+j.ID+"/files/result.json", nil, &found)
	last := len(found.Points.Columns) - 1
	if found.Points.Columns[last].Kind != "row" {
		t.Fatalf("%+v", found.Points.Columns[last])
	}
	_, numbers, _ := c.do("GET", fmt.Sprintf("/api/v1/jobs/%s/points/%d", j.ID, last), "", nil)
	for k, want := range []float32{1, 3, 4, 6, 7} {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(numbers[4*k:])); got != want {
			t.Errorf("the number of row %d is %v", k+1, got)
		}
	}
	c.headers["Accept"] = "text/csv"
	whole := strings.Replace(strings.Replace(file.String(), "\n;3,5", "\n1,1;3,5", 1), "\n;12,5", "\n1,1;12,5", 1)
	for path, status := range map[string]int{"/predict": 200 /* as the model was learned */, "/predict?tolerant": 200, "/judge?tolerant": 200} {
		if code, text, _ := c.do("POST", "/api/v1/models/"+j.Model+path, "application/octet-stream", []byte(whole)); code != status || code == 200 && strings.Count(string(text), "\n") != 61 {
			t.Errorf("%s: %d %s", path, code, text)
		}
	}
	delete(c.headers, "Accept")
	var judged struct{ Outliers int }
	c.must(200, "POST", "/api/v1/models/"+j.Model+"/judge?target=y", map[string]any{"columns": []string{"y", "b", "a"}, "rows": [][]float64{{100, 30.5, 3}, {9000, 30.5, 3}}}, &judged)
	if judged.Outliers != 1 {
		t.Errorf("%d outliers", judged.Outliers)
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
