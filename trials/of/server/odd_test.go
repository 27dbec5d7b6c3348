package server

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/server"
)

// A body that does not come, breaks off, is none or too long is the sender's mistake.
func TestBodiesThatAreNone(t *testing.T) {
	_, c := began(t, server.Options{Limits: server.Limits{Silence: 100 * time.Millisecond, Body: 1000}})
	for _, path := range []string{"/api/v1/uploads", "/api/v1/session", "/api/v1/checks", "/api/v1/jobs/0000000000000000/choices"} {
		for body, status := range map[string]string{
			"Content-Length: 50\r\n\r\n{":                "408",
			"Transfer-Encoding: chunked\r\n\r\nzz\r\n":   "400",
			"Transfer-Encoding: chunked\r\n\r\n1\r\naXX": "400",
			"Transfer-Encoding: chunked\r\n\r\n200000\r\n" + strings.Repeat("x", 0x200000) + "\r\n0\r\n\r\n": "413",
		} {
			conn, err := net.Dial("tcp", strings.TrimPrefix(c.at, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%s", path, body)
			_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
			text, err := io.ReadAll(conn)
			conn.Close()
			if err != nil && len(text) == 0 || !strings.HasPrefix(string(text), "HTTP/1.1 "+status) || strings.Contains(string(text), "has a fault") {
				t.Errorf("%s, %.60q: %v %s", path, body, err, text)
			}
		}
	}
}

// Rows as JSON: names of columns that look like numbers are names, an object fits only where columns have names, no columns are a mistake.
func TestOddRows(t *testing.T) {
	_, c := began(t, server.Options{})
	var b strings.Builder
	b.WriteString("1,2,3\n")
	for i := range 100 {
		fmt.Fprintf(&b, "%s,%d,%d\n", []string{"a", "b c", "b;c"}[i%3], i*i%17, i*i*i%13)
	}
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=n.csv", b.String(), &u)
	var j server.Job
	c.must(202, "POST", "/api/v1/fits", server.FitRequest{Data: server.Table{Upload: u.ID, Categorical: "onehot", Header: "yes"}}, &j)
	if j = c.ended(j.ID); j.Model == "" {
		t.Fatalf("%+v", j.Problem)
	}
	at := "/api/v1/models/" + j.Model + "/judge"
	var found struct{ Of int }
	c.must(200, "POST", at, map[string]any{"columns": []string{"1", "2", "3"}, "rows": [][]any{{"a", 3, 4}, {"b;c", 1, 2}}}, &found)
	if found.Of != 2 {
		t.Errorf("%d rows", found.Of)
	}
	for _, body := range []string{`{"rows":[{}]}`, `{"rows":[[1],{"1":2}]}`, `{"columns":[],"rows":[[]]}`, `{"columns":["1","2","3"],"rows":[["a",1,2]]} and more`} {
		if code, text, _ := c.do("POST", at, "application/json", []byte(body)); code/100 != 4 {
			t.Errorf("%s: %d %s", body, code, text)
		}
	}
}

// Results name the file as its sender does.
func TestComparisonsNameTheFile(t *testing.T) {
	s, c := began(t, server.Options{})
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	for _, target := range []string{"", "kind"} {
		var j server.Job
		c.must(202, "POST", "/api/v1/comparisons", server.CompareRequest{Data: server.Table{Upload: u.ID, ID: "order", Target: target, Columns: []string{"net", "tax"}}, Repeats: 1, Methods: map[string][]string{"": {"pca"}, "kind": {"nearest-center"}}[target]}, &j)
		if j = c.ended(j.ID); j.State != server.Done {
			t.Fatalf("%+v", j.Problem)
		}
		for _, name := range j.Files {
			if _, text, _ := c.do("GET", "/api/v1/jobs/"+j.ID+"/files/"+name, "", nil); strings.Contains(string(text), "data.csv") || strings.Contains(string(text), s.Folder) {
				t.Errorf("%s, target %q: the server's own name of the file", name, target)
			}
		}
	}
}

// What cannot be chosen is refused when it is chosen, and choices about a cleaned file add to those that made it.
func TestChoicesAdd(t *testing.T) {
	s, c := began(t, server.Options{})
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	var first, second, third server.Job
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: u.ID}, &first)
	c.ended(first.ID)
	at := func(j server.Job, what string) string { return "/api/v1/jobs/" + j.ID + "/" + what }
	c.must(422, "POST", at(first, "choices"), map[string]any{"row": 3, "choice": "empty"}, nil)
	c.must(422, "POST", at(first, "choices"), map[string]any{"row": 3, "column": "net", "choice": "drop"}, nil)
	c.must(422, "POST", at(first, "choices"), map[string]any{"row": 3, "column": "nowhere", "choice": "keep"}, nil)
	c.must(422, "POST", at(first, "choices"), map[string]any{"rows": []int{3, 301}, "choice": "drop"}, nil)
	c.must(200, "POST", at(first, "choices"), map[string]any{"row": 3, "column": "net", "choice": "keep"}, nil)
	c.must(200, "POST", at(first, "choices"), map[string]any{"row": 3, "column": "net", "choice": ""}, nil)
	c.must(200, "POST", at(first, "choices"), map[string]any{"rows": []int{3, 5}, "choice": "drop"}, nil)
	c.must(202, "POST", at(first, "carry-out"), nil, &second)
	c.ended(second.ID)
	c.must(200, "POST", at(second, "choices"), map[string]any{"row": 9, "choice": "drop"}, nil)
	c.must(200, "POST", at(second, "choices"), map[string]any{"row": 5, "choice": "keep"}, nil)
	c.must(202, "POST", at(second, "carry-out"), nil, &third)
	var r server.CheckRequest
	if err := json.Unmarshal(third.Request, &r); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(r.Choices); got != "[{3  drop} {5  keep} {9  drop}]" {
		t.Error(got)
	}
	_ = s.Close(context.Background())
}

