package server

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/server"
)

// apart are rows of a plane, every eighth of another kind far away.
func apart() string {
	text := "x1,x2,y\n"
	for i := range 320 {
		a, b := math.Sin(float64(i*i)), math.Cos(float64(3*i*i))
		y := 2*a - b + 7 + 0.2*math.Sin(float64(7*i*i))
		if i%8 == 3 {
			a, y = a+8, y-100
		}
		text += fmt.Sprintf("%.3f,%.3f,%.3f\n", a, b, y)
	}
	return text
}

// A group of rows far from the others is told on the page of a check, is not called in line with them, and can be selected.
func TestGroupsStandOnThePage(t *testing.T) {
	p, c := workbench(t)
	var u server.Upload
	var j server.Job
	c.must(201, "POST", "/api/v1/uploads?name=apart.csv", apart(), &u)
	c.must(202, "POST", "/api/v1/checks", server.CheckRequest{Upload: u.ID}, &j)
	if j = c.ended(j.ID); j.State != server.Done {
		t.Fatalf("%+v", j.Problem)
	}
	sees[any](p, `location.hash = "#/job/`+j.ID+`"`)
	p.waitsFor(".linked[data-shown]")
	if text := p.text(); !strings.Contains(text, "40 rows are far from the others") || strings.Contains(text, "40 rows far out but in line") {
		t.Errorf("the page says %.700s", text)
	}
	p.clicks("Select the group of 40 rows")
	p.waits("document.querySelector('.count').innerText.includes('40 of 320 rows selected')")
}

// What a regression has found are its coefficients: they stand on the page of the fit and of the model, which says what to
// do with a file that does not have what is to be predicted.
func TestCoefficientsStandOnThePage(t *testing.T) {
	p, c := workbench(t)
	at := fitted(t, c, apart(), "linear-robust", server.Table{Target: "y"})
	id := strings.TrimPrefix(at, "/api/v1/models/")
	var m server.StoredModel
	c.must(200, "GET", at, nil, &m)
	for page, has := range map[string]string{"#/job/" + m.Job: "Run it again", "#/model/" + id: "What to do"} {
		sees[any](p, `location.hash = "`+page+`"`)
		p.waits("document.querySelector('main').innerText.includes('" + has + "')")
		p.waits("document.querySelector('[aria-label=coefficients] tbody')")
		head := sees[string](p, "document.querySelector('[aria-label=coefficients] thead').innerText")
		if strings.Join(strings.Fields(head), " ") != "name value standard error t p" {
			t.Errorf("%s: %q", page, head)
		}
		row := sees[[]string](p, "[...document.querySelectorAll('[aria-label=coefficients] tbody tr')[1].cells].map(c => c.innerText)")
		var value float64
		if _, err := fmt.Sscan(row[1], &value); err != nil || row[0] != "x1" || math.Abs(value-2) > 0.1 {
			t.Errorf("%s: %v", page, row)
		}
	}
	sees[any](p, `location.hash = "#/model/`+id+`"`)
	p.waits("document.querySelector('main').innerText.includes('What to do')")
	p.drops("new.csv", "x1,x2\n1,1\n")
	p.waits("document.querySelector('.drop .problem')?.innerText === 'new.csv has no y, by which its rows are judged. Choose \"predict\" to have it told.'")
	at = fitted(t, c, apart(), "pca-robust", server.Table{})
	sees[any](p, `location.hash = "#/model/`+strings.TrimPrefix(at, "/api/v1/models/")+`"`)
	p.waits("document.querySelector('main').innerText.includes('explained by component')")
}

// A classifier tells which rows of a file are outliers where the file does not have what is to be predicted.
func TestJudgedWithoutLabels(t *testing.T) {
	p, c := workbench(t)
	text, bare := "a,b,ok\n", "a,b\n"
	for i := range 90 {
		text += fmt.Sprintf("%d,%d.5,%s\n", i%17, i*i%23, []string{"no", "yes"}[min(1, i%17/9)])
		bare += fmt.Sprintf("%d,%d.5\n", i%17, i*i%23)
	}
	at := fitted(t, c, text, "logistic", server.Table{Target: "ok"})
	sees[any](p, `location.hash = "#/model/`+strings.TrimPrefix(at, "/api/v1/models/")+`"`)
	p.waitsFor("main select")
	sees[any](p, "(() => { const s = document.querySelector('main select'); s.value = 'judge'; s.dispatchEvent(new Event('change')); })()")
	p.drops("bare.csv", bare)
	p.waitsFor(".problem")
	sees[any](p, "document.querySelector('main input[type=checkbox]').click()")
	p.drops("bare.csv", bare)
	p.waits("document.querySelector('main').innerText.includes('of 90 rows')")
	at = fitted(t, c, apart(), "linear-robust", server.Table{Target: "y"})
	if code, answer, _ := c.do("POST", at+"/judge", "text/csv", []byte("x1,x2\n1,2\n")); code != 422 || strings.Contains(string(answer), "none reads") {
		t.Errorf("a way out that is none: %d %s", code, answer)
	}
}

// The picture of votes along the file shows those at the scale of the slider.
func TestVotesFollowTheSlider(t *testing.T) {
	p, c := workbench(t)
	var u server.Upload
	var j server.Job
	c.must(201, "POST", "/api/v1/uploads?name=apart.csv", apart(), &u)
	c.must(202, "POST", "/api/v1/fits", server.FitRequest{Method: "linear-robust", Data: server.Table{Upload: u.ID, Target: "y"}, Along: true}, &j)
	c.ended(j.ID)
	sees[any](p, `location.hash = "#/job/`+j.ID+`"`)
	p.waitsFor(".linked[data-shown]")
	picture := "[...document.querySelectorAll('canvas')].find(c => c.getAttribute('aria-label').startsWith('Along the file')).toDataURL()"
	sees[any](p, "(() => { window.before = "+picture+"; const s = document.querySelector('input[type=range]'); window.settled = s.value; s.value = 0; s.dispatchEvent(new Event('input')); })()")
	p.waits(picture + " !== before")
	sees[any](p, "(() => { const s = document.querySelector('input[type=range]'); s.value = settled; s.dispatchEvent(new Event('input')); })()")
	p.waits(picture + " === before")
}
