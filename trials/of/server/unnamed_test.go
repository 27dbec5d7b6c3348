package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/npy"
	"github.com/inlier-ml/inlier/server"
)

// An array or a table without names has the model's columns in their order, also where a model was fitted tolerantly or the request is read so.
func TestTablesWithoutNames(t *testing.T) {
	_, c := began(t, server.Options{})
	text := "a,b,flag,ok\n"
	for i := range 90 {
		text += fmt.Sprintf("%d,%d.5,%s,%s\n", i%17, i*i%23, []string{"no", "yes"}[i%2], []string{"no", "yes"}[min(1, i%17/9)])
	}
	at := fitted(t, c, text, "logistic", server.Table{Target: "ok", Tolerant: true}) + "/predict"
	var want, got struct{ Rows []map[string]any }
	c.must(200, "POST", at, json.RawMessage(`{"columns":["b","a","flag"],"rows":[[3.5,16,1],[2.5,1,0]]}`), &want)
	var array bytes.Buffer
	if err := npy.Write(&array, &npy.Array{Shape: []int{2, 3}, Data: []float64{16, 3.5, 1, 1, 2.5, 0}}); err != nil {
		t.Fatal(err)
	}
	for name, sent := range map[string]string{"an array": array.String(), "lines": "16,3.5,yes\n1,2.5,no\n"} {
		for _, query := range []string{"", "?tolerant"} {
			code, answer, _ := c.do("POST", at+query, "application/octet-stream", []byte(sent))
			if err := json.Unmarshal(answer, &got); code != 200 || err != nil || fmt.Sprint(got.Rows) != fmt.Sprint(want.Rows) {
				t.Errorf("%s%s: %d %s, not %v", name, query, code, answer, want.Rows)
			}
		}
	}
	if code, answer, _ := c.do("POST", at+"?tolerant", "text/csv", []byte("x,b,flag\n16,3.5,yes\n")); code != 422 || !strings.Contains(string(answer), "missing") {
		t.Errorf("another name: %d %s", code, answer)
	}
}

// Rows whose columns are called otherwise than the model's are refused, as a file is, also where the model's are called x1, x2, ...: taken in
// their order, x4, x3, x2 and z would be answered as x1 to x4.
func TestRowsUnderOtherNames(t *testing.T) {
	_, c := began(t, server.Options{})
	text := "x1,x2,x3,x4,y\n"
	for i := range 80 {
		text += fmt.Sprintf("%d,%d,%d,%d,%d\n", i%7, i%11, i%13, i*i%17, 1000*(i%7)+100*(i%11)+10*(i%13)+i*i%17)
	}
	at := fitted(t, c, text, "linear-robust", server.Table{Target: "y"}) + "/predict"
	for _, body := range []string{
		`{"columns":["x4","x3","x2","z"],"rows":[[4,3,2,1]]}`, `{"columns":["a","b","c","d"],"rows":[[1,2,3,4]]}`, `{"rows":[{"x1":1,"x2":2,"x3":3,"z":4}]}`,
		`{"columns":["x4","x3","x2","z"],"rows":[["4",3,2,1]]}`,
	} {
		if code, answer, _ := c.do("POST", at, "application/json", []byte(body)); code != 422 || !strings.Contains(string(answer), "missing") {
			t.Errorf("%s: %d %s", body, code, answer)
		}
	}
	for _, body := range []string{`{"columns":["x4","x3","x2","x1"],"rows":[[4,3,2,1]]}`, `{"rows":[[1,2,3,4]]}`, `{"rows":[{"x1":1,"x2":2,"x3":3,"x4":4,"z":5}]}`} {
		var got struct {
			Rows []struct{ Prediction float64 }
		}
		if c.must(200, "POST", at, json.RawMessage(body), &got); len(got.Rows) != 1 || math.Abs(got.Rows[0].Prediction-1234) > 0.01 {
			t.Errorf("%s: %v", body, got.Rows)
		}
	}
}
