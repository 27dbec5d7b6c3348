package server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/server"
)

// A verdict says why, however rows come and go; a row without its target costs its own verdict alone, and says so.
func TestVerdictsSayWhy(t *testing.T) {
	c := visit(t, server.Options{})
	text, classes := "a,b,y\n", "a,b,kind\n"
	for i := range 120 {
		a, b := i%17, i*i%23
		text += fmt.Sprintf("%d,%d,%d\n", a, b, 3*a-2*b+i%3)
		classes += fmt.Sprintf("%d,%d,%s\n", a+40*(i%2), b, []string{"rose", "lily"}[i%2])
	}
	type verdict struct {
		Row     int
		Kind    string
		Outlier bool
		Why     []struct {
			Column   string
			Expected *float64
		}
	}
	for _, of := range []struct{ method, target, table, wrong, head string }{
		{"linear-robust", "y", text, "3,4,900", "a,b,y"}, {"logistic", "kind", classes, "1,4,lily", "a,b,kind"}, {"pca-robust", "", text, "3,4,900", "a,b,y"},
	} {
		for _, tolerant := range []bool{false, true} {
			data := map[string]any{"upload": c.sends("t.csv", of.table), "target": of.target, "tolerant": tolerant}
			j := c.waits("/api/v1/fits", map[string]any{"method": of.method, "data": data, "parameters": map[string]any{}})
			if j.Model == "" {
				t.Fatal(of.method, j.Problem)
			}
			lines := strings.Split(strings.TrimSpace(of.table), "\n")
			lines[7], lines[9] = of.wrong, lines[9][:strings.LastIndex(lines[9], ",")+1]
			sent := strings.Join(lines, "\n") + "\n"
			var rows struct{ Rows []verdict }
			if status, _, said := c.asks("POST", "/api/v1/models/"+j.Model+"/judge", sent, nil); status != 200 {
				t.Errorf("%s, tolerant %v: %d %s", of.method, tolerant, status, said)
				continue
			}
			c.asks("POST", "/api/v1/models/"+j.Model+"/judge", sent, &rows)
			if len(rows.Rows) != 120 {
				t.Fatal(of.method, len(rows.Rows))
			}
			if r := rows.Rows[6]; !r.Outlier || len(r.Why) == 0 || r.Why[0].Column == "" {
				t.Errorf("%s, tolerant %v: %+v", of.method, tolerant, r)
			}
			bare := lines[0][strings.LastIndex(lines[0], ",")+1:]
			if r := rows.Rows[8]; r.Kind != "missing" || r.Outlier || len(r.Why) != 1 || r.Why[0].Column != bare {
				t.Errorf("%s, tolerant %v: without %s: %+v", of.method, tolerant, bare, r)
			}
			table := lined(c, "/api/v1/models/"+j.Model+"/judge", sent)
			if head := table[0]; !strings.HasSuffix(head, ",why") || !strings.Contains(table[7], "=") || !strings.HasSuffix(table[9], ","+bare+" is missing") {
				t.Errorf("%s, tolerant %v: %s\n%s\n%s", of.method, tolerant, table[0], table[7], table[9])
			}
		}
	}
}

// A classifier's table that does not fit into the memory of a request is judged all the same, without reasons from the medians of all rows.
func TestReasonsOfLargeTables(t *testing.T) {
	c := visit(t, server.Options{Limits: server.Limits{Memory: 1 << 14}})
	classes := "a,b,kind\n"
	for i := range 6000 {
		classes += fmt.Sprintf("%d,%d,%s\n", i%17+40*(i%2), i*i%23, []string{"rose", "lily"}[i%2])
	}
	j := c.waits("/api/v1/fits", map[string]any{"method": "logistic", "data": map[string]any{"upload": c.sends("t.csv", classes), "target": "kind"}})
	sent := strings.Replace(classes, "rose", "lily", 1)
	sent = strings.Replace(sent, "rose", "", 1)
	table := lined(c, "/api/v1/models/"+j.Model+"/judge", sent)
	if len(table) != 6002 || !strings.Contains(table[1], "true") || !strings.HasSuffix(table[3], "kind is missing") {
		t.Errorf("%d lines: %.500s", len(table), strings.Join(table, "\n"))
	}
}

// lined is the answer to a table as lines of CSV.
func lined(c visitor, path, sent string) []string {
	c.Helper()
	own := &client{t: c.T, at: c.at, headers: map[string]string{"Accept": "text/csv"}}
	code, text, _ := own.do("POST", path, "text/csv", []byte(sent))
	if code != 200 {
		c.Fatal(code, string(text))
	}
	return strings.Split(string(text), "\n")
}
