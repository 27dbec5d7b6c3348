package server

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/server"
)

// A missing cell costs the answer to its row, however rows come; true and false are 1 and 0, or the words that the model knows.
func TestRowsWithGapsAndTruths(t *testing.T) {
	_, c := began(t, server.Options{})
	var text strings.Builder
	text.WriteString("a,b,flag,word,y\n")
	for i := range 200 {
		a, b, flag := float64(i%17), float64(i%23), i%3 == 0
		row := []any{a, b, flag, map[bool]string{true: "True", false: "False"}[i%2 == 0]}
		line := strings.Trim(string(must(t, row)), "[]")
		text.WriteString(strings.ReplaceAll(line, `"`, "") + "," + string(must(t, a+2*b+float64(i%5)/10)) + "\n")
	}
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=t.csv", text.String(), &u)
	var j server.Job
	c.must(202, "POST", "/api/v1/fits", server.FitRequest{Method: "linear-robust", Data: server.Table{Upload: u.ID, Target: "y", Tolerant: true, Categorical: "onehot", As: map[string]string{"word": "category"}}}, &j)
	if j = c.ended(j.ID); j.State != server.Done {
		t.Fatalf("%+v", j.Problem)
	}
	at := "/api/v1/models/" + j.Model
	type answers struct {
		Rows []struct {
			Prediction *float64
			Kind       string
		}
	}
	ask := func(path, kind, body string) (got answers) {
		t.Helper()
		code, text, _ := c.do("POST", at+path, kind, []byte(body))
		if code != 200 {
			t.Fatalf("%s: %d %s", path, code, text)
		}
		if err := json.Unmarshal(text, &got); err != nil {
			t.Fatal(err)
		}
		return got
	}
	truths := ask("/predict", "application/json", `{"rows":[{"a":1,"b":2,"flag":true,"word":true},{"a":1,"b":2,"flag":false,"word":false}]}`)
	plain := ask("/predict", "application/json", `{"rows":[{"a":1,"b":2,"flag":1,"word":"True"},{"a":1,"b":2,"flag":0,"word":"False"}]}`)
	for i := range 2 {
		if *truths.Rows[i].Prediction != *plain.Rows[i].Prediction {
			t.Errorf("row %d: %v, not %v", i+1, *truths.Rows[i].Prediction, *plain.Rows[i].Prediction)
		}
	}
	lines := strings.SplitAfter(text.String(), "\n")
	whole := ask("/predict?tolerant", "text/csv", text.String())
	lines[6] = strings.Replace(lines[6], "5,5,", "5,,", 1)
	holed := ask("/predict?tolerant", "text/csv", strings.Join(lines, ""))
	for i, r := range holed.Rows {
		if i == 5 && r.Prediction != nil || i != 5 && *r.Prediction != *whole.Rows[i].Prediction {
			t.Errorf("row %d: %v", i+1, r.Prediction)
		}
	}
	if judged := ask("/judge?tolerant", "text/csv", strings.Join(lines, "")); judged.Rows[5].Kind != "missing" || judged.Rows[4].Kind == "missing" {
		t.Errorf("%+v", judged.Rows[4:6])
	}
	if got := ask("/predict", "application/json", `{"rows":[{"a":1,"b":null,"flag":1,"word":"True"},{"a":1,"b":2,"flag":1,"word":"True"}]}`); got.Rows[0].Prediction != nil || *got.Rows[1].Prediction != *plain.Rows[0].Prediction {
		t.Errorf("%+v", got)
	}
}
