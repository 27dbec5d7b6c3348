package server

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/server"
)

// Directions and times of day are judged on a line that goes on across 360 degrees and midnight; pictures and lists have them as the file has.
func TestDirectionsAndTimesAsInTheFile(t *testing.T) {
	c := visit(t, server.Options{})
	text, want := "bearing,begin,end,load\n", [][3]float64{}
	for i := range 300 {
		u := math.Sin(float64(i * i))
		bearing, begin := math.Mod(360+math.Round(25*u+9*math.Cos(float64(7*i))), 360), 21*60+math.Round(30*math.Cos(float64(3*i*i)))
		end := math.Mod(begin+240+math.Round(20*u), 1440)
		text += fmt.Sprintf("%.0f,%02.0f:%02.0f,%02.0f:%02.0f,%.2f\n", bearing, math.Floor(begin/60), math.Mod(begin, 60), math.Floor(end/60), math.Mod(end, 60), 10+math.Cos(float64(i)))
		want = append(want, [3]float64{bearing, 60 * begin, 60 * end})
	}
	j := c.waits("/api/v1/checks", map[string]any{"upload": c.sends("watches.csv", text)})
	var found struct{ Points inlier.Points }
	c.asks("GET", "/api/v1/jobs/"+j.ID+"/files/result.json", nil, &found)
	seen := 0
	for k, about := range found.Points.Columns {
		at := map[string]int{"bearing": 0, "begin": 1, "end": 2}
		m, ok := at[about.Name]
		if !ok {
			continue
		}
		seen++
		if about.Clock != (m > 0) {
			t.Errorf("%s: a time without a date: %v", about.Name, about.Clock)
		}
		_, _, bytes := c.asks("GET", fmt.Sprintf("/api/v1/jobs/%s/points/%d", j.ID, k), nil, nil)
		for i, w := range want {
			v := about.Centre + about.Scale*float64(math.Float32frombits(binary.LittleEndian.Uint32([]byte(bytes)[4*i:])))
			if math.Abs(v-w[m]) > 0.05 {
				t.Fatalf("row %d: %s is %v, and %v in the file", i+1, about.Name, v, w[m])
			}
		}
	}
	if seen != 3 {
		t.Fatalf("%+v", found.Points.Columns)
	}
}

// Numbers keep their whole digits, marks of an axis tell one from another, and bounds of dates are those that are typed, whatever the zone
// and the habits of the machine.
func TestNumbersAndDatesAsTyped(t *testing.T) {
	p, _ := workbench(t)
	const script = `Promise.all(["/base.js", "/linked/board.js", "/linked/dates.js"].map(at => import(at))).then(([base, board, dates]) => {
		const cell = (centre, scale, value) => {
			const v = Float32Array.of((value - centre) / scale), b = new board.Board(async () => v.buffer, { rows: 1, columns: [{ name: "x", kind: "number", centre, scale }] });
			b.loaded.set(0, v);
			return b.value(0, 0);
		};
		const marks = (low, high) => { const list = board.ticks(low, high); return list.map(v => board.label({ kind: "number" }, v, list[1] - list[0])).join(" "); };
		const bound = (text, upper, column = { times: true }) => { const b = dates.dateBound(column, text, upper); return b ? new Date(1000 * b[0]).toISOString().slice(0, 19) + (b[1] ? "<" : "") : "none"; };
		window.told = [base.short("1234567.123456"), base.short("-98765.43219"), base.brisk("at 08:00:01.1234567 it was 0.123456789."), base.figures({ degrees_of_freedom: 1234567, kinds: { regular: 299995 } }).plain.map(f => f[1]).join(", "),
			base.figures({ c: [{ name: "x", value: 1234539.27, p: 1e-140 }] }).tables[0][1].textContent,
			cell(1.5e10, 9e9, 13943804464), cell(1, 1, 0), cell(0.9999999, 1.1, 0), marks(1234567, 1234607), marks(1.7e12, 1.7e12 + 27000), marks(99990, 100010), marks(0, 10),
			bound("2024-08-05"), bound("2024-8-5"), bound("2024-08-10", true), bound("2024-10", true), bound("2024", true), bound("2024-12", true), bound("05/08/2024"), bound("5.8.2024"), bound("1"), bound("2024-02-30"), bound("2024-13"), bound("2024-05-03 9:30"),
			bound("2024-05-03T09:30+02:00"), bound("2024-05-03 09:30:15Z", true), bound("13:05", true, { times: true, clock: true }), bound("13:65", true, { times: true, clock: true }),
			dates.dateText({ times: true, clock: true, centre: 70, scale: 9 }, 67.4200001), dates.dateText({ times: true, clock: true, centre: 43200, scale: 40000 }, 29880), dates.dateText({ times: true, clock: true, day: true, centre: 0.4, scale: 0.3 }, 0.5)]; });`
	sees[any](p, "void "+script)
	p.waits("window.told")
	got := sees[[]string](p, "window.told")
	for k, want := range []string{"1234567", "-98765", "at 08:00:01.1234567 it was 0.12346.", "1234567, regular 299995", "namevaluepx12345391e-140",
		"≈13,943,804,000", "0", "0", "1,234,570 1,234,580 1,234,590 1,234,600", "1,700,000,000,000 1,700,000,010,000 1,700,000,020,000", "99,990 99,995 100,000 100,005 100,010", "0 2 4 6 8 10",
		"2024-08-05T00:00:00", "2024-08-05T00:00:00", "2024-08-11T00:00:00<", "2024-11-01T00:00:00<", "2025-01-01T00:00:00<", "2025-01-01T00:00:00<", "none", "none", "none", "none", "none", "2024-05-03T09:30:00",
		"2024-05-03T07:30:00", "2024-05-03T09:30:15", "1970-01-01T13:05:00", "none", "00:01:07.42", "08:18:00", "12:00:00"} {
		if got[k] != want {
			t.Errorf("%d: %q, not %q", k, got[k], want)
		}
	}
}

