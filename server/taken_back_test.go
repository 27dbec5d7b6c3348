package server

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// Every choice can be taken back on the page, those about many rows at once too, and the page stands when none is left.
func TestChoicesAreTakenBackOnThePage(t *testing.T) {
	p := somebody(t)
	s, err := New(Options{Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s)
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

	// What is chosen in another window meanwhile is shown before a file is made of it.
	sees[any](p, `(() => { const s = document.querySelector('select[aria-label="Row 11"]'); s.value = "drop"; s.dispatchEvent(new Event("change")); })()`)
	said("1 choice, 1 row to drop")
	if err := s.chose(newest(s.state, s.state.jobs, func(j *Job) time.Time { return j.Created })[0], nil, 11, "", "keep"); err != nil {
		t.Fatal(err)
	}
	p.clicks("Make the cleaned file")
	said("Other choices were made elsewhere")
	p.waits(`document.querySelector('select[aria-label="Row 11"]').value === "keep"`)
	p.clicks("Take all choices back")
	said("Nothing is chosen yet")
	sees[any](p, "location.reload()")
	p.waitsFor(".linked[data-shown]")
	said("Nothing is chosen yet")

	// A page in the background leaves its connection to others, and has heard of everything when it is seen again.
	pages := func(want int) {
		t.Helper()
		for range 400 {
			s.events.lock.Lock()
			n := len(s.events.pages)
			s.events.lock.Unlock()
			if n == want {
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
	var id string
	for id = range s.state.uploads { // no request is under way
	}
	if _, err := s.queue.add("check", "missed.csv", "", CheckRequest{Upload: id}); err != nil {
		t.Fatal(err)
	}
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
