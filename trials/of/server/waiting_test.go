package server

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/server"
)

func TestCancelAndWaiting(t *testing.T) {
	s, c := began(t, server.Options{Limits: server.Limits{Waiting: 2}})
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=wide.csv", wide(), &u)
	slow := server.CompareRequest{Data: server.Table{Upload: u.ID, Target: "y"}, Repeats: 1000}
	var running, waiting server.Job
	c.must(202, "POST", "/api/v1/comparisons", slow, &running)
	for { // until it has left the queue
		var j server.Job
		if c.must(200, "GET", "/api/v1/jobs/"+running.ID, nil, &j); j.State == server.Running {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	c.must(202, "POST", "/api/v1/comparisons", slow, &waiting)
	c.must(202, "POST", "/api/v1/comparisons", slow, nil)
	c.must(429, "POST", "/api/v1/comparisons", slow, nil)
	c.must(422, "DELETE", "/api/v1/jobs/"+waiting.ID, nil, nil)
	c.must(200, "POST", "/api/v1/jobs/"+waiting.ID+"/cancel", nil, nil)
	if j := c.ended(waiting.ID); j.State != server.Cancelled {
		t.Errorf("%+v", j)
	}
	c.must(200, "POST", "/api/v1/jobs/"+running.ID+"/cancel", nil, nil)
	if j := c.ended(running.ID); j.State != server.Cancelled || len(j.Files) != 0 {
		t.Errorf("%+v", j)
	}
	if _, err := os.Stat(filepath.Join(s.Folder, "jobs", running.ID)); err == nil {
		t.Error("a cancelled job has left files")
	}
	c.must(204, "DELETE", "/api/v1/jobs/"+running.ID, nil, nil)
	c.must(404, "GET", "/api/v1/jobs/"+running.ID, nil, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // no grace: the job under way is interrupted
	if err := s.Close(ctx); err != nil {
		t.Fatal(err)
	}
}

// wide is a table that takes a while to compare methods on.
func wide() string {
	draw := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	for j := range 20 {
		fmt.Fprintf(&b, "x%d,", j)
	}
	b.WriteString("y\n")
	for range 500 {
		sum := 0.0
		for range 20 {
			v := draw.NormFloat64()
			sum += v
			fmt.Fprintf(&b, "%.3f,", v)
		}
		fmt.Fprintf(&b, "%.3f\n", sum+draw.NormFloat64())
	}
	return b.String()
}

// Counting and cancelling at the same time: neither waits for the other for ever.
func TestMetricsWhileCancelling(t *testing.T) {
	_, c := began(t, server.Options{Limits: server.Limits{Waiting: 10000}})
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=wide.csv", wide(), &u)
	slow := server.CompareRequest{Data: server.Table{Upload: u.ID, Target: "y"}, Repeats: 1000}
	var first server.Job
	c.must(202, "POST", "/api/v1/comparisons", slow, &first)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		var both sync.WaitGroup
		both.Go(func() {
			for range 500 {
				_, _, _ = c.do("GET", "/metrics", "", nil)
			}
		})
		for range 50 {
			var j server.Job
			c.must(202, "POST", "/api/v1/comparisons", slow, &j)
			c.must(200, "POST", "/api/v1/jobs/"+j.ID+"/cancel", nil, nil)
		}
		both.Wait()
	}()
	select {
	case <-ended:
	case <-time.After(5 * time.Minute): // nothing but a deadlock takes so long, on whatever machine
		t.Fatal("both wait")
	}
	c.must(200, "POST", "/api/v1/jobs/"+first.ID+"/cancel", nil, nil)
}

// A job can be cancelled from the moment at which it is known.
func TestCancelAtOnce(t *testing.T) {
	_, c := began(t, server.Options{})
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	for range 40 {
		var j server.Job
		c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: u.ID}, &j)
		c.must(200, "POST", "/api/v1/jobs/"+j.ID+"/cancel", nil, nil)
		if state := c.ended(j.ID).State; state != server.Cancelled {
			t.Fatalf("cancelled, but %s", state)
		}
	}
}