// A file that was repaired by itself stays so where something is chosen about a row of it.
func TestRepairsStayBesideChoices(t *testing.T) {
	p, c := workbench(t)
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	var j server.Job
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: u.ID, Repair: true}, &j)
	j = c.ended(j.ID)
	sees[any](p, `location.hash = "#/job/`+j.ID+`"`)
	p.waitsFor(`select[aria-label="Row 11"]`)
	if got := sees[string](p, `document.querySelector('select[aria-label="Row 42"]').selectedOptions[0].textContent`); got != "repair (made)" {
		t.Errorf("row 42 was repaired, and is %s", got)
	}
	sees[any](p, `(() => { const s = document.querySelector('select[aria-label="Row 11"]'); s.value = "keep"; s.dispatchEvent(new Event("change")); })()`)
	p.waits("document.querySelector('main').innerText.includes('1 choice, 0 rows to drop')")
	p.clicks("Make the cleaned file")
	p.waits("document.querySelector('main').innerText.includes('with 2 changes')")
	var jobs []server.Job
	c.must(200, "GET", "/api/v1/jobs", nil, &jobs)
	changes := func(j server.Job) string {
		_, text, _ := c.do("GET", "/api/v1/jobs/"+j.ID+"/files/changes.csv", "", nil)
		return string(text)
	}
	rest := ""
	for line := range strings.Lines(changes(j)) {
		if !strings.HasPrefix(line, "11,") {
			rest += line
		}
	}
	if after := changes(jobs[0]); after != rest {
		t.Errorf("changed is\n%s\nexpected\n%s", after, rest)
	}
}

// What was chosen in another window stands when all rows that are shown are repaired, and a model reads a file as that was read from
// which it has learned.
func TestOtherWindowsAndReadings(t *testing.T) {
	p, c := workbench(t)
	var u server.Upload
	var j, f server.Job
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: u.ID}, &j)
	c.ended(j.ID)
	sees[any](p, `location.hash = "#/job/`+j.ID+`"`)
	p.waitsFor(".linked[data-shown]")
	c.must(200, "POST", "/api/v1/jobs/"+j.ID+"/choices", map[string]any{"row": 11, "choice": "drop"}, nil)
	p.clicks("Repair all shown")
	p.waits("document.querySelector('main').innerText.includes('3 choices, 1 row to drop')")

	c.must(202, "POST", "/api/v1/fits", server.FitRequest{Method: "pca", Data: server.Table{Upload: u.ID, Tolerant: true, Decimal: "point", Header: "yes", Columns: []string{"net", "tax", "total"}}}, &f)
	f = c.ended(f.ID)
	sees[any](p, `void (window.asked = [], window.real = window.fetch, window.fetch = (at, o) => { asked.push(String(at)); return real(at, o); }, location.hash = "#/model/`+f.Model+`")`)
	p.clicks("Use it")
	p.waits("document.querySelector('main').innerText.includes('Download them all')")
	if at := sees[string](p, "asked.find(a => a.includes('upload='))"); !strings.Contains(at, "decimal=point") || !strings.Contains(at, "header=yes") {
		t.Errorf("the page asked %s", at)
	}
}

// The page works where the browser keeps nothing for it, and what was said of columns outlives a reload where it does.
func TestWhatWasSaidOutlivesAReload(t *testing.T) {
	p, _ := workbench(t)
	p.drops("orders.csv", orders())
	p.waitsFor(`select[aria-label="order is read as"]`)
	sees[any](p, `(() => { const s = document.querySelector('select[aria-label="order is read as"]'); s.value = "text"; s.dispatchEvent(new Event("change")); window.old = true; location.reload(); })()`)
	p.waits(`!window.old && document.querySelector('select[aria-label="order is read as"]')?.value === "text"`)
	sees[any](p, "sessionStorage.setItem('told', 'no JSON'), window.old = true, window.addEventListener('pagehide', () => sessionStorage.setItem('told', 'no JSON')), location.reload()")
	p.waits(`!window.old && document.querySelector('select[aria-label="order is read as"]')?.value === "id"`)
}
