package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/server"
)

// orders is a table of 300 rows in which total = net + tax, with wrong cells in rows 11, 42 and 200.
func orders() string {
	draw := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("order,net,tax,total,kind\n")
	for i := range 300 {
		net := float64(int(1000+9000*draw.Float64())) / 100
		tax := float64(int(net*20)) / 100
		total := net + tax
		switch i + 1 {
		case 11:
			total *= 100
		case 42:
			total = -total
		case 200:
			tax += 50
		}
		fmt.Fprintf(&b, "A%04d,%.2f,%.2f,%.2f,%s\n", i, net, tax, total, []string{"book", "toy", "food"}[i%3])
	}
	return b.String()
}

// began starts a server on a folder.
func began(t *testing.T, o server.Options) (*server.Server, *client) {
	t.Helper()
	if o.Folder == "" {
		o.Folder = t.TempDir()
	}
	s, err := server.New(o)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s)
	t.Cleanup(func() {
		web.Close()
		_ = s.Close(t.Context())
	})
	return s, &client{t: t, at: web.URL, headers: map[string]string{}}
}

type client struct {
	t       *testing.T
	at      string
	headers map[string]string
}

func (c *client) do(method, path, kind string, content []byte) (int, []byte, http.Header) {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, c.at+path, bytes.NewReader(content))
	if err != nil {
		c.t.Fatal(err)
	}
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	for name, value := range c.headers {
		if name == "Host" {
			r.Host = value
		} else {
			r.Header.Set(name, value)
		}
	}
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		c.t.Fatal(err)
	}
	defer answer.Body.Close()
	got, err := io.ReadAll(answer.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return answer.StatusCode, got, answer.Header
}

// must asks and insists on a status; the answer is decoded into v unless that is nil.
func (c *client) must(status int, method, path string, in, v any) {
	c.t.Helper()
	var content []byte
	kind := ""
	switch in := in.(type) {
	case nil:
	case string:
		content, kind = []byte(in), "text/csv"
	default:
		var err error
		if content, err = json.Marshal(in); err != nil {
			c.t.Fatal(err)
		}
		kind = "application/json"
	}
	got, text, _ := c.do(method, path, kind, content)
	if got != status {
		c.t.Fatalf("%s %s: %d instead of %d: %s", method, path, got, status, text)
	}
	if v != nil {
		if err := json.Unmarshal(text, v); err != nil {
			c.t.Fatalf("%s %s: %v in %s", method, path, err, text)
		}
	}
}

// ended waits for a job.
func (c *client) ended(id string) (j server.Job) {
	c.t.Helper()
	for looks := 0; looks < 2000; {
		if c.must(200, "GET", "/api/v1/jobs/"+id, nil, &j); j.State.Ended() {
			return j
		}
		if j.State != server.Waiting { // thousands may stand before it
			looks++
		}
		time.Sleep(10 * time.Millisecond)
	}
	c.t.Fatalf("job %s does not end: %+v", id, j)
	return j
}

