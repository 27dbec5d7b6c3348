package server

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/irls"
	"github.com/inlier-ml/inlier/server"
)

// workbench is a person at the page of a server of its own.
func workbench(t *testing.T) (person, *client) {
	t.Helper()
	p := somebody(t)
	s, err := server.New(server.Options{Folder: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s)
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
		if err := s.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
	p.goes(web.URL)
	p.waitsFor(".drop")
	sees[any](p, collector)
	return p, &client{t: t, at: web.URL}
}

// Dates on pictures are those of the file, although 4-byte numbers lie beside midnight, and marks of short ranges tell times.
func TestDatesOfPictures(t *testing.T) {
	p, _ := workbench(t)
	const script = `import("/linked/dates.js").then(({ dateText, dateTicks, dateSpan }) => {
		const wrong = [], day = 86400, start = Date.UTC(2024, 0, 1) / 1000;
		for (const [unit, reach, times] of [[1, 365 * day, false], [day, 365, false], [day, 36500, false], [1, 3 * 3600, true], [day, 20, true]]) for (let k = 0; k < 400; k++) {
			const whole = times ? 1 : day, seconds = start + Math.round(k / 400 * reach * unit / whole) * whole, column = { kind: "date", centre: (start + reach * unit / 2) / unit, scale: 0.45 * reach, day: unit > 1, times };
			const read = column.centre + column.scale * Math.fround((seconds / unit - column.centre) / column.scale), iso = new Date(1000 * seconds).toISOString();
			const want = times ? iso.slice(0, 19).replace("T", " ") : iso.slice(0, 10), got = dateText(column, read);
			if (got !== want) wrong.push([got, want]);
		}
		const at = (text, column = { times: true }) => { const [a, b] = text.split(" ").map(t => Date.parse(t + "Z") / 1000); return [dateTicks(column, a, b).map(([, t]) => t).join(" "), dateSpan(column, a, b)].join(" | "); };
		window.dates = [wrong.length + " " + (wrong[0] || ""), at("2024-05-03T09:00:00 2024-05-03T11:46:40"), at("2024-05-03T20:00:00 2024-05-04T05:00:00"), at("2024-05-03T09:00:00 2024-05-03T09:00:09"),
			at("2024-02-26T00:00:00 2024-03-05T00:00:00", {}), at("2023-11-20T00:00:00 2024-06-20T00:00:00", {}), at("1899-01-01T00:00:00 2024-01-01T00:00:00", {}), dateTicks({}, 1e15, 2e15).length]; });`
	sees[any](p, "void "+script)
	p.waits("window.dates")
	got := sees[[]any](p, "window.dates")
	for k, want := range []any{"0 ", "09:00 10:00 11:00 | 2024-05-03", "20:00 22:00 05-04 02:00 04:00 | 2024-05-03 to 2024-05-04", "09:00:00 09:00:02 09:00:04 09:00:06 09:00:08 | 2024-05-03",
		"02-27 02-29 03-02 03-04 | 2024", "2024-01 2024-03 2024-05 | ", "1900 1950 2000 | ", 0.0} {
		if got[k] != want {
			t.Errorf("%d: %v, not %v", k, got[k], want)
		}
	}
	if problems := sees[[]string](p, "problems"); len(problems) > 0 {
		t.Errorf("problems %q", problems)
	}
}

// Two fits side by side are shown although the first ends while the page asks about the second.
func TestFitsThatEndMeanwhile(t *testing.T) {
	p, c := workbench(t)
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	fit := server.FitRequest{Method: "linear-robust", Data: server.Table{Upload: u.ID, Target: "total", Columns: []string{"net", "tax"}}}
	var first, second server.Job
	c.must(202, "POST", "/api/v1/fits", fit, &second)
	c.ended(second.ID)
	sees[any](p, `(() => { const real = window.fetch; window.fetch = async (...given) => { const answer = await real(...given); if (String(given[0]).endsWith("/jobs/`+second.ID+`")) await new Promise(done => { window.goOn = done; }); return answer; }; })()`)
	fit.Loss = "square"
	c.must(202, "POST", "/api/v1/fits", fit, &first)
	// The page has heard that it runs, whatever it does meanwhile.
	sees[any](p, `import("/base.js").then(m => { m.jobs.set("`+first.ID+`", {id: "`+first.ID+`", kind: "fit", name: "orders.csv", state: "running", created: ""}); location.hash = "#/beside/`+first.ID+`/`+second.ID+`"; })`)
	p.waits("window.goOn")
	first = c.ended(first.ID)
	sees[any](p, `import("/base.js").then(m => m.ask("/jobs/`+first.ID+`").then(j => { m.jobs.set(j.id, j); for (const w of m.app.watchers) w(j); window.goOn(); }))`)
	p.waits("document.querySelector('main').innerText.includes('The same rows twice')")
}

// Votes that come before the verdicts do not make every row a regular one, and a slider that is moved before the votes come is followed.
func TestVotesBeforeVerdicts(t *testing.T) {
	p, _ := workbench(t)
	const script = `Promise.all(["board", "paths"].map(m => import("/linked/" + m + ".js"))).then(async ([{ Board, marks }, { Paths }]) => {
		let verdicts, votes;
		const board = new Board(() => new Promise(done => { verdicts = () => done(Float32Array.of(0, 1, 0).buffer); }), { rows: 3, columns: [{ name: "verdict", kind: "verdict" }] });
		const picture = () => { const q = new Paths(board, "votes", "", { settled: 0, fits: [{ scale: 1 }, { scale: 2 }], votes: () => new Promise(done => { votes = () => done(Uint8Array.of(127, 0, 127, 128, 127, 127)); }) }); document.body.append(q.element); return q; };
		const first = picture(), drawn = first.load();
		votes();
		await new Promise(done => setTimeout(done, 100));
		verdicts();
		await drawn;
		const later = picture(), moved = later.load();
		later.settle(1);
		votes();
		await moved;
		window.wrong = [[...marks(first.own || later.own || board.flags)[0]].join(), [...marks(board.flags)[0]].join()]; });`
	sees[any](p, "void "+script)
	p.waits("window.wrong")
	if got := sees[[]string](p, "window.wrong"); got[0] != "1" || got[1] != "0" {
		t.Errorf("wrong rows %q", got)
	}
}

// The page of a fit under way tells its latest step, by the names that events have.
func TestThePageTellsTheStep(t *testing.T) {
	p, _ := workbench(t)
	event, err := json.Marshal(server.Job{ID: "0123456789abcdef", Kind: "fit", Name: "a.csv", State: server.Running,
		Progress: &inlier.Event{Job: "fit", Phase: "fit", Label: "pca-robust", Part: 0.5, Step: &irls.Step{Number: 17, Objective: 0.25}}})
	if err != nil {
		t.Fatal(err)
	}
	sees[any](p, `import("/base.js").then(m => { window.app = m.app; m.jobs.set("0123456789abcdef", `+string(event)+`); location.hash = "#/job/0123456789abcdef"; })`)
	p.waitsFor("progress")
	sees[any](p, `void app.watchers.forEach(w => w(`+string(event)+`))`)
	if text := p.text(); !strings.Contains(text, "fit, pca-robust, step 17, objective 0.25") {
		t.Errorf("the page says: %s", text)
	}
}

// The list of selected rows has the numbers of the file, as far as 4 bytes tell them.
func TestNumbersOfSelectedRows(t *testing.T) {
	p, _ := workbench(t)
	const script = `import("/linked/board.js").then(({ Board }) => {
		const tell = (centre, scale, value) => {
			const v = Float32Array.of((value - centre) / scale), b = new Board(async () => v.buffer, { rows: 1, columns: [{ name: "x", kind: "number", centre, scale }] });
			b.loaded.set(0, v);
			return b.value(0, 0);
		};
		window.told = [[5, 2.2, 0], [1010, 3.7, 1018.2], [20, 2.8, 22.39], [1e6, 7, 1000003], [3, 1e5, 123456789], [0, 1, 0.1], [0.5, 0.3, 1e-7], [100, 3, -99.95], [7, 1, 7], [1e9, 0.4, 1e9 + 0.5], [1e-9, 1e-9, 3e-9]].map(a => tell(...a)).join("; "); });`
	sees[any](p, "(() => { "+script+" })()")
	p.waits("window.told")
	want := "0; 1,018.2; 22.39; 1,000,003; ≈123,456,800; 0.1; 1e-7; -99.95; 7; 1,000,000,000.5; 3e-9"
	if got := sees[string](p, "window.told"); got != want {
		t.Errorf("told are %s\n    expected %s", got, want)
	}
}

// Who comes back to a file from what was found in it finds the choices about its columns, and a model offers what it can do.
func TestBackToTheFile(t *testing.T) {
	p, c := workbench(t)
	p.drops("orders.csv", orders())
	p.waitsFor("select[aria-label='kind is read as']")
	sees[any](p, `(() => { for (const [name, v] of [["kind is read as", "text"], ["Target", "total"]]) { const s = document.querySelector('select[aria-label="' + name + '"]'); s.value = v; s.dispatchEvent(new Event("change")); } })()`)
	p.clicks("Check this file")
	p.waitsFor(".linked[data-shown]")
	if asked := sees[string](p, "document.querySelector('code').textContent"); !strings.Contains(asked, "--target total --as kind=text") {
		t.Errorf("asked was: %s", asked)
	}
	p.clicks("orders.csv")
	p.waitsFor("select[aria-label=Target]")
	if kept := sees[string](p, `["Target", "kind is read as"].map(l => document.querySelector('select[aria-label="' + l + '"]')).map(s => s.value).join()`); kept != "total,text" {
		t.Errorf("kept were %s", kept)
	}
	for _, of := range [][2]string{{"pca-robust", "judge,transform"}, {"kmeans", "judge,predict"}, {"linear-robust", "judge,predict"}} {
		method, want := of[0], of[1]
		table := server.Table{}
		if method == "linear-robust" {
			table.Target = "c"
		}
		id := strings.TrimPrefix(fitted(t, c, squares(60, false), method, table), "/api/v1/models/")
		sees[any](p, `location.hash = "#/model/`+id+`"`)
		p.waits("document.querySelector('h1')?.textContent.startsWith('" + method + "') && document.querySelector('.drop')")
		if deeds := sees[string](p, "[...document.querySelector('select').options].map(o => o.value).join()"); deeds != want {
			t.Errorf("%s offers %s", method, deeds)
		}
	}
	p.drops("more.csv", squares(60, false))
	p.waits("document.querySelector('main div[aria-live] td')?.textContent === '7' ") // beside the table of coefficients
	p.drops("other.csv", "a\n1\n")
	p.waits("document.querySelector('.drop .problem') && !document.querySelector('main div[aria-live] table')")
}

// What is told late of an earlier selection does not stand below a later one, and where nothing is told any more that is said.
func TestLateAnswersAboutSelections(t *testing.T) {
	p, c := workbench(t)
	p.drops("orders.csv", orders())
	p.clicks("Check this file")
	p.waitsFor(".linked[data-shown]")
	sees[any](p, `(() => { const ask = window.fetch; window.late = []; // the first question about rows is answered when it is let go
		window.fetch = async (at, o) => { const answer = await ask(at, o); if (String(at).includes("/rows?") && late.length === 0) await new Promise(r => late.push(r)); return answer; }; })()`)
	p.clicks("Select wrong rows")
	p.waits("late.length === 1")
	p.clicks("Select the others")
	p.waits("document.querySelector('.chosen')?.innerText.includes('1 to 100 of 297 selected rows')")
	sees[any](p, "late[0]()")
	sees[any](p, "window.done = 0, setTimeout(() => { done = 1; }, 300), 0")
	p.waits("done")
	if text := sees[string](p, "document.querySelector('.chosen').innerText"); !strings.Contains(text, "1 to 100 of 297 selected rows") {
		t.Errorf("below the others stands: %.200s", text)
	}
	sees[any](p, "window.old = true, location.reload()") // else the list has read the columns
	p.waits("!window.old && document.querySelector('.linked[data-shown]')")
	// The column that was chosen last is drawn, though the one before comes later; what is read while somebody looks elsewhere is not drawn there.
	sees[any](p, `(() => { const ask = window.fetch; window.late = [];
		window.fetch = async (at, o) => { const answer = await ask(at, o); if (/points|preview/.test(at) && late.length === 0) await new Promise(r => late.push(r)); return answer; };
		const s = [...document.querySelectorAll(".linked .field")].find(e => e.textContent.startsWith("across")).querySelector("select"); window.across = s;
		const pick = name => { s.value = [...s.options].find(o => o.textContent === name).value; s.dispatchEvent(new Event("change")); }; pick("kind"); pick("total"); })()`)
	p.waits("late.length === 1")
	sees[any](p, "late[0]()")
	sees[any](p, "window.done = 0, setTimeout(() => { done = 1; }, 300), 0")
	p.waits("done")
	if drawn := sees[string](p, "[...document.querySelectorAll('figcaption')].map(e => e.textContent).join('; ')"); !strings.Contains(drawn, "against total; One column: total") {
		t.Errorf("drawn are: %s", drawn)
	}
	p.clicks("orders.csv")
	p.clicks("Read it otherwise")
	sees[any](p, "late.length = 0")
	p.clicks("Read it again")
	p.waits("late.length === 1")
	p.clicks("Work")
	p.waits("document.querySelector('h1').textContent === 'Work'")
	sees[any](p, "late[0](); window.done = 0, setTimeout(() => { done = 1; }, 300), 0")
	p.waits("done")
	if title := sees[string](p, "document.querySelector('h1').textContent"); title != "Work" {
		t.Errorf("the list of work is covered by %s", title)
	}
	sees[any](p, "history.back()")
	p.waitsFor("select[aria-label=Target]")
	sees[any](p, "history.back()")
	p.waitsFor(".linked[data-shown]")
	var jobs []server.Job
	c.must(200, "GET", "/api/v1/jobs", nil, &jobs)
	c.must(204, "DELETE", "/api/v1/jobs/"+jobs[0].ID, nil, nil)
	p.clicks("Select wrong rows")
	p.waits("document.querySelector('.chosen .problem')?.textContent.includes('nothing of this name')")
}

// What is expected of a cell stands beside it as its column writes it and a repair would.
func TestExpectedValuesAreWrittenAsInTheFile(t *testing.T) {
	p, c := workbench(t)
	var b strings.Builder
	b.WriteString("km;liter;preis\n")
	for i := range 200 {
		km := 1000 + float64(i*37%101) + float64(i%7)/4
		liter, factor := 0.07*km+float64(i*13%17)/40, 1.0
		if i == 17 {
			factor = 10
		}
		german := strings.NewReplacer(".", ",")
		fmt.Fprintf(&b, "%s;%s;%s €\n", german.Replace(fmt.Sprintf("%.2f", factor*km)), german.Replace(fmt.Sprintf("%.2f", liter)), german.Replace(fmt.Sprintf("%.2f", float64(i*29%97)+1)))
	}
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=fahrten.csv", b.String(), &u)
	var j server.Job
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: u.ID, Repair: true}, &j)
	j = c.ended(j.ID)
	sees[any](p, `location.hash = "#/job/`+j.ID+`"`)
	p.waitsFor("td.guilty small")
	_, changes, _ := c.do("GET", "/api/v1/jobs/"+j.ID+"/files/changes.csv", "", nil)
	told := sees[string](p, "document.querySelector('td.guilty small').textContent")
	is, found := strings.CutPrefix(told, "expected ")
	if !found || !strings.Contains(is, ",") || !strings.Contains(string(changes), `,"`+is+`",`) {
		t.Errorf("the page says %q, the repaired file %s (%s)", told, changes, j.Summary)
	}
}

