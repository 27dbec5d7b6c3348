package server

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// What would not fit into memory is refused with the figure before it is read, where it cannot be read in blocks.
func TestMemoryIsToldBefore(t *testing.T) {
	_, c := began(t, Options{})
	var u Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, _ = w.Write([]byte("a,b\n" + strings.Repeat("1,2\n", 1<<16)))
	w.Close()
	var small Upload
	c.must(201, "POST", "/api/v1/uploads?name=small.csv", packed.String(), &small)
	before := free
	t.Cleanup(func() { free = before })
	free = func() int64 { return 100 << 10 }
	for path, in := range map[string]any{"/api/v1/comparisons": CompareRequest{Data: Table{Upload: small.ID}}, "/api/v1/fits": FitRequest{Data: Table{Upload: small.ID, Tolerant: true}}} {
		c.must(503, "POST", path, in, nil) // it is measured unpacked
	}
	free = func() int64 { return 1000 }
	for path, in := range map[string]any{"/api/v1/checks": CheckRequest{Upload: u.ID}, "/api/v1/fits": FitRequest{Method: "pca", Data: Table{Upload: u.ID, Columns: []string{"net", "tax"}}}} {
		c.must(202, "POST", path, in, nil)
	}
	if code, text, _ := c.do("POST", "/api/v1/models?name=m", "", make([]byte, largeModel+1)); code != 503 || !strings.Contains(string(text), "the model would take about 32") {
		t.Errorf("a large model: %d %s", code, text)
	}
	table := Table{Upload: u.ID, Tolerant: true}
	for path, in := range map[string]any{"/api/v1/comparisons": CompareRequest{Data: table}, "/api/v1/fits": FitRequest{Method: "pca", Data: table}, "/api/v1/uploads/" + u.ID + "/preview": nil} {
		method := "POST"
		if in == nil {
			method = "GET"
		}
		var said struct{ Detail string }
		if c.must(503, method, path, in, &said); !strings.Contains(said.Detail, "of memory, and 1000 bytes are free") {
			t.Error(said.Detail)
		}
	}
}

func TestTurns(t *testing.T) {
	of := make(turns, 1)
	done, err := of.take(t.Context(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := of.take(t.Context(), time.Millisecond); !errors.Is(err, errBusy) {
		t.Error(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := of.take(gone, time.Minute); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	done()
	if _, err := of.take(t.Context(), time.Second); err != nil {
		t.Error(err)
	}
}
