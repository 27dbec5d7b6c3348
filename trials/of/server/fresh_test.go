package server

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/server"
)

// Rows that come as JSON are answered as CSV where that is asked for, as those of a file are.
func TestRowsAnsweredAsCSV(t *testing.T) {
	_, c := began(t, server.Options{})
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	var j server.Job
	c.must(202, "POST", "/api/v1/fits", server.FitRequest{Method: "linear-robust", Data: server.Table{Upload: u.ID, Target: "total", Drop: []string{"order", "kind"}}}, &j)
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

// A file that a model was fitted to tolerantly can be asked about: decimal commas, rows that were left out, and a target among rows as JSON.
func TestTolerantFiles(t *testing.T) {
	_, c := began(t, server.Options{})
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
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=a.csv", file.String(), &u)
	var j server.Job
	c.must(202, "POST", "/api/v1/fits", server.FitRequest{Method: "linear-robust", Data: server.Table{Upload: u.ID, Target: "y", Tolerant: true}}, &j)
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
