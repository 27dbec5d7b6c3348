package server

import (
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/server"
)

// gappy is a table of a hundred rows whose rows 3 to 10 lack a number.
func gappy() string {
	var b strings.Builder
	b.WriteString("a,b,c,word\n")
	for i := range 100 {
		a := fmt.Sprint(i % 13)
		if i > 1 && i < 10 {
			a = ""
		}
		fmt.Fprintf(&b, "%s,%d,%d,w%d\n", a, 2*(i%13)+i*i%7, i*i%11, i*7919)
	}
	return b.String()
}

// A comparison says which rows it did without, and calls the others by their numbers in the file.
func TestComparisonsWithGaps(t *testing.T) {
	_, c := began(t, server.Options{})
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=gappy.csv", gappy(), &u)
	for _, r := range []server.CompareRequest{{Data: server.Table{Upload: u.ID, Tolerant: true}}, {Data: server.Table{Upload: u.ID, Tolerant: true, Target: "c"}, Methods: []string{"linear-robust", "relm"}, Repeats: 2}} {
		var j server.Job
		c.must(202, "POST", "/api/v1/comparisons", r, &j)
		if j = c.ended(j.ID); j.State != server.Done {
			t.Errorf("%+v", j.Problem)
			continue
		}
		var found struct{ Remarks []string }
		c.must(200, "GET", "/api/v1/jobs/"+j.ID+"/files/result.json", nil, &found)
		_, page, _ := c.do("GET", "/api/v1/jobs/"+j.ID+"/files/report.html", "", nil)
		for _, want := range []string{"8 rows with missing or unreadable cells were left out", "Columns left out: word ("} {
			if !strings.Contains(strings.Join(found.Remarks, " "), want) || !strings.Contains(string(page), want) {
				t.Errorf("%q is not told: %q", want, found.Remarks)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "gappy.csv")
	if err := os.WriteFile(path, []byte(gappy()), 0o600); err != nil {
		t.Fatal(err)
	}
	made, err := inlier.Compare{Data: inlier.Data{Path: path, Tolerant: true}}.Run(t.Context(), nil)
	if err != nil || len(made.Reduced.Numbers) != 92 || !slices.Equal(made.Reduced.Numbers[:3], []float64{1, 2, 11}) {
		t.Errorf("%v %+v", err, made)
	}
}

// A model tells no rows by their places among those that it was learned from.
func TestModelsTellNoPlaces(t *testing.T) {
	_, c := began(t, server.Options{})
	at := fitted(t, c, gappy(), "density-peaks", server.Table{Tolerant: true})
	var m struct {
		Contents struct{ Numbers map[string]any }
	}
	c.must(200, "GET", at, nil, &m)
	for name := range m.Contents.Numbers {
		if strings.HasSuffix(name, "_rows") {
			t.Errorf("%s: %v", name, m.Contents.Numbers[name])
		}
	}
	var described struct {
		Components struct {
			Schemas struct {
				Meta struct {
					Properties struct {
						Parameters struct{ AdditionalProperties any }
					}
				}
			}
		}
	}
	c.must(200, "GET", "/api/v1/openapi.json", nil, &described)
	if more := described.Components.Schemas.Meta.Properties.Parameters.AdditionalProperties; more != true {
		t.Errorf("parameters are numbers and texts, and described as %v", more)
	}
	if len(m.Contents.Numbers) == 0 {
		t.Error("no figures at all")
	}
}

// What a refusal says can be done where it is read.
func TestRefusalsSayWhatIsWrong(t *testing.T) {
	_, c := began(t, server.Options{})
	said := func(status int, method, path, kind, body string) string {
		t.Helper()
		code, text, _ := c.do(method, path, kind, []byte(body))
		var p struct{ Detail string }
		if err := json.Unmarshal(text, &p); err != nil || code != status {
			t.Errorf("%s: %d %s", path, code, text)
		}
		return p.Detail
	}
	if got := said(422, "POST", "/api/v1/checks", "application/json", `{"upload":"x","expect":3}`); !strings.Contains(got, "upload: ") || !strings.Contains(got, "expect: ") {
		t.Error(got)
	}
	if code, text, _ := c.do("POST", "/api/v1/checks", "application/json", []byte(strings.Repeat("x", 900000))); code != 400 || len(text) > 2000 {
		t.Errorf("%d, %d bytes", code, len(text))
	}
	if got := said(422, "GET", "/api/v1/jobs/x", "", ""); strings.Contains(got, "validation failed") || !strings.Contains(got, "id") {
		t.Error(got)
	}
	if got := said(422, "POST", "/api/v1/models?name=rows.csv", "application/octet-stream", gappy()); !strings.Contains(got, "Files") || strings.Contains(got, "the data") {
		t.Error(got)
	}
	text := ""
	for i := range 60 {
		text += fmt.Sprintf("%d,%d,%s\n", i%7, i*i%11, []string{"no", "yes"}[i%7/4])
	}
	for method, advised := range map[string]bool{"relm": false, "logistic": true} {
		at := fitted(t, c, "a,b,ok\n"+text, method, server.Table{Target: "ok", Tolerant: true})
		if got := said(422, "POST", at+"/judge", "text/csv", "a,b\n1,2\n3,4\n"); strings.Contains(got, "target none") != advised {
			t.Errorf("%s: %s", method, got)
		}
	}
}

// Paths that lead up or hold nothing between two strokes lead nowhere.
func TestPathsLeadNowhere(t *testing.T) {
	_, c := began(t, server.Options{})
	for _, path := range []string{"/api/v1/jobs/../../../etc/passwd", "//etc/passwd", "/api//v1/jobs", "/api/v1/./jobs", "/linked/%2e%2e/%2e%2e/etc/passwd", "/linked/..%2f..%2fetc/passwd", "/api/v1/jobs/", "/page/index.html"} {
		if code, text, head := c.do("GET", path, "", nil); code != 404 || !strings.Contains(string(text), `"detail"`) || head.Get("Location") != "" {
			t.Errorf("%s: %d %s %s", path, code, text, head.Get("Location"))
		}
	}
	c.must(200, "GET", "/", nil, nil)
}

// Clients that send large requests slowly keep nobody from the turn that working at one takes.
func TestSlowRequestsHoldNoTurn(t *testing.T) {
	_, c := began(t, server.Options{Limits: server.Limits{Silence: time.Minute}})
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=orders.csv", orders(), &u)
	for range 20 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(c.at, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprint(conn, "POST /api/v1/checks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 900000\r\n\r\n{")
	}
	time.Sleep(200 * time.Millisecond)
	r := server.CheckRequest{Upload: u.ID}
	for k := range 3000 {
		r.Choices = append(r.Choices, inlier.Choice{Row: 1 + k%300, Column: "total", Choice: "keep"})
	}
	c.must(202, "POST", "/api/v1/checks", r, nil)
}

// Nor do those whose requests are so large that turns are taken to hold them in memory.
func TestSlowTablesHoldNoTurn(t *testing.T) {
	_, c := began(t, server.Options{Limits: server.Limits{Silence: 3 * time.Second}})
	model := fitted(t, c, orders(), "pca", server.Table{Columns: []string{"net", "tax"}})
	for k := range 40 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(c.at, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		path, length, more := strings.TrimPrefix(model, "/api/v1/")+"/judge", "Content-Length: 2000000", " "
		if k%2 == 1 {
			path, length, more = "checks", "Transfer-Encoding: chunked", "1\r\n \r\n"
		}
		fmt.Fprintf(conn, "POST /api/v1/%s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n%s\r\n\r\n2\r\n{ ", path, length)
		go func() { // never silent
			for err := error(nil); err == nil && t.Context().Err() == nil; time.Sleep(time.Second / 2) {
				_, err = fmt.Fprint(conn, more)
			}
		}()
	}
	time.Sleep(200 * time.Millisecond)
	rows := strings.Repeat("[50,10],", 50_000) + "[20,4]"
	var seen struct{ Rows []any }
	c.must(200, "POST", model+"/judge", json.RawMessage(`{"rows":[`+rows+`]}`), &seen)
	if len(seen.Rows) != 50_001 {
		t.Error(len(seen.Rows), "rows")
	}
}

// A preview counts what does not fit where a column is said to be something else.
func TestPreviewOfOtherKinds(t *testing.T) {
	p, c := workbench(t)
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=kinds.csv", "code,n\nA1,1\n17,2\nB3,3\n18,4\n", &u)
	var seen server.Preview
	c.must(200, "GET", "/api/v1/uploads/"+u.ID+`/preview?as=%7B%22code%22:%22number%22%7D`, nil, &seen)
	if seen.Columns[0].ReadAs != "number" || seen.Columns[0].Misfits != 2 {
		t.Errorf("%+v", seen.Columns[0])
	}
	c.must(422, "GET", "/api/v1/uploads/"+u.ID+"/preview?as=code", nil, nil)
	c.must(422, "GET", "/api/v1/uploads/"+u.ID+`/preview?as=%7B%22code%22:%22colour%22%7D`, nil, nil)
	p.goes(c.at + "/#/file/" + u.ID)
	fits := func(want string) {
		t.Helper()
		p.waits(`[...document.querySelectorAll('tr')].find(r => r.cells[0].textContent === 'code')?.cells[4].textContent === '` + want + `'`)
	}
	fits("2")
	for _, to := range [][2]string{{"id", "0"}, {"number", "2"}} {
		kind, want := to[0], to[1]
		sees[any](p, `(() => { const s = document.querySelector('select[aria-label="code is read as"]'); s.value = "`+kind+`"; s.dispatchEvent(new Event("change")); })()`)
		fits(want)
	}
}

// Of several files that are dropped at once none is passed over in silence.
func TestSeveralFilesDropped(t *testing.T) {
	p, c := workbench(t)
	several := func() {
		t.Helper()
		p.waitsFor(".drop")
		sees[any](p, `(() => { const d = new DataTransfer(); for (const n of ["a", "b", "c"]) d.items.add(new File(["x,y\n1,2\n3,4\n"], n + ".csv"));
			document.querySelector(".drop").dispatchEvent(new DragEvent("drop", {dataTransfer: d, bubbles: true, cancelable: true})); })()`)
	}
	p.goes(c.at)
	several()
	p.waits("['a.csv', 'b.csv', 'c.csv'].every(n => document.querySelector('main').innerText.includes(n))")
	p.waits("document.querySelector('.made')?.textContent.startsWith('3 files came, each a table of its own')")
	p.clicks("Check each of them")
	p.waits("location.hash === '#/work' && [...document.querySelectorAll('.state-done')].length === 3")
	sees[any](p, "location.hash = '#/models'")
	p.waits("document.querySelector('h1').textContent === 'Models'")
	several()
	p.waits("document.querySelector('.problem')?.textContent === '3 files were dropped, and one is taken here.'")
}

// Where the votes cannot be loaded it is said, and the slider does not pretend.
func TestSliderWithoutVotes(t *testing.T) {
	p, c := workbench(t)
	at := fitted(t, c, orders(), "pca-robust", server.Table{Tolerant: true})
	var jobs []server.Job
	c.must(200, "GET", "/api/v1/jobs", nil, &jobs)
	c.must(202, "POST", "/api/v1/fits", server.FitRequest{Method: "pca-robust", Along: true, Data: server.Table{Upload: jobs[0].Upload, Tolerant: true}}, &jobs[0])
	j := c.ended(jobs[0].ID)
	if at == "" || !slices.Contains(j.Files, "votes.bin") {
		t.Fatalf("%+v", j)
	}
	p.goes(c.at)
	p.waitsFor(".drop")
	sees[any](p, `void (() => { const real = window.fetch; window.fetch = (at, o) => String(at).endsWith("votes.bin") ? Promise.reject(new TypeError("gone")) : real(at, o); })()`)
	sees[any](p, "location.hash = '#/job/"+j.ID+"'")
	p.waitsFor(".linked[data-shown]")
	p.waits("document.querySelector('input[type=range]').disabled && document.querySelector('output').textContent.includes('load the page again')")
	p.waits("document.querySelector('figure .problem')?.textContent.includes('This picture cannot be drawn')")
}
