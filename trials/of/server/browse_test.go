package server

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/server"
)

// All rows of a file can be looked through as they stand in it, a hundred at a time: under their numbers in the file, with the guilty cells marked, and
// of a selection only its rows.
func TestAllRowsAreThereToBrowse(t *testing.T) {
	p, c := workbench(t)
	p.drops("orders.csv", strings.Replace(orders(), "A0004,", "A0004,n/a ", 1))
	p.clicks("Check this file")
	p.waitsFor(".linked[data-shown]")
	rows := func(label, want string) {
		t.Helper()
		p.waits(fmt.Sprintf(`[...document.querySelectorAll('[aria-label="%s"] tbody tr')].map(r => r.cells[0].textContent.split(" ")[0]).filter((n, k, all) => k < 2 || k === all.length - 1).join() === %q`, label, want))
	}
	rows("All rows", "1,2,100")
	p.waits("[...document.querySelectorAll('.chosen tbody tr')][4].innerText.includes('n/a ')")
	if marked := sees[string](p, "[...document.querySelectorAll('.chosen td.guilty')].map(e => e.parentElement.cells[0].textContent + e.textContent).join('; ')"); !strings.HasPrefix(marked, "5 (A0004)n/a ") || !strings.Contains(marked, "; 42 (A0041)-") {
		t.Errorf("marked are %s", marked)
	}
	p.clicks("Rows after")
	rows("All rows", "101,102,200")
	sees[any](p, `(() => { const i = document.querySelector(".chosen input"); i.value = 250; i.dispatchEvent(new Event("change")); })()`)
	rows("All rows", "250,251,300")
	p.waits("document.querySelector('.chosen').innerText.includes('250 to 300 of 300 rows')")
	p.clicks("Rows before")
	rows("All rows", "150,151,249")
	p.clicks("Select wrong rows")
	rows("Selected rows", "5,11,200")
	p.clicks("Select the others")
	rows("Selected rows", "1,2,103")
	sees[any](p, `(() => { const i = document.querySelector(".chosen input"); i.value = 200; i.dispatchEvent(new Event("change")); })()`)
	rows("Selected rows", "201,202,300")
	p.clicks("Select all")
	rows("All rows", "1,2,100")
	p.audits("all rows")

	// Without the file the points tell.
	var sent []server.Upload
	c.must(200, "GET", "/api/v1/uploads", nil, &sent)
	c.must(204, "DELETE", "/api/v1/uploads/"+sent[0].ID, nil, nil)
	p.clicks("Rows after")
	rows("All rows", "101,102,200")
	if problems := slices.DeleteFunc(sees[[]string](p, "problems"), func(s string) bool { return strings.Contains(s, "404") }); len(problems) > 0 {
		t.Error(problems)
	}
}

// Rows as JSON are bounded, and only those that there are.
func TestSelectedRowsAsJSON(t *testing.T) {
	_, c := began(t, server.Options{})
	var u server.Upload
	var j server.Job
	c.must(201, "POST", "/api/v1/uploads?name=two.csv", "a;b\n1,5;\"x; <i>\"\n2,5;\n", &u)
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: u.ID}, &j)
	c.ended(j.ID)
	c.headers["Accept"] = "application/json"
	ask := func(body string) (int, string) {
		t.Helper()
		status, text, _ := c.do("POST", "/api/v1/jobs/"+j.ID+"/selected", "application/json", []byte(body))
		return status, string(text)
	}
	if status, text := ask("[2, 1]"); status != 200 || strings.Join(strings.Fields(text), "") != `{"columns":["a","b"],"rows":[["2,5",""],["1,5","x;\u003ci\u003e"]]}` {
		t.Error(status, text)
	}
	for _, body := range []string{"[3]", "[0]", "[" + strings.Repeat("1,", 200) + "1]"} {
		if status, text := ask(body); status != 422 {
			t.Error(body[:3], status, text)
		}
	}
}