// Codes of categories come as numbers too: 1000000 was looked for as 1e+06. A name that stands for two columns is refused, a number that is none told.
func TestCodesOfCategories(t *testing.T) {
	_, c := began(t, server.Options{})
	var b strings.Builder
	b.WriteString("code,x,y\n")
	codes := []string{"1000000", "1234567", "9007199254740993", "1.50", "175928847299117060"}
	for i := range 200 {
		fmt.Fprintf(&b, "%s,%d,%d\n", codes[i%5], i*i%17, 3*(i*i%17)+100*(i%5)+i%2)
	}
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=n.csv", b.String(), &u)
	var j server.Job
	c.must(202, "POST", "/api/v1/fits", server.FitRequest{Method: "linear-robust", Data: server.Table{Upload: u.ID, Target: "y", Categorical: "onehot", Text: []string{"code"}}}, &j)
	if j = c.ended(j.ID); j.Model == "" {
		t.Fatalf("%+v", j.Problem)
	}
	at := "/api/v1/models/" + j.Model + "/predict"
	for _, same := range []string{"1000000 1e6 1000000.0", "1234567 1234567.0", "9007199254740993", "1.5 1.50"} {
		for _, sent := range strings.Fields(same) {
			var got, want struct {
				Rows []struct{ Prediction float64 }
			}
			code := strings.Replace(strings.Fields(same)[0], "1.5", "1.50", 1)
			c.must(200, "POST", at, json.RawMessage(`{"rows":[{"code":"`+code+`","x":2}]}`), &want)
			c.must(200, "POST", at, json.RawMessage(`{"rows":[{"code":`+sent+`,"x":2}]}`), &got)
			if got.Rows[0] != want.Rows[0] {
				t.Errorf("%s: %v, not %v", sent, got, want)
			}
		}
	}
	for body, why := range map[string]string{
		`{"rows":[[1000000,2]]}`:                                 "names of the columns",
		`{"columns":["code","x","x"],"rows":[["1000000",2,3]]}`:  `named \"x\"`,
		`{"rows":[{"code":"1000000","x":1e999}]}`:                "1e999, which is too large",
		`{"columns":["code","x"],"rows":[["1000000",2]]} and on`: "not the JSON",
		`{"colums":["x","code"],"rows":[[2,"1000000"]]}`:         `it has no \"colums\"`,
	} {
		if code, text, _ := c.do("POST", at, "application/json", []byte(body)); code/100 != 4 || !strings.Contains(string(text), why) {
			t.Errorf("%s: %d %s", body, code, text)
		}
	} // A code that no training row had costs the answer to its row.
	for body, why := range map[string]string{
		`{"rows":[{"code":"1000000","x":2},{"code":7,"x":2}]}`: `{"prediction":null}],"remarks":["1 row with a word that the model has not learned, such as code \"7\", has no answer: 2"]`,
		`{"rows":[{"code":175928847299117063,"x":2}]}`:         `"rows":[{"prediction":null}],"remarks":["1 row with a word that the model has not learned, such as code \"175928847299117063\"`, // as a number it is the one that is known
		`{"rows":[{"code":"a\nb","x":2},{"code":7,"x":2}]}`:    `"rows":[{"prediction":null},{"prediction":null}]`,
	} {
		if code, text, _ := c.do("POST", at, "application/json", []byte(body)); code != 200 || !strings.Contains(string(text), why) {
			t.Errorf("%s: %d %s", body, code, text)
		}
	}
	q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.at+at, strings.NewReader(`{"rows":[{"code":"7","x":2}]}`))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Accept", "text/csv")
	answer, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, _ := io.ReadAll(answer.Body); answer.StatusCode != 200 || string(text) != "prediction\n\"\"\n" {
		t.Errorf("%d %s", answer.StatusCode, text)
	}
}

