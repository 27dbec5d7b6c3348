package server

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/server"
)

// fitted sends a table and fits a model to it.
func fitted(t *testing.T, c *client, text, method string, data server.Table) string {
	t.Helper()
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=t.csv", text, &u)
	data.Upload = u.ID
	var j server.Job
	c.must(202, "POST", "/api/v1/fits", server.FitRequest{Method: method, Data: data}, &j)
	if j = c.ended(j.ID); j.State != server.Done {
		t.Fatalf("%+v", j.Problem)
	}
	return "/api/v1/models/" + j.Model
}

// Rows in any form are what the model has learned its columns as, whether or not the request says that people wrote them.
func TestRowsOfATolerantModel(t *testing.T) {
	_, c := began(t, server.Options{})
	text := "day,weight,level,y\n"
	for i := range 60 {
		level := fmt.Sprint(20 + i%13)
		if i%9 == 4 {
			level = "-999"
		}
		text += fmt.Sprintf("202408%02d,%d.5 kg,%s,%d\n", 1+i%28, 10+i%7, level, 3*(i%28)+i*i%5)
	}
	at := fitted(t, c, text, "linear-robust", server.Table{Target: "y", Tolerant: true})
	ask := func(kind, query, body string) string {
		t.Helper()
		code, text, _ := c.do("POST", at+"/predict"+query, kind, []byte(body))
		if code != 200 {
			return fmt.Sprintf("%d %s", code, text)
		}
		_, rows, _ := strings.Cut(string(text), `"rows":`)
		return strings.TrimSpace(rows)
	}
	want := ask("text/csv", "?tolerant", "day,weight,level\n20240811,12.5 kg,25\n")
	if !strings.Contains(want, "prediction") {
		t.Fatal(want)
	}
	for _, body := range []string{"day,weight,level\n2024-08-11,12500 g,25\n", "level,day,weight\n25,20240811,12.5\n", "day;weight;level\n20240811;12,5 kg;25\n"} {
		for _, query := range []string{"", "?tolerant", "?header=yes"} {
			if got := ask("text/csv", query, body); got[:30] != want[:30] {
				t.Errorf("%q%s: %s, not %s", body, query, got, want)
			}
		}
	}
	for _, body := range []string{`{"rows":[[20240811,12.5,25]]}`, `{"rows":[{"level":25,"day":20240811,"weight":"12500 g"}]}`, `{"rows":[{"level":25,"day":"2024-08-11","weight":12.5}]}`} {
		if got := ask("application/json", "", body); got[:30] != want[:30] {
			t.Errorf("%s: %s, not %s", body, got, want)
		}
	}
	for kind, body := range map[string]string{"application/json": `{"rows":[[20240811,12.5,-999]]}`, "text/csv": "day,weight,level\n20240811,12.5 kg,-999\n"} {
		if got := ask(kind, "", body); !strings.Contains(got, `"prediction":null`) {
			t.Errorf("%s: %s", body, got)
		}
	}
	if got := ask("text/csv", "", "day,weight,level\n20240811,12.5 lb,25\n"); !strings.Contains(got, `"prediction":null`) {
		t.Errorf("12.5 lb where kg was learned: %s", got)
	}
}

// The order of columns without names is that of their numbers, not of their letters.
func TestObjectsForAModelWithoutNames(t *testing.T) {
	_, c := began(t, server.Options{})
	text := ""
	for i := range 80 {
		for k := range 11 {
			text += fmt.Sprintf("%d,", (i*(k+3)*7+i*i*k)%101)
		}
		text += fmt.Sprintf("%d\n", i%5+10*((i*3*7)%101))
	}
	at := fitted(t, c, text, "linear-robust", server.Table{Target: "12", Header: "no"})
	list, object := "", ""
	for k := range 11 {
		list += fmt.Sprintf(",%d", 10*k)
		object += fmt.Sprintf(`,"x%d":%d`, k+1, 10*k)
	}
	_, want, _ := c.do("POST", at+"/predict", "application/json", []byte(`{"rows":[[`+list[1:]+`]]}`))
	_, got, _ := c.do("POST", at+"/predict", "application/json", []byte(`{"rows":[{`+object[1:]+`}]}`))
	if string(got) != string(want) || !strings.Contains(string(got), "prediction") {
		t.Errorf("%s, not %s", got, want)
	}
	code, said, _ := c.do("POST", at+"/predict", "application/json", []byte(`{"rows":[{`+strings.ReplaceAll(object[1:], "x", "col")+`}]}`))
	if code != 422 || !strings.Contains(string(said), "without names") {
		t.Errorf("%d %s", code, said)
	}
	code, said, _ = c.do("POST", at+"/predict", "application/json", []byte(`{"rows":[{`+object[1:]+`},[`+list[1:]+`]]}`))
	if code != 422 || !strings.Contains(string(said), "row 2") {
		t.Errorf("a list behind an object: %d %s", code, said)
	}
}

// How columns are written that a model does not learn from, and the words of its classes, do not make rows of plain numbers be read as texts:
// that took four times the time.
func TestPlainRowsOfATolerantModel(t *testing.T) {
	_, c := began(t, server.Options{})
	text := "day,a,b,ok\n"
	for i := range 80 {
		text += fmt.Sprintf("2024-01-%02d,%d,%d,%s\n", 1+i%28, i%17, i*i%23, []string{"no", "yes"}[min(1, i%17/9)])
	}
	for name, data := range map[string]server.Table{"plain": {Categorical: "ordinal"}, "tolerant": {Tolerant: true}} {
		data.Target, data.Drop = "ok", []string{"day"}
		at := fitted(t, c, text, "logistic", data)
		var got struct {
			Data string
			Rows []struct{ Label string }
		}
		c.must(200, "POST", at+"/predict", json.RawMessage(`{"rows":[[16,3],[1,3]]}`), &got)
		if got.Data != "rows" || got.Rows[0].Label != "yes" || got.Rows[1].Label != "no" {
			t.Errorf("%s: %+v", name, got)
		}
		code, answer, _ := c.do("POST", at+"/judge", "text/csv", []byte("day,a,b,ok\n2024-02-30,16,3,yes\n2024-02-01,1,3,yes\n"))
		if code != 200 || strings.Count(string(answer), `"suggested":"no"`) != 1 {
			t.Errorf("%s: %d %s", name, code, answer)
		}
	}
}
