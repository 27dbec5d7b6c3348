package server

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/server"
)

// Every choice can be taken back on the page, those about many rows at once too, and the page stands when none is left.
func TestChoicesAreTakenBackOnThePage(t *testing.T) {
	p := somebody(t)
	s, err := server.New(server.Options{Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	var streams atomic.Int32 // that are open
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/events") {
			streams.Add(1)
			defer streams.Add(-1)
		}
		s.ServeHTTP(w, r)
	}))
	c := &client{t: t, at: web.URL}
	defer func() {
		web.CloseClientConnections()
		web.Close()
		if err := s.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	p.goes(web.URL)
	p.waitsFor(".drop")
	sees[any](p, collector)
	p.drops("orders.csv", orders())
	p.clicks("Check this file")
	p.waitsFor(".linked[data-shown]")
	said := func(text string) {
		t.Helper()
		p.waits("document.querySelector('main')?.innerText.includes('" + text + "')")
	}
	sees[any](p, `(() => { const s = document.querySelector('select[aria-label="Row 11"]'); s.value = "drop"; s.dispatchEvent(new Event("change")); })()`)
	said("1 choice, 1 row to drop")
	p.clicks("Undo")
	said("Nothing is chosen yet")
	p.waits("[...document.querySelectorAll('button')].find(b => b.textContent === 'Undo').disabled")
	sees[any](p, brushed(2, "0, 0", "0.5, 1"))
	p.waits("/^1\\d\\d of 300 rows selected/m.test(document.querySelector('main').innerText)")
	sees[any](p, `(() => { const ask = window.fetch; window.late = 0; // what is asked while choices are made is answered late
		window.fetch = async (at, o) => { const answer = await ask(at, o); if (!o?.method && String(at).endsWith("/choices")) { window.late++; await new Promise(r => setTimeout(r, 300)); window.late--; } return answer; }; })()`)
	p.clicks("Drop the selected rows")
	p.waits("/1\\d\\d choices about rows that are not in this list/.test(document.querySelector('main').innerText)")
	p.clicks("Undo")
	said("Nothing is chosen yet")
	p.waits("window.late === 0")
	said("Nothing is chosen yet")
	p.clicks("Redo") // all of them at once
	p.waits("/1\\d\\d choices about rows that are not in this list/.test(document.querySelector('main').innerText)")
	p.waits("[...document.querySelectorAll('button')].find(b => b.textContent === 'Redo').disabled")
	p.clicks("Undo")
	said("Nothing is chosen yet")

	// What is chosen in another window meanwhile is shown before a file is made of it.
	sees[any](p, `(() => { const s = document.querySelector('select[aria-label="Row 11"]'); s.value = "drop"; s.dispatchEvent(new Event("change")); })()`)
	said("1 choice, 1 row to drop")
	var jobs []server.Job
	c.must(200, "GET", "/api/v1/jobs", nil, &jobs)
	c.must(200, "POST", "/api/v1/jobs/"+jobs[0].ID+"/choices", inlier.Choice{Row: 11, Choice: "keep"}, nil)
	p.clicks("Make the cleaned file")
	said("Other choices were made elsewhere")
	p.waits(`document.querySelector('select[aria-label="Row 11"]').value === "keep"`)
	p.clicks("Take all choices back")
	said("Nothing is chosen yet")
	sees[any](p, "location.reload()")
	p.waitsFor(".linked[data-shown]")
	said("Nothing is chosen yet")

	// A page in the background leaves its connection to others, and has heard of everything when it is seen again.
	pages := func(want int32) {
		t.Helper()
		for range 400 {
			if streams.Load() == want {
				return
			}
			time.Sleep(25 * time.Millisecond)
		}
		t.Errorf("there are not %d streams", want)
	}
	sees[any](p, "location.hash = '#/work'")
	p.waitsFor("table")
	pages(1)
	hides := func(hidden string) {
		sees[any](p, "Object.defineProperty(document, 'hidden', {value: "+hidden+", configurable: true}); document.dispatchEvent(new Event('visibilitychange'))")
	}
	hides("true")
	pages(0)
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=missed.csv", orders(), &u)
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: u.ID}, nil)
	hides("false")
	pages(1)
	said("missed.csv")

	// A file that cannot be read as it was taken for can be read otherwise on the spot.
	sees[any](p, "location.hash = '#/'")
	p.drops("names.csv", "a,b,c\n")
	said("names.csv: the file has column names but no rows")
	sees[any](p, `(() => { [...document.querySelectorAll("label")].find(l => l.textContent.startsWith("The first line")).querySelector("select").value = "no"; })()`)
	p.clicks("Read it otherwise")
	p.clicks("Read it again")
	said("1 row, 3 columns")

	sees[any](p, `(() => { const csv = 'a,"b, c"\n1,"x ""y""\nz"\n2,3\n'; import("/base.js").then(m => { window.read = JSON.stringify([m.lines(csv, 2), m.records(csv)]); }); })()`)
	p.waits("window.read")
	got := sees[string](p, "window.read")
	if want := `[[["a","b, c"],["1","x \"y\"\nz"]],3]`; got != want {
		t.Errorf("a CSV is read as %s", strings.ReplaceAll(got, "\n", " "))
	}
}
