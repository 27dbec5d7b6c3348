package server

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"
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
	p := somebody(t)
	p.goes("about:blank")
	p.looks(1200, "light")
	began := time.Now()
	p.goes(c.at + "/#/job/" + j.ID)
	p.waits("document.querySelectorAll('canvas').length >= 3 && [...document.querySelectorAll('canvas')].every(c => c.getAttribute('aria-label'))")
	t.Logf("pictures after %s", time.Since(began).Round(10*time.Millisecond))
	for range 3 {
		t.Logf("a brush takes %.0f ms", sees[float64](p, `(() => { const c = document.querySelectorAll("canvas")[0], r = c.getBoundingClientRect();
			const send = (kind, x, y) => c.dispatchEvent(new PointerEvent(kind, {clientX: r.left + x, clientY: r.top + y, pointerId: 1, bubbles: true}));
			c.setPointerCapture = () => {}; const t = performance.now(); send("pointerdown", 59, 1); send("pointerup", r.width / 2, r.height); return performance.now() - t; })()`))
	}
}
