package server

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/server"
)

func TestStrangersAreRefused(t *testing.T) {
	_, c := began(t, server.Options{})
	for _, host := range []string{"evil.example", "evil.example:80", "127.0.0.1.evil.example", "192.168.1.7:8080", "localhost.evil", ""} {
		if c.headers["Host"] = host; host == "" {
			continue
		}
		if code, text, _ := c.do("GET", "/api/v1/jobs", "", nil); code != http.StatusMisdirectedRequest {
			t.Errorf("Host %s: %d %s", host, code, text)
		}
	}
	for _, host := range []string{"localhost", "LOCALHOST:99", "127.0.0.1:1", "[::1]:5", "127.9.9.9"} {
		c.headers["Host"] = host
		if code, text, _ := c.do("GET", "/healthz", "", nil); code != 200 {
			t.Errorf("Host %s: %d %s", host, code, text)
		}
	}
	delete(c.headers, "Host")
	for name, value := range map[string]string{"Origin": "http://evil.example", "Sec-Fetch-Site": "cross-site"} {
		c.headers = map[string]string{name: value}
		if code, _, _ := c.do("POST", "/api/v1/uploads", "text/csv", []byte("a\n1\n")); code != http.StatusForbidden {
			t.Errorf("%s: %d", name, code)
		}
	}
}

func TestToken(t *testing.T) {
	_, c := began(t, server.Options{Token: "secret words"})
	for path, status := range map[string]int{"/": 200, "/app.js": 200, "/healthz": 200, "/metrics": 401, "/api/v1/jobs": 401, "/api/v1/openapi.json": 401, "/api/v1/events": 401} {
		if code, text, _ := c.do("GET", path, "", nil); code != status {
			t.Errorf("%s: %d instead of %d: %s", path, code, status, text)
		}
	}
	c.must(401, "POST", "/api/v1/session", map[string]string{"token": "wrong"}, nil)
	code, _, head := c.do("POST", "/api/v1/session", "application/json", []byte(`{"token":"secret words"}`))
	cookie := head.Get("Set-Cookie")
	if code != 204 || !strings.Contains(cookie, "HttpOnly") || !strings.Contains(cookie, "SameSite=Strict") || strings.Contains(cookie, "secret") {
		t.Fatalf("%d %s", code, cookie)
	}
	c.headers["Cookie"], _, _ = strings.Cut(cookie, ";")
	c.must(200, "GET", "/api/v1/jobs", nil, nil)
	c.headers = map[string]string{"Authorization": "Bearer secret words"}
	c.must(200, "GET", "/api/v1/jobs", nil, nil)
	c.headers = map[string]string{"Authorization": "Bearer secret"}
	c.must(401, "GET", "/api/v1/jobs", nil, nil)
}

func TestAddressesThatOthersReachNeedAToken(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "example.org:0", "nonsense"} {
		if err := (server.Listen{Address: address, Options: server.Options{Folder: t.TempDir()}}).Run(t.Context()); err == nil {
			t.Errorf("%s is served without a token", address)
		}
	}
}

func TestListen(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	at, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- (server.Listen{Address: "127.0.0.1:0", Options: server.Options{Folder: t.TempDir()}, Ready: func(a string) { at <- a }}).Run(ctx)
	}()
	answer, err := http.Get(<-at + "healthz")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	stop()
	if err := <-ended; err != nil || answer.StatusCode != 200 {
		t.Errorf("%d %v", answer.StatusCode, err)
	}
}

// The address that is told leads a browser to the page and its script to the token, whatever that holds: those of base64 have + and =.
func TestTheAddressThatIsTold(t *testing.T) {
	const token = "a+b/c=&d e#%41é"
	ctx, stop := context.WithCancel(t.Context())
	at, ended := make(chan string, 1), make(chan error, 1)
	go func() {
		ended <- (server.Listen{Address: "0.0.0.0:0", Options: server.Options{Folder: t.TempDir(), Token: token}, Ready: func(a string) { at <- a }}).Run(ctx)
	}()
	page, fragment, _ := strings.Cut(<-at, "#")
	values, err := url.ParseQuery(fragment) // as URLSearchParams reads it
	if err != nil || values.Get("token") != token || !strings.HasPrefix(page, "http://127.0.0.1:") {
		t.Errorf("%s %s: %v", page, fragment, err)
	}
	answer, err := http.Get(page)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	stop()
	if err := <-ended; err != nil || answer.StatusCode != 200 {
		t.Errorf("%d %v", answer.StatusCode, err)
	}
}

func TestLimitsOfBodies(t *testing.T) {
	s, c := began(t, server.Options{Limits: server.Limits{Body: 1000, Rows: 1000}})
	c.must(413, "POST", "/api/v1/uploads?name=a.csv", strings.Repeat("1,2\n", 1000), nil)
	r, err := http.NewRequestWithContext(t.Context(), "POST", c.at+"/api/v1/uploads", &endless{left: 1 << 20}) // of unknown length
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err == nil {
		answer.Body.Close()
		if answer.StatusCode != 413 {
			t.Errorf("%d", answer.StatusCode)
		}
	}
	for until := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) { // a client that gave up does not see the server clear away
		files, err := os.ReadDir(filepath.Join(s.Folder, "uploads"))
		if err == nil && len(files) == 0 {
			return
		}
		if err != nil || time.Now().After(until) {
			t.Fatalf("%d files are left, %v", len(files), err)
		}
	}
}

type endless struct{ left int }

func (e *endless) Read(b []byte) (int, error) {
	if e.left <= 0 {
		return 0, fmt.Errorf("read to the end")
	}
	e.left -= len(b)
	return copy(b, bytes.Repeat([]byte("1,2\n"), len(b)/4+1)), nil
}
