package server

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/server"
)

// A question that an operation does not know is refused with the one that was meant, not passed over.
func TestMisspeltQuestions(t *testing.T) {
	c := visit(t, server.Options{})
	u := c.sends("t.csv", squares(80, false))
	j := c.waits("/api/v1/fits", map[string]any{"method": "pca", "data": map[string]any{"upload": u}})
	for path, want := range map[string]string{
		"POST /api/v1/models/" + j.Model + "/judge?decmal=comma":            "is decimal meant?",
		"POST /api/v1/models/" + j.Model + "/judge?decimal=comma&decimal=x": "decimal stands there twice",
		"POST /api/v1/models/" + j.Model + "/judge?a;b":                     "malformed",
		"POST /api/v1/uploads?nam=x.csv":                                    "is name meant?",
		"GET /api/v1/uploads/" + u + "/preview?shet=2":                      "is sheet meant?",
		"GET /api/v1/jobs?limit=3":                                          "and no other",
		"GET /api/v1/jobs/" + j.ID + "/rows?rws=1":                          "is rows meant?",
		"DELETE /api/v1/models/" + j.Model + "?force":                       "and no other",
		"POST /api/v1/checks?dry":                                           "and no other",
	} {
		method, at, _ := strings.Cut(path, " ")
		status, head, text := c.asks(method, at, "a,b,c\n1,2,3\n", nil)
		if status != 400 || !strings.Contains(text, want) || head.Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
	for _, path := range []string{"/?x=1", "/healthz?x", "/metrics?x", "/api/v1/openapi.json?x"} {
		if status, _, text := c.asks("GET", path, nil, nil); status != 200 {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
}

// What an advice names is a parameter of the question that was asked.
func TestAdviceForQuestions(t *testing.T) {
	c := visit(t, server.Options{})
	j := c.waits("/api/v1/fits", map[string]any{"method": "pca", "data": map[string]any{"upload": c.sends("t.csv", squares(80, false))}})
	table := "a, left;b \"right\";c\n1,5;2,5;3\n"
	at := "/api/v1/models/" + j.Model + "/transform"
	_, _, said := c.asks("POST", at, table, nil)
	if strings.Contains(said, "decimal_comma") || !strings.Contains(said, "decimal=comma") {
		t.Error(said)
	}
	if status, _, said := c.asks("POST", at+"?decimal=comma", table, nil); status != 200 {
		t.Error(status, said)
	}
}

// A member that stands twice is refused, wherever it stands; 3.0 is 3.
func TestMembersTwice(t *testing.T) {
	c := visit(t, server.Options{})
	u := c.sends("t.csv", squares(80, false))
	j := c.waits("/api/v1/fits", map[string]any{"method": "pca", "seed": json.RawMessage("3.0"), "data": map[string]any{"upload": u, "limit": json.RawMessage("7e1")}})
	if j.Model == "" || !strings.Contains(j.Command, "--seed 3") || !strings.Contains(j.Command, "--limit 70") {
		t.Fatalf("%+v", j)
	}
	at := "/api/v1/models/" + j.Model + "/transform"
	many := ""
	for k := range 40 {
		many += fmt.Sprintf(`"m%d":1,`, k)
	}
	for body, want := range map[string]string{
		`{"rows":[[1,2,3]],"rows":[[4,5,6]]}`:                                                `\"rows\" stands in it twice`,
		`{"rows":[[1,2,3]],"Rows":[[4,5,6]]}`:                                                `\"rows\" stands in it twice`,
		`{"rows":[{"c":1,"a, left":2,"b \"right\"":3,"\u0063":4}]}`:                          `\"c\" stands in it twice`,
		`{"rows":[{` + many + `"c":1,"a, left":2,"b \"right\"":3,"m39":4}]}`:                 `\"m39\" stands in it twice`,
		`{"rows":[{"c":1,"a, left":2,"b \"right\"":3},{"c":4,"c":1}]}`:                       `\"c\" stands in it twice`,
		`{"rows":[{"c":1,"C":9,"a, left":2,"b \"right\"":3}]}`:                               "",
		`{"rows":[{"c":1,"a, left":2,"b \"right\"":3},{"c":4,"a, left":2,"b \"right\"":3}]}`: "",
	} {
		status, _, text := c.asks("POST", at, json.RawMessage(body), nil)
		if want == "" && status != 200 || want != "" && (status != 400 || !strings.Contains(text, want)) {
			t.Errorf("%s: %d %s", body, status, text)
		}
	}
	for path, body := range map[string]string{
		"/api/v1/checks": `{"upload":"` + u + `","limit":3,"limit":4}`,
		"/api/v1/fits":   `{"data":{"upload":"` + u + `","upload":"` + u + `"}}`,
	} {
		if status, _, text := c.asks("POST", path, json.RawMessage(body), nil); status != 400 || !strings.Contains(text, "twice") {
			t.Errorf("%s: %d %s", body, status, text)
		}
	}
	for _, body := range []string{`{"seed":1e30}`, `{"limit":1e18}`, `{"seed":1e400}`, `{"seed":-1}`, `{"seed":1.5}`, `{"expect":"x"}`, `{"seed":99999999999999999999}`} {
		status, _, text := c.asks("POST", "/api/v1/checks", json.RawMessage(`{"upload":"`+u+`",`+body[1:]), nil)
		if status < 400 && !strings.Contains(body, "e18") || status >= 500 || strings.Contains(text, "Go ") || strings.Contains(text, "uint") {
			t.Errorf("%s: %d %s", body, status, text)
		}
	}
}

// An answer calls rows of a request rows, also those that a tolerant model reads as texts.
func TestRowsAreCalledRows(t *testing.T) {
	c := visit(t, server.Options{})
	text := "day,a,y\n"
	for i := range 60 {
		text += fmt.Sprintf("2024-01-%02d,%d kg,%d\n", 1+i%28, i%17, i*i%23)
	}
	j := c.waits("/api/v1/fits", map[string]any{"method": "linear-robust", "data": map[string]any{"upload": c.sends("t.csv", text), "target": "y", "tolerant": true}})
	rows := map[string]any{"rows": []any{map[string]any{"day": "2024-01-05", "a": "3 kg", "y": 1}}}
	for _, what := range []string{"predict", "judge"} {
		if status, _, said := c.asks("POST", "/api/v1/models/"+j.Model+"/"+what, rows, nil); status != 200 || !strings.Contains(said, `"data":"rows"`) {
			t.Errorf("%s: %d %s", what, status, said)
		}
	}
	if status, _, said := c.asks("POST", "/api/v1/models/"+j.Model+"/predict", map[string]any{"rows": []any{map[string]any{"day": "2024-01-05"}}}, nil); status != 422 || strings.Contains(said, "standard input") {
		t.Errorf("%d %s", status, said)
	}
}

// Advice is given where following it helps: rows of a regression cannot be judged without what is to be predicted, those of a classifier can.
func TestAdviceForRowsWithoutTarget(t *testing.T) {
	c := visit(t, server.Options{})
	table, row := squares(60, false), "\"a, left\",\"b \"\"right\"\"\"\n1,2\n"
	for method, task := range map[string]string{"linear-robust": "regression", "logistic": "class"} {
		j := c.waits("/api/v1/fits", map[string]any{"method": method, "data": map[string]any{"upload": c.sends("t.csv", table), "target": "c", "task": task}})
		status, _, text := c.asks("POST", "/api/v1/models/"+j.Model+"/judge", row, nil)
		if status != 422 || strings.Contains(text, "target none") != (task == "class") {
			t.Errorf("%s: %d %s", method, status, text)
		}
		if status, _, text = c.asks("POST", "/api/v1/models/"+j.Model+"/judge?target=none", row, nil); (status == 200) != (task == "class") {
			t.Errorf("%s without: %d %s", method, status, text)
		}
	}
}
