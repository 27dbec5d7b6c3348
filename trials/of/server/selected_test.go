package server

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/server"
)

// Rows that were selected come as they stand in the file: its delimiter, letters and quotation marks.
func TestSelectedRowsOfTheFile(t *testing.T) {
	_, c := began(t, server.Options{})
	lines := []string{"Gr\xf6\xdfe;Preis;Wort\r\n"}
	for k := range 40 {
		lines = append(lines, fmt.Sprintf("%d,%d;\"1.%03d,50\";\"a;\nb%d\"\r\n", 20+k%7, k%10, k*7, k%3))
	}
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=maße.csv", strings.Join(lines, ""), &u)
	var j server.Job
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: u.ID}, &j)
	c.ended(j.ID)
	if code, text, _ := c.do("POST", "/api/v1/jobs/"+j.ID+"/selected", "application/json", []byte("[17, 3]")); code != 200 || string(text) != lines[0]+lines[3]+lines[17] {
		t.Errorf("%d %q", code, text)
	}
	for body, want := range map[string]int{"[0]": 422, "[41]": 422, "[]": 422, "[1.5]": 400, "{}": 400, "[1": 400, "null": 422} {
		if code, text, _ := c.do("POST", "/api/v1/jobs/"+j.ID+"/selected", "application/json", []byte(body)); code != want {
			t.Errorf("%s: %d %s", body, code, text)
		}
	}
	// A list is no longer than the rows of the file can make it: it is held in memory.
	if code, text, _ := c.do("POST", "/api/v1/jobs/"+j.ID+"/selected", "application/json", []byte("[1"+strings.Repeat(" ", 1<<20)+"]")); code != 413 {
		t.Errorf("a long list: %d %s", code, text)
	}
	c.must(404, "POST", "/api/v1/jobs/0123456789abcdef/selected", []int{1}, nil)
	c.must(204, "DELETE", "/api/v1/uploads/"+u.ID, nil, nil)
	c.must(404, "POST", "/api/v1/jobs/"+j.ID+"/selected", []int{1}, nil)
}

// Rows of a batch are those that its check has numbered, also where only the earlier check knows that its first line is none of them.
func TestSelectedRowsOfABatch(t *testing.T) {
	_, c := began(t, server.Options{})
	table := func(rows, off int) (lines []string) {
		lines = []string{"5,3,8\n"}
		for k := range rows {
			sum := k%13 + k*7%11
			if k == off {
				sum = 900
			}
			lines = append(lines, fmt.Sprintf("%d,%d,%d\n", k%13, k*7%11, sum))
		}
		return lines
	}
	var first, second server.Upload
	batch := table(50, 4)
	c.must(201, "POST", "/api/v1/uploads?name=first.csv", strings.Join(table(200, -1), ""), &first)
	c.must(201, "POST", "/api/v1/uploads?name=second.csv", strings.Join(batch, ""), &second)
	var earlier, j server.Job
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: first.ID, Header: "yes"}, &earlier)
	c.ended(earlier.ID)
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: second.ID, Against: earlier.ID}, &j)
	if j = c.ended(j.ID); j.Rows != 50 || !strings.HasPrefix(j.Summary, "1 of 50 rows") {
		t.Fatalf("%+v", j)
	}
	c.must(204, "DELETE", "/api/v1/jobs/"+earlier.ID, nil, nil) // the check has what it learned from it
	if code, text, _ := c.do("POST", "/api/v1/jobs/"+j.ID+"/selected", "application/json", []byte("[5, 50]")); code != 200 || string(text) != batch[0]+batch[5]+batch[50] {
		t.Errorf("%d %q", code, text)
	}
	c.must(200, "POST", "/api/v1/jobs/"+j.ID+"/choices", map[string]any{"row": 5, "choice": "drop"}, nil)
	for deed, status := range map[string]int{"/carry-out": 202, "/again": 200} {
		var made server.Job
		c.must(status, "POST", "/api/v1/jobs/"+j.ID+deed, nil, &made)
		if made = c.ended(made.ID); made.State != server.Done || made.Summary != j.Summary || !strings.Contains(made.Command, "--against "+strings.TrimSuffix(j.Name, ".csv")+"-model.npz") {
			t.Errorf("%s: %+v", deed, made)
		}
	}
}

