package server

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/server"
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
	_, c := began(t, server.Options{})
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
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=million.csv", b.String(), &u)
	p := somebody(t)
	p.goes(c.at)
	p.looks(1200, "light")
	seen := func(path string, request any) {
		t.Helper()
		var j server.Job
		c.must(202, "POST", path, request, &j)
		sees[any](p, `location.hash = "#/job/`+j.ID+`"`)
		for !j.State.Ended() {
			time.Sleep(100 * time.Millisecond)
			c.must(200, "GET", "/api/v1/jobs/"+j.ID, nil, &j)
		}
		t.Logf("%s in %s", j.Summary, j.Ended.Sub(j.Started).Round(100*time.Millisecond))
		before := p.busy()
		p.waitsFor(".linked[data-shown]")
		t.Logf("pictures %s after its end, with %.0f ms of the page's processor time", time.Since(j.Ended).Round(10*time.Millisecond), 1000*(p.busy()-before))
	}
	timed := func(what, deed string) {
		t.Helper()
		for range 3 {
			before := p.busy()
			wall := sees[float64](p, "(() => { const t = performance.now(); "+deed+"; return performance.now() - t; })()")
			sees[any](p, "window.framed = false; requestAnimationFrame(() => requestAnimationFrame(() => { framed = true; }))")
			p.waits("framed") // what waits for a frame
			t.Logf("%s takes %.0f ms, with its frames %.0f ms of processor time", what, wall, 1000*(p.busy()-before))
		}
	}
	seen("/api/v1/checks", server.CheckRequest{Upload: u.ID})
	for k := range 4 {
		timed(fmt.Sprintf("a brush in picture %d", k), brushed(k, "0, 0", "0.5, 1"))
	}
	sees[any](p, `document.querySelector("input[value=lasso]").click()`)
	timed("a lasso", brushed(1, "0, 0", "0.5, 1"))
	p.photographs("8-million")
	seen("/api/v1/fits", server.FitRequest{Data: server.Table{Upload: u.ID}, Along: true})
	timed("a brush over votes", brushed(4, "0.2, 0.2", "0.5, 1"))
	timed("a scale", `const s = document.querySelector("input[type=range]"); s.value = 3; s.dispatchEvent(new Event("input"))`)
	p.photographs("8-million-fit")
}

// A subspace along the scale, and the classical one beside it.
func TestASubspaceAlongTheScale(t *testing.T) {
	long(t)
	_, c := began(t, server.Options{})
	made, err := inlier.Generate{Name: "sensors", Seed: 1}.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(strings.Join(made.Set.Columns, ",") + "\n")
	for i := range made.Set.Rows() {
		for k, v := range made.Set.X.RawRowView(i) {
			if k > 0 {
				b.WriteByte(',')
			}
			fmt.Fprint(&b, v)
		}
		b.WriteByte('\n')
	}
	var u server.Upload
	var j server.Job
	c.must(201, "POST", "/api/v1/uploads?name=sensors.csv", b.String(), &u)
	c.must(202, "POST", "/api/v1/fits", server.FitRequest{Data: server.Table{Upload: u.ID}, Along: true, Parameters: server.Values{"components": 3}}, &j)
	p := somebody(t)
	p.goes(c.at + "/#/job/" + j.ID)
	p.waitsFor(".linked[data-shown]")
	p.photographs("10-scale")
	sees[any](p, brushed(4, "0.5, 0.2", "0.7, 0.8"))
	p.waitsFor(`[aria-label="Selected rows"]`)
	p.photographs("10-scale-brushed")
	p.clicks("Fit the classical way beside it")
	p.waits("document.querySelector('main').innerText.includes('The same rows twice')")
	p.clicks("Select rows that they judge differently")
	p.waitsFor(`[aria-label="Selected rows"]`)
	p.photographs("10-beside")
}

// busy is the processor time in seconds that the page's own thread has used.
func (p person) busy() (seconds float64) {
	p.t.Helper()
	err := chromedp.Do(p.ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		if _, err := cdp.Call(ctx, target, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}); err != nil {
			return err
		}
		found, err := cdp.Call(ctx, target, performance.GetMetrics, cdp.Empty{})
		if err != nil {
			return err
		}
		for _, m := range found.Metrics {
			if m.Name == "TaskDuration" {
				seconds = m.Value
			}
		}
		return nil
	}))
	if err != nil {
		p.t.Fatal(err)
	}
	return seconds
}
