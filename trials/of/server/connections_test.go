package server

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/server"
)

// What is no proper HTTP, or takes its time, is answered by a 4xx with a message or let go.
func TestHostileConnections(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	place, ended := make(chan string, 1), make(chan error, 1)
	l := server.Listen{Options: server.Options{Folder: t.TempDir(), Limits: server.Limits{Silence: 300 * time.Millisecond}}, Address: "127.0.0.1:0", Ready: func(at string) { place <- at }, Grace: time.Millisecond}
	go func() { ended <- l.Run(ctx) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	at := strings.TrimSuffix(strings.TrimPrefix(<-place, "http://"), "/")
	host := "Host: localhost\r\n"
	for name, text := range map[string]string{
		"a huge header":          "GET / HTTP/1.1\r\n" + host + "X: " + strings.Repeat("x", 200000) + "\r\n\r\n",
		"many headers":           "GET / HTTP/1.1\r\n" + host + strings.Repeat("X-Y: zzzzzzzzzzzzzzzz\r\n", 20000) + "\r\n",
		"a huge cookie":          "GET /api/v1/jobs HTTP/1.1\r\n" + host + "Cookie: " + strings.Repeat("a=b; ", 30000) + "\r\n\r\n",
		"a huge path":            "GET /" + strings.Repeat("a/", 100000) + " HTTP/1.1\r\n" + host + "\r\n",
		"no host":                "GET /api/v1/jobs HTTP/1.1\r\n\r\n",
		"two hosts":              "GET / HTTP/1.1\r\n" + host + "Host: evil.example\r\n\r\n",
		"a foreign host":         "GET /api/v1/jobs HTTP/1.1\r\nHost: evil.example\r\n\r\n",
		"a foreign absolute":     "GET http://evil.example/api/v1/jobs HTTP/1.1\r\n" + host + "\r\n",
		"a foreign origin":       "POST /api/v1/session HTTP/1.1\r\n" + host + "Origin: http://evil.example\r\nContent-Length: 2\r\n\r\n{}",
		"an origin of nothing":   "POST /api/v1/uploads HTTP/1.1\r\n" + host + "Origin: null\r\nContent-Length: 2\r\n\r\n{}",
		"no method":              " / HTTP/1.1\r\n" + host + "\r\n",
		"an unknown method":      "BREW /api/v1/jobs HTTP/1.1\r\n" + host + "\r\n",
		"a tunnel":               "CONNECT evil.example:80 HTTP/1.1\r\nHost: evil.example:80\r\n\r\n",
		"an unknown version":     "GET / HTTP/9.9\r\n" + host + "\r\n",
		"two lengths":            "POST /api/v1/uploads HTTP/1.1\r\n" + host + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
		"a negative length":      "POST /api/v1/uploads HTTP/1.1\r\n" + host + "Content-Length: -5\r\n\r\n",
		"an endless length":      "POST /api/v1/uploads HTTP/1.1\r\n" + host + "Content-Length: 9223372036854775807\r\n\r\n",
		"an endless model":       "POST /api/v1/models HTTP/1.1\r\n" + host + "Content-Length: 9223372036854775807\r\n\r\n",
		"an endless check":       "POST /api/v1/checks HTTP/1.1\r\n" + host + "Content-Type: application/json\r\nContent-Length: 9223372036854775807\r\n\r\n{",
		"length and chunks":      "POST /api/v1/uploads HTTP/1.1\r\n" + host + "Content-Length: 4\r\nTransfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n",
		"an unknown expectation": "POST /api/v1/uploads HTTP/1.1\r\n" + host + "Expect: miracles\r\nContent-Length: 1\r\n\r\na",
		"binary":                 "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + strings.Repeat("\x00", 100) + "\r\n\r\n",
		"a path upwards":         "GET /../../etc/passwd HTTP/1.1\r\n" + host + "\r\n",
		"a file upwards":         "GET /api/v1/jobs/0000000000000000/files/..%2f..%2fjournal.jsonl HTTP/1.1\r\n" + host + "\r\n",
		"half a header":          "GET / HTTP/1.1\r\nHo",
		"half a body":            "POST /api/v1/checks HTTP/1.1\r\n" + host + "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
		"nothing at all":         "",
	} {
		conn, err := net.Dial("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(3 * time.Minute))
		go func() { _, _ = io.WriteString(conn, text) }()
		answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			if slow, ok := err.(net.Error); ok && slow.Timeout() {
				t.Errorf("%s: nothing happens", name)
			} else if name != "half a header" && name != "nothing at all" && !strings.HasPrefix(name, "a huge") && name != "many headers" {
				t.Errorf("%s: %v", name, err) // those are let go, or cut off before they have read the answer
			}
			conn.Close()
			continue
		}
		said, _ := io.ReadAll(io.LimitReader(answer.Body, 1000))
		proper := answer.StatusCode/100 == 4 && len(said) > 0
		if name == "a path upwards" {
			proper = proper || answer.StatusCode/100 == 3
		}
		if name == "an unknown expectation" { // the web server below answers, in one line
			proper = answer.StatusCode == http.StatusExpectationFailed
		}
		if name == "an unknown version" {
			proper = answer.StatusCode == http.StatusHTTPVersionNotSupported
		}
		if name == "length and chunks" {
			proper = proper || answer.StatusCode == http.StatusNotImplemented
		}
		if !proper {
			t.Errorf("%s: %d %s", name, answer.StatusCode, said)
		}
		conn.Close()
	}
}