func TestModels(t *testing.T) {
	s, c := began(t, server.Options{})
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	var j server.Job
	c.must(202, "POST", "/api/v1/fits", server.FitRequest{Method: "linear-robust", Data: server.Table{Upload: u.ID, Target: "total", Drop: []string{"order", "kind"}}}, &j)
	if j = c.ended(j.ID); j.State != server.Done || j.Model == "" {
		t.Fatalf("%+v", j)
	}
	var made struct{ Rows []map[string]float64 }
	c.must(200, "POST", "/api/v1/models/"+j.Model+"/predict", map[string]any{"rows": [][]float64{{50, 10}, {20, 4}}}, &made)
	if len(made.Rows) != 2 || made.Rows[0]["prediction"] < 59.9 || made.Rows[0]["prediction"] > 60.1 {
		t.Errorf("%+v", made)
	}
	byName := map[string]any{"rows": []map[string]any{{"tax": 10, "net": 50, "unused": "x"}}}
	if code, text, _ := c.do("POST", "/api/v1/models/"+j.Model+"/predict", "application/json", must(t, byName)); code != 422 && code != 200 {
		t.Errorf("%d %s", code, text)
	}
	c.must(200, "POST", "/api/v1/models/"+j.Model+"/predict", map[string]any{"columns": []string{"tax", "net"}, "rows": [][]float64{{10, 50}}}, &made)
	if made.Rows[0]["prediction"] < 59.9 || made.Rows[0]["prediction"] > 60.1 {
		t.Errorf("by name: %+v", made)
	}
	// A table as a file, answered as CSV and as JSON.
	c.headers["Accept"] = "text/csv"
	code, text, _ := c.do("POST", "/api/v1/models/"+j.Model+"/judge", "text/csv", []byte(orders()))
	if lines := strings.Count(string(text), "\n"); code != 200 || lines != 301 {
		t.Errorf("%d, %d lines: %.300s", code, lines, text)
	}
	c.headers = map[string]string{}
	var judged struct{ Rows []map[string]any }
	c.must(200, "POST", "/api/v1/models/"+j.Model+"/judge", orders(), &judged)
	flagged := []int{}
	for k, row := range judged.Rows {
		if row["outlier"] == true {
			flagged = append(flagged, k+1)
		}
	}
	if len(judged.Rows) != 300 || fmt.Sprint(flagged) != "[11 42 200]" {
		t.Errorf("%d rows, flagged %v", len(judged.Rows), flagged)
	}
	// The file of a model comes back as one that another server takes.
	_, file, _ := c.do("GET", "/api/v1/models/"+j.Model+"/file", "", nil)
	code, text, _ = c.do("POST", "/api/v1/models?name=again", "application/octet-stream", file)
	if code != 201 {
		t.Errorf("%d %s", code, text)
	}
	if code, text, _ = c.do("POST", "/api/v1/models", "application/octet-stream", file[:len(file)/2]); code != 422 || strings.Contains(string(text), s.Folder) {
		t.Errorf("half a model: %d %s", code, text)
	}
	var all []server.StoredModel
	c.must(200, "GET", "/api/v1/models", nil, &all)
	if len(all) != 2 {
		t.Errorf("%d models", len(all))
	}
	c.must(204, "DELETE", "/api/v1/models/"+j.Model, nil, nil)
	c.must(404, "POST", "/api/v1/models/"+j.Model+"/predict", map[string]any{"rows": [][]float64{{1, 2}}}, nil)
	// Methods side by side.
	c.must(202, "POST", "/api/v1/comparisons", server.CompareRequest{Data: server.Table{Upload: u.ID, Drop: []string{"order", "kind"}}, Methods: []string{"pca", "pca-robust"}}, &j)
	if j = c.ended(j.ID); j.State != server.Done {
		t.Errorf("%+v", j)
	}
}

func must(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Mistakes are told in words, without places on this machine.
func TestMistakes(t *testing.T) {
	s, c := began(t, server.Options{})
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	for what, in := range map[string]any{
		"/api/v1/fits": server.FitRequest{Method: "no-such", Data: server.Table{Upload: u.ID}},
	} {
		code, text, _ := c.do("POST", what, "application/json", must(t, in))
		if code != 422 || !strings.Contains(string(text), "no-such") {
			t.Errorf("%s: %d %s", what, code, text)
		}
	}
	var j server.Job
	c.must(202, "POST", "/api/v1/fits", server.FitRequest{Data: server.Table{Upload: u.ID, Target: "nowhere"}}, &j)
	j = c.ended(j.ID)
	text := string(must(t, j))
	if j.State != server.Failed || !strings.Contains(j.Problem.Detail, "nowhere") || strings.Contains(text, s.Folder) || !strings.Contains(text, "orders.csv") {
		t.Errorf("%s", text)
	}
	c.must(422, "POST", "/api/v1/uploads?name=empty.csv", "", nil)
	var empty []server.Upload
	if c.must(200, "GET", "/api/v1/uploads", nil, &empty); len(empty) != 1 {
		t.Errorf("%d uploads", len(empty))
	}
}
