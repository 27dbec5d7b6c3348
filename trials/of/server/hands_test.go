package server

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/inlier-ml/inlier/server"
)

// What a hand does beside the usual way neither takes the page away nor is passed over: the link to the content, a file that is let fall
// beside its place, a step back after the page was loaded again.
func TestBesideTheUsualWay(t *testing.T) {
	p, _ := workbench(t)
	p.waitsFor(".drop")
	lets := func(content string) bool { // beside the place; tells whether the browser would have opened the file
		return sees[bool](p, fmt.Sprintf(`(() => { const d = new DataTransfer(); d.items.add(new File([%q], "orders.csv"));
			return document.querySelector("header").dispatchEvent(new DragEvent("drop", {dataTransfer: d, bubbles: true, cancelable: true})); })()`, content))
	}
	if lets(orders()) {
		t.Fatal("the browser opens a file that is let fall beside its place")
	}
	p.clicks("Check this file")
	p.waitsFor(".linked[data-shown]")
	at := sees[string](p, "location.hash")
	if lets("a,b\n1,2\n") {
		t.Error("the browser opens a file that is let fall on a result")
	}
	sees[any](p, "document.querySelector('.skip').click()")
	p.waits("document.activeElement === document.getElementById('main')")
	if now := sees[string](p, "location.hash"); now != at {
		t.Errorf("the link to the content leads from %s to %s", at, now)
	}
	said := func(text string) {
		t.Helper()
		p.waits("document.querySelector('main').innerText.includes('" + text + "')")
	}

	// The rows that are dropped stay selected, and their values stand in the list.
	p.clicks("Select wrong rows")
	p.waitsFor(`[aria-label="Selected rows"]`)
	if head := sees[string](p, "document.querySelector('.chosen thead').innerText"); !strings.Contains(head, "why") || !strings.Contains(head, "total") {
		t.Errorf("the list of selected rows has %q", head)
	}
	p.clicks("Drop the selected rows")
	said("3 choices, 3 rows to drop")
	said("3 of 300 rows selected")
	said("3 rows to drop; above")
	sees[any](p, "window.old = true, location.reload()")
	p.waits("!window.old && document.querySelector('.linked[data-shown]')")
	said("3 choices, 3 rows to drop")
	p.clicks("Undo")
	said("Nothing is chosen yet")

	// What was made stands where more can be chosen, and what could not be done is said.
	chooses := func(label, choice string) {
		p.waitsFor(`select[aria-label="` + label + `"]`)
		sees[any](p, fmt.Sprintf(`(() => { const s = document.querySelector('select[aria-label="%s"]'); s.value = %q; s.dispatchEvent(new Event("change")); })()`, label, choice))
	}
	chooses("Row 11", "drop")
	said("1 choice, 1 row to drop")
	p.clicks("Make the cleaned file")
	said("Nothing more is chosen")
	if got := sees[string](p, `document.querySelector('select[aria-label="Row 11"]').selectedOptions[0].textContent`); got != "drop (made)" {
		t.Errorf("row 11 was dropped, and is %s", got)
	}
}

// Remarks about what was not judged or not done stand on the page of a check.
func TestRemarksOfChecksAreShown(t *testing.T) {
	p, c := workbench(t)
	var u, less server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	c.must(201, "POST", "/api/v1/uploads?name=less.csv", strings.ReplaceAll(orders(), ",kind", ",colour"), &less)
	var j, batch server.Job
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: u.ID}, &j)
	c.ended(j.ID)
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: less.ID, Against: j.ID}, &batch)
	if batch = c.ended(batch.ID); batch.State != server.Done {
		t.Fatalf("%+v", batch.Problem)
	}
	sees[any](p, `location.hash = "#/job/`+batch.ID+`"`)
	p.waitsFor(".linked[data-shown]")
	if text := p.text(); !strings.Contains(text, "judged without") || !strings.Contains(text, "The model does not know") {
		t.Errorf("%.900s", text)
	}
}