// A long name keeps its end, which tells the format.
func TestLongNamesOfFiles(t *testing.T) {
	_, c := began(t, server.Options{})
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name="+strings.Repeat("long", 30)+".csv", orders(), &u)
	if !strings.HasSuffix(u.Name, ".csv") {
		t.Error(u.Name)
	}
}

// A browser that saves a file changes what its name must not hold: the command names the file as it is then.
func TestNamesThatBrowsersChange(t *testing.T) {
	_, c := began(t, server.Options{})
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name="+url.QueryEscape(`10:30 "new" <b>?.csv`), orders(), &u)
	var j server.Job
	c.must(202, "POST", "/api/v1/checks", map[string]any{"upload": u.ID, "choices": []inlier.Choice{{Row: 11, Choice: inlier.Drop}}}, &j)
	if j = c.ended(j.ID); !strings.HasSuffix(j.Command, ` --choices '10_30 _new_ _b__-choices.csv'`) {
		t.Error(j.Command)
	}
	if _, _, head := c.do("GET", "/api/v1/jobs/"+j.ID+"/files/choices.csv", "", nil); !strings.Contains(head.Get("Content-Disposition"), `"10_30 _new_ _b__-choices.csv"`) {
		t.Error(head)
	}
}

// Table has every field of the data of a job, but those that lead to files of this machine.
func TestTableHasTheFieldsOfData(t *testing.T) {
	own := map[string]bool{"path": true, "paths": true, "labels": true, "allow_outside": true, "trust": true, "memory": true}
	name := func(f reflect.StructField) string { n, _, _ := strings.Cut(f.Tag.Get("json"), ","); return n }
	has := map[string]bool{}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[server.Table]()) {
		has[name(f)] = true
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[inlier.Data]()) {
		if n := name(f); f.IsExported() && n != "-" && has[n] == own[n] {
			t.Errorf("field %s of the data: there %v, leads to files %v", n, has[n], own[n])
		}
	}
}

// Many names and many rows without values are a mistake, not room for names times rows: a body of a megabyte ended the whole server.
func TestNamesTimesRows(t *testing.T) {
	_, c := began(t, server.Options{})
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	var j server.Job
	c.must(202, "POST", "/api/v1/fits", server.FitRequest{Data: server.Table{Upload: u.ID, Columns: []string{"net", "tax", "total"}}}, &j)
	j = c.ended(j.ID)
	names := make([]string, 100_000)
	for k := range names {
		names[k] = fmt.Sprint(k)
	}
	for _, row := range []any{[]any{}, map[string]any{}} {
		rows := make([]any, 150_000)
		for k := range rows {
			rows[k] = row
		}
		for _, ask := range []string{"judge", "predict", "transform"} {
			c.must(422, "POST", "/api/v1/models/"+j.Model+"/"+ask, map[string]any{"columns": names, "rows": rows}, nil)
		}
	}
}