// Bounds select the rows between them and none beside, however widely others lie; words are told, however many there are; and the
// cleaned file waits for a choice that is on its way.
func TestBoundsWordsAndLateChoices(t *testing.T) {
	p, c := workbench(t)
	var b strings.Builder
	b.WriteString("amount,city\n")
	for k := range 1200 {
		amount := 99 + k
		if k > 2 {
			amount = k * 7919 % 1201 * 2500
		}
		fmt.Fprintf(&b, "%d,town %c%c\n", amount, 'a'+rune(k*17%60%8), 'a'+rune(k*17%60/8))
	}
	p.drops("towns.csv", b.String())
	p.clicks("Check this file")
	p.waitsFor(".linked[data-shown]")
	p.clicks("Select by numbers")
	sees[any](p, `(() => { for (const name of ["from", "to"]) [...document.querySelectorAll(".linked .field")].find(e => e.textContent === name).querySelector("input").value = "100"; })()`)
	p.clicks("Select where the column across lies between")
	p.waits("document.querySelector('main').innerText.includes('1 of 1,200 rows selected')")
	p.waitsFor(`[aria-label="Selected rows"]`)
	if row := sees[string](p, "document.querySelector('.chosen tbody').innerText"); !strings.Contains(row, "100") || !strings.Contains(row, "town bc") {
		t.Errorf("row 2 is told as %q", row)
	}
	sees[any](p, `(() => { const real = window.fetch; window.fetch = async (at, o) => { if (String(at).endsWith("/choices") && o.method === "POST") await new Promise(done => setTimeout(done, 500)); return real(at, o); }; })()`)
	p.clicks("Drop the selected rows")
	p.waits("document.querySelector('main').innerText.includes('1 choice, 1 row to drop')")
	var jobs []server.Job
	c.must(200, "GET", "/api/v1/jobs", nil, &jobs)
	sees[any](p, `void import("/choices.js").then(async m => { const mine = await m.Choices.of("`+jobs[0].ID+`"); mine.make([5], "", "drop"); window.making = true; })`)
	p.waits("window.making")
	p.clicks("Make the cleaned file")
	p.waits("document.querySelector('main').innerText.includes('with 2 changes')")
}
