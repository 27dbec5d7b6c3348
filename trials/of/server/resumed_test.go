package server

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/server"
)

// tall is a table of so many rows with a hidden cause.
func tall(rows int) string {
	draw := rand.New(rand.NewPCG(5, 6))
	var b strings.Builder
	b.WriteString("a,b,c,d,e,f\n")
	for range rows {
		cause := draw.NormFloat64()
		for k := range 6 {
			if k > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "%.4f", cause*float64(k+1)+draw.NormFloat64())
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// A fit in blocks that a stop has interrupted goes on from its last reading when it is run again, to the same model; its checkpoint is gone then.
func TestFitGoesOnAfterAStop(t *testing.T) {
	table := tall(60000)
	asked := func(u server.Upload) server.FitRequest {
		return server.FitRequest{Method: "pca-robust", Data: server.Table{Upload: u.ID, Precision: "single"}, Parameters: server.Values{"components": "1"}, Seed: 3}
	}
	_, c := began(t, server.Options{})
	var u server.Upload
	var j server.Job
	c.must(201, "POST", "/api/v1/uploads?name=tall.csv", table, &u)
	c.must(202, "POST", "/api/v1/fits", asked(u), &j)
	whole := c.ended(j.ID)
	if whole.State != server.Done {
		t.Fatalf("%+v", whole)
	}
	_, _, want := download(c, whole)

	for try := range 20 { // a stop at other moments, until one comes between two readings
		folder := t.TempDir()
		s, c := began(t, server.Options{Folder: folder})
		c.must(201, "POST", "/api/v1/uploads?name=tall.csv", table, &u)
		c.must(202, "POST", "/api/v1/fits", asked(u), &j)
		kept := filepath.Join(folder, "uploads", u.ID, "*.checkpoint")
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
			if found, _ := filepath.Glob(kept); len(found) > 0 {
				break
			}
		}
		time.Sleep(time.Duration(try*10) * time.Millisecond)
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // no grace
		if err := s.Close(ctx); err != nil {
			t.Fatal(err)
		}
		_, c = began(t, server.Options{Folder: folder})
		var stopped server.Job
		if c.must(200, "GET", "/api/v1/jobs/"+j.ID, nil, &stopped); stopped.State != server.Interrupted {
			continue
		}
		c.must(200, "POST", "/api/v1/jobs/"+j.ID+"/again", nil, &j)
		again := c.ended(j.ID)
		if again.State != server.Done {
			t.Fatalf("%+v", again)
		}
		if found, _ := filepath.Glob(kept); len(found) > 0 {
			t.Errorf("%v is still there", found)
		}
		recalled, reads, got := download(c, again)
		if !slices.Equal(got, want) {
			t.Fatalf("try %d: another model, after %g readings that were kept and %g made", try, recalled, reads)
		}
		if recalled > 0 {
			t.Logf("try %d: %g readings were kept, %g made", try, recalled, reads)
			return
		}
	}
	t.Error("no stop came between two readings")
}

// A checkpoint that this program cannot use is no reason to fail.
func TestUnusableCheckpoint(t *testing.T) {
	folder := t.TempDir()
	_, c := began(t, server.Options{Folder: folder})
	var u server.Upload
	var j server.Job
	c.must(201, "POST", "/api/v1/uploads?name=tall.csv", tall(2000), &u)
	c.must(202, "POST", "/api/v1/fits", server.FitRequest{Method: "pca", Data: server.Table{Upload: u.ID, Precision: "single"}}, &j)
	request := c.ended(j.ID)
	if request.State != server.Done {
		t.Fatalf("%+v", request)
	}
	digest := sha256.Sum256(request.Request)
	if err := os.WriteFile(filepath.Join(folder, "uploads", u.ID, hex.EncodeToString(digest[:8])+".checkpoint"), []byte("not one"), 0o600); err != nil {
		t.Fatal(err)
	}
	c.must(200, "POST", "/api/v1/jobs/"+j.ID+"/again", nil, &j)
	if again := c.ended(j.ID); again.State != server.Done {
		t.Errorf("%+v %+v", again, again.Problem)
	}
	if found, _ := filepath.Glob(filepath.Join(folder, "uploads", u.ID, "*.checkpoint")); len(found) > 0 {
		t.Errorf("%v is still there", found) // it was seen, then
	}
}

// download fetches the model of a fit, and how many readings its checkpoint spared.
func download(c *client, j server.Job) (recalled, reads float64, model []byte) {
	c.t.Helper()
	var result map[string]any
	c.must(200, "GET", "/api/v1/jobs/"+j.ID+"/files/result.json", nil, &result)
	recalled, _ = result["recalled_reads"].(float64)
	reads, _ = result["reads"].(float64)
	status, model, _ := c.do("GET", "/api/v1/models/"+j.Model+"/file", "", nil)
	if status != 200 {
		c.t.Fatalf("status %d", status)
	}
	return recalled, reads, model
}
