// Package server holds what a program that asks the service by HTTP relies on.
package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/server"
)

// visitor asks a server of its own.
type visitor struct {
	*testing.T
	at string
}

func visit(t *testing.T, o server.Options) visitor {
	t.Helper()
	o.Folder = t.TempDir()
	s, err := server.New(o)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s)
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
		if err := s.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
	return visitor{t, web.URL}
}

// asks sends a body, a text as it is and all else as JSON, and decodes the answer into v unless that is nil.
func (c visitor) asks(method, path string, in, v any) (status int, head http.Header, text string) {
	c.Helper()
	content, kind := []byte(nil), ""
	switch in := in.(type) {
	case nil:
	case string:
		content, kind = []byte(in), "text/csv"
	default:
		content, _ = json.Marshal(in)
		kind = "application/json"
	}
	r, err := http.NewRequestWithContext(c.Context(), method, c.at+path, bytes.NewReader(content))
	if err != nil {
		c.Fatal(err)
	}
	r.Header.Set("Content-Type", kind)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		c.Fatal(err)
	}
	defer answer.Body.Close()
	got, err := io.ReadAll(answer.Body)
	if err == nil && v != nil {
		err = json.Unmarshal(got, v)
	}
	if err != nil {
		c.Fatalf("%s %s: %v: %s", method, path, err, got)
	}
	return answer.StatusCode, answer.Header, string(got)
}

func (c visitor) sends(name, content string) (id string) {
	c.Helper()
	var u server.Upload
	if status, _, text := c.asks("POST", "/api/v1/uploads?name="+name, content, &u); status != 201 {
		c.Fatal(status, text)
	}
	return u.ID
}

// waits for a job that was asked for.
func (c visitor) waits(path string, request any) server.Job {
	c.Helper()
	var j server.Job
	if status, _, text := c.asks("POST", path, request, &j); status != 202 {
		c.Fatal(status, text)
	}
	for range 3000 {
		if c.asks("GET", "/api/v1/jobs/"+j.ID, nil, &j); j.State != server.Waiting && j.State != server.Running {
			return j
		}
		time.Sleep(20 * time.Millisecond)
	}
	c.Fatalf("job %s does not end", j.ID)
	return j
}

// squares is a table in which one cell of row 7 is off, and where holes is set another is missing.
func squares(rows int, holes bool) string {
	var b strings.Builder
	b.WriteString("\"a, left\",\"b \"\"right\"\"\",c\n")
	for i := range rows {
		a, d := float64(i%17), float64(i*i%23)
		sum := fmt.Sprint(a + d)
		switch {
		case i == 6:
			sum = "500"
		case i == 9 && holes:
			sum = ""
		}
		fmt.Fprintf(&b, "%g,%g,%s\n", a, d, sum)
	}
	return b.String()
}
