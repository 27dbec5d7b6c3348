package server

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier"
)

// A client that does not take its answer is let go; one that takes it slowly is not.
func TestSlowReaders(t *testing.T) {
	s, _ := began(t, Options{Limits: Limits{Silence: 5 * time.Second}})
	ended := make(chan error, 1)
	web := httptest.NewServer(s.guard(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, err := w.Write(make([]byte, 8<<20))
		ended <- err
	})))
	defer web.Close()
	for _, reads := range []bool{false, true} {
		conn, err := net.Dial("tcp", strings.TrimPrefix(web.URL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.(*net.TCPConn).SetReadBuffer(1 << 16)
		fmt.Fprint(conn, "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
		began := time.Now()
		if reads {
			go func() {
				for room := make([]byte, 1<<16); err == nil; time.Sleep(40 * time.Millisecond) {
					_, err = io.ReadFull(conn, room)
				}
			}()
		}
		select {
		case err := <-ended:
			if (err == nil) != reads {
				t.Errorf("reads %v: %v after %s", reads, err, time.Since(began))
			}
		case <-time.After(5 * time.Minute):
			t.Fatalf("reads %v: the answer does not end", reads)
		}
		conn.Close()
	}
}

// One column of texts, one of them empty, stays as many rows.
func TestEmptyTextIsARow(t *testing.T) {
	text, err := io.ReadAll(table([]string{"city"}, []any{"Rome", "", nil, "Bonn"}))
	if err != nil || string(text) != "city\nRome\n\"\"\n\"\"\nBonn\n" {
		t.Errorf("%v %q", err, text)
	}
}

// A table of no parts is a whole answer too.
func TestTableAnswer(t *testing.T) {
	for _, asJSON := range []bool{true, false} {
		w := httptest.NewRecorder()
		a := &tableAnswer{w: w, json: asJSON}
		if err := a.end(nil); err != nil || asJSON && !json.Valid(w.Body.Bytes()) || !a.begun() {
			t.Errorf("%v %q", err, w.Body)
		}
	}
}

// A file keeps its name where errors, commands and formats need it.
func TestNamesOfFiles(t *testing.T) {
	if got := printable("a\u202efdp.exe"); got != "a?fdp.exe" { // which is shown as aexe.pdf
		t.Error(got)
	}
	err := renamed(&inlier.Error{Problem: "/d/uploads/1/data.csv: the data of data.csv"}, &Upload{Name: "my-data.csv"}, "/d/uploads/1/data.csv")
	if err.Error() != "my-data.csv: the data of my-data.csv" {
		t.Error(err)
	}
	err = renamed(&inlier.Error{Problem: "/d/uploads/1/data: the data"}, &Upload{Name: "orders"}, "/d/uploads/1/data")
	if err.Error() != "orders: the data" {
		t.Error(err)
	}
	if got := (CheckRequest{}).command("-x.csv"); got != "inlier check ./-x.csv" {
		t.Error(got)
	}
}
