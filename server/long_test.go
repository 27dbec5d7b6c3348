package server

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// long skips what takes minutes; docs/measured/serve.md has what came out.
func long(t *testing.T) {
	t.Helper()
	if os.Getenv("INLIER_CONFORMANCE") != "all" {
		t.Skip("a long form: INLIER_CONFORMANCE=all")
	}
}

// A million rows in the browser: how long until the pictures can be brushed, and how long a brush takes.
func TestAMillionRowsInTheBrowser(t *testing.T) {
	long(t)
	_, c := began(t, Options{})
	draw := rand.New(rand.NewPCG(1, 1))
	var b strings.Builder
	b.WriteString("a,b,c,d,e,f\n")
	for i := range 1000000 {
		common, v := draw.NormFloat64(), [6]float64{}
		for j := range v {
			v[j] = common*float64(j+1) + draw.NormFloat64()
		}
		if i%1000 == 7 {
			v[2] *= -30
		}
		fmt.Fprintf(&b, "%.4f,%.4f,%.4f,%.4f,%.4f,%.4f\n", v[0], v[1], v[2], v[3], v[4], v[5])
	}
	var u Upload
	c.must(201, "POST", "/api/v1/uploads?name=million.csv", b.String(), &u)
	var j Job
	c.must(202, "POST", "/api/v1/checks", CheckRequest{Upload: u.ID}, &j)
	for !j.State.ended() {
		time.Sleep(100 * time.Millisecond)
		c.must(200, "GET", "/api/v1/jobs/"+j.ID, nil, &j)
	}
	t.Logf("%s in %s", j.Summary, j.Ended.Sub(j.Started).Round(100*time.Millisecond))
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU, chromedp.ExecPath(browser(t)))
	started, stop := chromedp.NewExecAllocator(context.Background(), options...)
	defer stop()
	ctx, quit := chromedp.NewContext(started)
	defer quit()
	p := person{t, ctx}
	p.goes("about:blank")
	p.looks(1200, "light")
	began := time.Now()
	p.goes(c.at + "/#/job/" + j.ID)
	p.waits("document.querySelectorAll('canvas').length === 3 && [...document.querySelectorAll('canvas')].every(c => c.getAttribute('aria-label'))")
	t.Logf("pictures after %s", time.Since(began).Round(10*time.Millisecond))
	for range 3 {
		t.Logf("a brush takes %.0f ms", sees[float64](p, `(() => { const c = document.querySelectorAll("canvas")[0], r = c.getBoundingClientRect();
			const send = (kind, x, y) => c.dispatchEvent(new PointerEvent(kind, {clientX: r.left + x, clientY: r.top + y, pointerId: 1, bubbles: true}));
			c.setPointerCapture = () => {}; const t = performance.now(); send("pointerdown", 59, 1); send("pointerup", r.width / 2, r.height); return performance.now() - t; })()`))
	}
}

// 200 clients ask a model of 784 columns and 50 components for the scores of single rows. With INLIER_PEER set to an address the
// same rows are sent there as well, as {"rows": [[...]]}; bench/serve_peer.py answers them with scikit-learn.
func TestManyClients(t *testing.T) {
	long(t)
	_, c := began(t, Options{})
	draw := rand.New(rand.NewPCG(2, 2))
	var b strings.Builder
	for range 1500 {
		for j := range 784 {
			if j > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "%.3f", draw.NormFloat64())
		}
		b.WriteByte('\n')
	}
	var u Upload
	c.must(201, "POST", "/api/v1/uploads?name=wide.csv", b.String(), &u)
	var j Job
	c.must(202, "POST", "/api/v1/fits", FitRequest{Method: "pca", Data: Table{Upload: u.ID, Header: "no"}, Parameters: Values{"components": 50}}, &j)
	if j = c.ended(j.ID); j.State != Done {
		t.Fatalf("%+v", j)
	}
	row := make([]float64, 784)
	for k := range row {
		row[k] = draw.NormFloat64()
	}
	content := must(t, map[string]any{"rows": [][]float64{row}})
	for name, at := range map[string]string{"inlier": c.at + "/api/v1/models/" + j.Model + "/transform", "peer": os.Getenv("INLIER_PEER")} {
		if at == "" {
			continue
		}
		rate, times, failed := storm(at, content, 200, 10*time.Second)
		t.Logf("%s: %.0f rows per second, half within %s, 99 of 100 within %s, %d failed", name, rate, times[len(times)/2], times[len(times)*99/100], failed)
		if name == "inlier" && failed > 0 {
			t.Errorf("%d requests failed", failed)
		}
	}
}

// storm lets so many clients ask again and again.
func storm(at string, content []byte, clients int, lasting time.Duration) (rate float64, times []time.Duration, failed int) {
	web := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: clients}, Timeout: 30 * time.Second}
	var lock sync.Mutex
	var all sync.WaitGroup
	began := time.Now()
	for range clients {
		all.Go(func() {
			var own []time.Duration
			bad := 0
			for time.Since(began) < lasting {
				one := time.Now()
				answer, err := web.Post(at, "application/json", bytes.NewReader(content))
				if err == nil {
					var got struct{ Rows []any }
					err = json.NewDecoder(answer.Body).Decode(&got)
					_, _ = io.Copy(io.Discard, answer.Body)
					answer.Body.Close()
					if answer.StatusCode != 200 || len(got.Rows) != 1 {
						bad++
					}
				}
				if err != nil {
					bad++
				}
				own = append(own, time.Since(one).Round(100*time.Microsecond))
			}
			lock.Lock()
			times, failed = append(times, own...), failed+bad
			lock.Unlock()
		})
	}
	all.Wait()
	slices.Sort(times)
	return float64(len(times)) / time.Since(began).Seconds(), times, failed
}