// A column is left out, and another is said to have the day first, on the page; the command that stands there makes the same.
func TestLeavingOutOnThePage(t *testing.T) {
	p, c := workbench(t)
	table := strings.ReplaceAll(orders(), ",book", ",03/04/2024")
	table = strings.ReplaceAll(strings.ReplaceAll(table, ",toy", ",05/06/2024"), ",food", ",11/02/2024")
	p.drops("orders.csv", table)
	p.waits("document.querySelector('main').innerText.includes('can be read in two ways')")
	if text := p.text(); strings.Contains(text, "--as") {
		t.Errorf("a way that only the command line has: %s", text)
	}
	for column, kind := range map[string]string{"total": "ignored", "kind": "dmy"} {
		sees[any](p, fmt.Sprintf(`(() => { const s = document.querySelector('select[aria-label="%s is read as"]'); s.value = %q; s.dispatchEvent(new Event("change")); })()`, column, kind))
	}
	p.waits("document.querySelector('main').innerText.includes('Left out, as asked for.') && !document.querySelector('main').innerText.includes('can be read in two ways')")
	p.audits("a column is left out")
	p.clicks("Check this file")
	p.waitsFor(".linked[data-shown]")
	if code := sees[string](p, "document.querySelector('main > p code').textContent"); code != "inlier check orders.csv --as kind=dmy --as total=ignored" {
		t.Error(code)
	}
	var jobs []server.Job
	c.must(200, "GET", "/api/v1/jobs", nil, &jobs)
	path := filepath.Join(t.TempDir(), "orders.csv")
	if err := os.WriteFile(path, []byte(table), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := inlier.Check{Paths: []string{path}, Seed: 1, Reading: inlier.Reading{As: map[string]string{"total": "ignored", "kind": "dmy"}}}.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if jobs[0].Summary != r.Verdict {
		t.Errorf("%q on the page, %q by the command", jobs[0].Summary, r.Verdict)
	}
	sees[any](p, "history.back()")
	p.waitsFor("select[aria-label=Target]")
	p.clicks("Fit a model")
	p.clicks("Fit")
	p.waits("document.querySelector('main').innerText.includes('columns left out')")
	p.clicks("2 columns left out")
	if text := p.text(); !strings.Contains(text, "total\tignored\tas asked for") {
		t.Error(text)
	}
}

// A column may be called as what all objects of a script have; several files that come while somebody has gone on are told, and no page is covered.
func TestColumnsCalledAsPartsOfObjects(t *testing.T) {
	p, _ := workbench(t)
	var b strings.Builder
	b.WriteString("constructor,__proto__,speed\n")
	for i := range 90 {
		fmt.Fprintf(&b, "%s,%d,%d.%d\n", []string{"Ferrari", "McLaren", "Williams"}[i%3], i*7%10, 250+20*(i%3), i*37%10)
	}
	p.drops("season.csv", b.String())
	p.waitsFor("select[aria-label=Target]")
	changes := func(label, to string) {
		t.Helper()
		sees[any](p, fmt.Sprintf(`(() => { const s = document.querySelector('select[aria-label="%s"]'); s.value = %q; s.dispatchEvent(new Event("change")); })()`, label, to))
	}
	changes("Target", "constructor")
	p.clicks("Fit a model")
	p.waits("[...document.querySelectorAll('#form option')].some(o => o.textContent === 'logistic')")
	changes("__proto__ is read as", "ignored")
	sees[any](p, "window.old = true, location.reload()")
	p.waits("!window.old && document.querySelector('select[aria-label=\"__proto__ is read as\"]')?.value === 'ignored'")
	p.clicks("Check this file")
	p.waitsFor(".linked[data-shown]")
	if code := sees[string](p, "document.querySelector('main > p code').textContent"); code != "inlier check season.csv --target constructor --as __proto__=ignored" {
		t.Error(code)
	}
	sees[any](p, "history.back()")
	p.waitsFor("select[aria-label=Target]")
	p.clicks("Files")
	p.waits("document.querySelector('h1').textContent === 'Which rows are wrong?'")
	sees[any](p, `(() => { const open = XMLHttpRequest.prototype.send; XMLHttpRequest.prototype.send = function (body) { setTimeout(() => open.call(this, body), 300); };
		const d = new DataTransfer(); for (const n of ["a", "b"]) d.items.add(new File(["x,y\n1,2\n3,4\n"], n + ".csv"));
		document.querySelector(".drop").dispatchEvent(new DragEvent("drop", {dataTransfer: d, bubbles: true, cancelable: true})); location.hash = "#/models"; })()`)
	p.waits("document.querySelector('#line').textContent === '2 files came'")
	if text := p.text(); !strings.HasPrefix(text, "Models") || strings.Contains(text, "table of its own") {
		t.Error(text)
	}
}