// A slider that comes back to the fit as it settled shows what stood there before.
func TestTheSliderComesBack(t *testing.T) {
	p, c := workbench(t)
	var u server.Upload
	var j server.Job
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	c.must(202, "POST", "/api/v1/fits", server.FitRequest{Method: "pca-robust", Data: server.Table{Upload: u.ID, Columns: []string{"net", "tax", "total"}}, Along: true}, &j)
	c.ended(j.ID)
	sees[any](p, `location.hash = "#/job/`+j.ID+`"`)
	p.waitsFor(".linked[data-shown]")
	picture := func() string { return sees[string](p, "document.querySelectorAll('canvas')[0].toDataURL()") }
	slides := func(to int) {
		sees[any](p, fmt.Sprintf(`(() => { window.moved = false; const s = document.querySelector("input[type=range]"); s.value = %d; s.dispatchEvent(new Event("input")); requestAnimationFrame(() => requestAnimationFrame(() => { moved = true; })); })()`, to))
		p.waits("window.moved")
	}
	at := sees[int](p, "Number(document.querySelector('input[type=range]').value)")
	before := picture()
	slides(24)
	slides(at)
	if picture() != before {
		t.Error("the picture is another one")
	}
}

// A table is learned as images where its shape is told, and a model is asked about a file that was sent before.
func TestShapesAndFilesOfBefore(t *testing.T) {
	p, _ := workbench(t)
	p.drops("orders.csv", orders())
	p.clicks("Fit a model")
	p.waitsFor("#form select")
	sees[any](p, `(() => { const s = document.querySelector("#form select"); s.value = "2dpca"; s.dispatchEvent(new Event("change")); document.querySelector("input[placeholder='28x28']").value = "3x1"; })()`)
	p.clicks("Fit")
	p.clicks("Use the model")
	p.clicks("Use it")
	p.waits("document.querySelector('main').innerText.includes('Download them all')")
	if text := p.text(); !strings.Contains(text, "of 300 rows are outliers") {
		t.Errorf("%.600s", text)
	}
}

// A job that is removed in one window goes from the others, whoever holds a button there is not thrown out of the page, and words of a
// verdict are explained.
func TestRemovedElsewhere(t *testing.T) {
	p, c := workbench(t)
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	var jobs [2]server.Job
	for k := range jobs {
		c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: u.ID}, &jobs[k])
		c.ended(jobs[k].ID)
	}
	sees[any](p, "location.hash = '#/work'")
	p.waits("document.querySelectorAll('tbody tr').length === 2")
	sees[any](p, "document.querySelector('tbody button').focus()")
	c.must(204, "DELETE", "/api/v1/jobs/"+jobs[0].ID, nil, nil)
	p.waits("document.querySelectorAll('tbody tr').length === 1")
	if !sees[bool](p, "document.getElementById('main').contains(document.activeElement)") {
		t.Error("nothing of the content is held any more")
	}
	sees[any](p, `location.hash = "#/job/`+jobs[1].ID+`"`)
	p.waitsFor(".linked[data-shown]")
	p.clicks("What these words mean")
	p.waits("document.querySelector('main').innerText.includes('a law that most rows obey is broken')")
}

// Who goes to another screen while a file is sent is not called back when it has come.
func TestNobodyIsCalledBack(t *testing.T) {
	p, _ := workbench(t)
	sees[any](p, `(() => { const send = XMLHttpRequest.prototype.send; XMLHttpRequest.prototype.send = function (b) { setTimeout(() => send.call(this, b), 600); }; })()`)
	p.drops("orders.csv", orders())
	sees[any](p, "location.hash = '#/work'")
	p.waits("document.getElementById('line').textContent === 'orders.csv was sent.'")
	if at := sees[string](p, "location.hash"); at != "#/work" {
		t.Errorf("the page has gone to %s", at)
	}
}