// A clean file has no list of wrong rows, but rows of it can be selected by their dates, downloaded, dropped and brought back, and what the
// stream has told is not undone by an older list.
func TestRowsOfACleanFile(t *testing.T) {
	p, c := workbench(t)
	var b strings.Builder
	b.WriteString("when,x,y\n")
	for k := range 300 {
		fmt.Fprintf(&b, "%s,%d,%d\n", time.Date(2023, 1, 1, 6*k, 0, 0, 0, time.UTC).Format(time.DateTime), 100+k*37%101, 50+k*k*13%97)
	}
	p.drops("days.csv", b.String())
	p.clicks("Check this file")
	p.waitsFor(".linked[data-shown]")
	if text := p.text(); !strings.Contains(text, "Nothing looks wrong") {
		t.Fatalf("%.300s", text)
	}
	sees[any](p, `(() => { const s = [...document.querySelectorAll(".linked .field")].find(e => e.textContent.startsWith("across")).querySelector("select"); s.value = [...s.options].find(o => o.textContent === "when").value; s.dispatchEvent(new Event("change")); })()`)
	p.waits("[...document.querySelectorAll('figcaption')].some(e => e.textContent.includes('One column: when'))")
	p.clicks("Select by numbers")
	bounds := func(from, to string) {
		sees[any](p, fmt.Sprintf(`(() => { for (const [k, v] of [["from", %q], ["to", %q]]) [...document.querySelectorAll(".linked .field")].find(e => e.textContent === k).querySelector("input").value = v; })()`, from, to))
		p.clicks("Select where the column across lies between")
	}
	bounds("2023-01-10", "2023-01-11 12:00")
	p.waits("document.querySelector('main').innerText.includes('7 of 300 rows selected')")
	bounds("2023", "")
	p.waits("document.querySelector('main').innerText.includes('300 of 300 rows selected')")
	bounds("soon", "")
	p.waits("[...document.querySelectorAll('.linked input')].some(e => e.validationMessage.startsWith('A date such as'))")
	bounds("2023-01-10", "2023-01-11 12:00")
	p.waits("document.querySelector('main').innerText.includes('7 of 300 rows selected')")
	sees[any](p, "void (URL.createObjectURL = b => { b.text().then(t => { window.taken = t; }); return 'about:blank#'; }, HTMLAnchorElement.prototype.click = function () { window.called = this.download; })")
	p.clicks("Download the selected rows")
	p.waits("window.taken && window.called === 'days-selected.csv'")
	lines := strings.SplitAfter(b.String(), "\n")
	if got := sees[string](p, "window.taken"); got != lines[0]+strings.Join(lines[37:44], "") {
		t.Errorf("taken were: %s", got)
	}
	p.clicks("Drop the selected rows")
	p.waits("document.querySelector('main').innerText.includes('7 choices, 7 rows to drop')")
	p.clicks("Undo")
	p.waits("document.querySelector('main').innerText.includes('Nothing is chosen yet')")

	// The list of jobs that was asked for before the job ended comes after the stream has told of its end.
	var jobs []server.Job
	c.must(200, "GET", "/api/v1/jobs", nil, &jobs)
	sees[any](p, `(() => { const ask = window.fetch; window.old = 0;
		window.fetch = async (at, o) => { if (!String(at).endsWith("/jobs")) return ask(at, o); window.old++; return new Response(JSON.stringify([{id: "`+jobs[0].ID+`", kind: "check", name: "days.csv", created: "", state: "running"}])); };
		for (const hidden of [true, false]) { Object.defineProperty(document, "hidden", {value: hidden, configurable: true}); document.dispatchEvent(new Event("visibilitychange")); } })()`)
	p.waits("window.old > 0")
	sees[any](p, "window.state = '', setTimeout(() => import('/base.js').then(m => { window.state = m.jobs.get('"+jobs[0].ID+"').state; }), 300), 0")
	p.waits("window.state")
	if state := sees[string](p, "window.state"); state != "done" {
		t.Errorf("a job that is done is %s again", state)
	}
}
