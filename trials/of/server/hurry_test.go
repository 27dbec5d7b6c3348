package server

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/server"
)

// A server that is stopped does not wait for clients that stand still, however long jobs may go on.
func TestStoppedBesideSilentClients(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	place, ended := make(chan string, 1), make(chan error, 1)
	l := server.Listen{Options: server.Options{Folder: t.TempDir(), Limits: server.Limits{Silence: time.Hour}}, Address: "127.0.0.1:0", Ready: func(at string) { place <- at }, Grace: time.Hour}
	go func() { ended <- l.Run(ctx) }()
	at := strings.TrimSuffix(strings.TrimPrefix(<-place, "http://"), "/")
	for _, text := range []string{"", "GET / HT", "POST /api/v1/uploads?name=a.csv HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\na",
		"POST /api/v1/checks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{", "GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"} {
		conn, err := net.Dial("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprint(conn, text)
	}
	time.Sleep(200 * time.Millisecond)
	stop()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(3 * time.Minute):
		t.Error("it waits")
	}
}