// Methods are held against each other as it is asked for: which, on which dirt, by what.
func TestMethodsAreChosen(t *testing.T) {
	p, c := workbench(t)
	p.drops("orders.csv", orders())
	p.clicks("Compare methods")
	p.waitsFor("#with-pca-robust")
	sees[any](p, `(() => { const s = document.querySelector('select[aria-label="Target"]'); s.value = "total"; s.dispatchEvent(new Event("change")); })()`)
	p.waitsFor("#with-linear-robust")
	sees[any](p, `(() => { for (const m of ["relm", "linear-robust"]) document.getElementById("with-" + m).click(); const s = [...document.querySelectorAll("#form select")]; s[0].value = "target:0.1"; s[2].value = "mae"; document.querySelector("#form input[type=number]").value = "3"; })()`)
	p.photographs("12-compare")
	p.clicks("Compare")
	p.waits("document.querySelector('main').innerText.includes('report.html')")
	var list []server.Job
	c.must(200, "GET", "/api/v1/jobs", nil, &list)
	var made struct {
		Corrupt, Metric string
		Repeats         int
		Methods         []struct{ Method string }
	}
	c.must(200, "GET", "/api/v1/jobs/"+list[0].ID+"/files/result.json", nil, &made)
	if made.Corrupt != "target:0.1" || made.Metric != "mae" || made.Repeats != 3 || len(made.Methods) != 2 {
		t.Errorf("%+v", made)
	}
}

// A file that takes long to send can be called off, and leaves nothing.
func TestSendingIsCalledOff(t *testing.T) {
	p, c := workbench(t)
	slow := network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{{DownloadThroughput: -1, UploadThroughput: 100_000}}}
	throttled := chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		if _, err := cdp.Call(ctx, target, network.Enable, network.EnableParams{}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, target, network.EmulateNetworkConditionsByRule, slow)
		return err
	})
	if err := chromedp.Do(p.ctx, throttled); err != nil {
		t.Fatal(err)
	}
	p.drops("orders.csv", strings.Repeat(orders(), 100))
	p.clicks("Stop sending")
	p.waits("document.querySelector('main').innerText.includes('orders.csv was not sent.')")
	if line := sees[string](p, "document.getElementById('line').textContent"); line != "" {
		t.Errorf("the line still says %q", line)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		var list []server.Upload
		if c.must(200, "GET", "/api/v1/uploads", nil, &list); len(list) == 0 && time.Now().After(end.Add(-59*time.Second)) {
			break
		} else if time.Now().After(end) {
			t.Fatalf("%+v", list)
		}
	}
}

// The list of all rows waits for their verdicts, on a page of one fit as of two beside each other.
func TestTheListWaitsForVerdicts(t *testing.T) {
	p, c := workbench(t)
	var u server.Upload
	var fits [2]server.Job
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	for k, method := range []string{"pca-robust", "pca"} {
		c.must(202, "POST", "/api/v1/fits", server.FitRequest{Method: method, Data: server.Table{Upload: u.ID, Columns: []string{"net", "tax", "total"}}}, &fits[k])
		c.ended(fits[k].ID)
	}
	sees[any](p, `(() => { const before = window.fetch; window.fetch = async (to, options) => {
		if (/points\/1$/.test(to)) await new Promise(done => setTimeout(done, 1500)); // the column of verdicts
		return before(to, options); }; })()`)
	for _, page := range []string{"#/job/" + fits[0].ID, "#/beside/" + fits[1].ID + "/" + fits[0].ID} {
		sees[any](p, `location.hash = "`+page+`"`)
		p.waitsFor(`[aria-label="All rows"]`)
		listed := sees[string](p, `document.querySelector('[aria-label="All rows"]').innerText`)
		if !strings.Contains(listed, "outlier") || strings.Contains(listed, "undefined") {
			t.Errorf("%s: no outliers in %.200s", page, listed)
		}
		sees[any](p, `location.hash = "#/"`)
		p.waitsFor(".drop")
	}
}
