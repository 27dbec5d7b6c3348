package server

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/server"
)

// Numbers to predict may be names of classes or be counted: the page offers the methods for what they are taken for, lets it be changed, and what it
// asks for is the same.
func TestNumbersToPredict(t *testing.T) {
	draw := rand.New(rand.NewPCG(7, 8))
	var b strings.Builder
	b.WriteString("a,b,grade\n")
	for range 300 {
		grade := draw.IntN(3)
		fmt.Fprintf(&b, "%.4f,%.4f,%d\n", draw.NormFloat64()+float64(grade), draw.NormFloat64()-float64(grade), grade)
	}
	p, c := workbench(t)
	p.drops("grades.csv", b.String())
	p.clicks("Compare methods")
	p.waitsFor("#with-pca-robust")
	picks := func(label, value string) {
		sees[any](p, fmt.Sprintf(`(() => { const s = document.querySelector('select[aria-label=%q]'); s.value = %q; s.dispatchEvent(new Event("change")); })()`, label, value))
	}
	compared := func(method string) (task string) {
		p.waitsFor("#with-" + method)
		sees[any](p, fmt.Sprintf(`(() => { for (const m of ["relm", %q]) document.getElementById("with-" + m).click(); document.querySelector("#form input[type=number]").value = "2"; })()`, method))
		p.clicks("Compare")
		p.waits("document.querySelector('main').innerText.includes('report.html')")
		var list []server.Job
		c.must(200, "GET", "/api/v1/jobs", nil, &list)
		var made struct{ Task string }
		c.must(200, "GET", "/api/v1/jobs/"+list[0].ID+"/files/result.json", nil, &made)
		return made.Task
	}
	picks("Target", "grade")
	if task := compared("logistic"); task != "classify" {
		t.Errorf("classes: %q", task)
	}
	sees[any](p, "history.back()")
	p.clicks("Compare methods")
	picks("What is predicted", "regression")
	if task := compared("linear-robust"); task != "regress" {
		t.Errorf("numbers: %q", task)
	}
}
