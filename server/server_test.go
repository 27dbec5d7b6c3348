package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"
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
func began(t *testing.T, o Options) (*Server, *client) {
	t.Helper()
	if o.Folder == "" {
		o.Folder = t.TempDir()
	}
	s, err := New(o)
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
func (c *client) ended(id string) (j Job) {
	c.t.Helper()
	for range 2000 {
		if c.must(200, "GET", "/api/v1/jobs/"+id, nil, &j); j.State.Ended() {
			return j
		}
		time.Sleep(10 * time.Millisecond)
	}
	c.t.Fatalf("job %s does not end: %+v", id, j)
	return j
}

// Every field of a table that a job's data have is handed on.
func TestTableHandsOn(t *testing.T) {
	full := Table{}
	v := reflect.ValueOf(&full).Elem()
	for k := range v.NumField() {
		switch f := v.Field(k); f.Kind() {
		case reflect.String:
			f.SetString("x")
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Int:
			f.SetInt(3)
		case reflect.Slice:
			f.Set(reflect.ValueOf([]string{"x"}))
		case reflect.Map:
			f.Set(reflect.ValueOf(map[string]string{"x": "number"}))
		}
	}
	data := reflect.ValueOf(full.data("here"))
	for _, f := range reflect.VisibleFields(data.Type()) {
		if _, has := v.Type().FieldByName(f.Name); has && data.FieldByIndex(f.Index).IsZero() {
			t.Errorf("field %s is not handed on", f.Name)
		}
	}
}
