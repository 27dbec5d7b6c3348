package server

import (
	"fmt"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/server"
)

// Bounds of categories are their words, not numbers of the program's own, and the last day of a range belongs to it; of a cell that a repair
// would empty the page says so.
func TestBoundsOfWordsAndDays(t *testing.T) {
	p, c := workbench(t)
	var b strings.Builder
	b.WriteString("rating,amount,size,at\n")
	for k := range 600 {
		amount := float64(100 + 13*k%97)
		if k == 77 {
			amount = 99999
		}
		fmt.Fprintf(&b, "%d,%.2f,%d.5,2024-05-%02d %02d:30\n", 10*(1+k*7%5), amount, k*31%83, 1+k*20/600, 8+k%8)
	}
	var u server.Upload
	c.must(201, "POST", "/api/v1/uploads?name=visits.csv", b.String(), &u)
	var j server.Job
	c.must(202, "POST", "/api/v1/checks", map[string]any{"upload": u.ID, "as": map[string]string{"rating": "category"}}, &j)
	j = c.ended(j.ID)
	sees[any](p, `location.hash = "#/job/`+j.ID+`"`)
	p.waitsFor(".linked[data-shown]")
	if told := sees[string](p, "document.querySelector('td.guilty small').textContent"); !strings.Contains(told, "it empties the cell") {
		t.Errorf("of a value that a repair empties the page says %q", told)
	}
	p.clicks("Select by numbers")
	for _, of := range []struct {
		column, from, to string
		rows             int
	}{{"rating", "30", "30", 120}, {"rating", "20", "40", 360}, {"rating", "", "10", 120}, {"at", "2024-05-03", "2024-05-04", 60}, {"at", "2024-05-03", "2024-05-03 12:00", 14}} {
		sees[any](p, fmt.Sprintf(`(() => { const field = name => [...document.querySelectorAll(".linked .field")].find(e => e.firstChild.textContent === name).lastChild;
			const across = field("across"); across.value = [...across.options].find(o => o.textContent === %q).value; across.dispatchEvent(new Event("change"));
			field("from").value = %q; field("to").value = %q; })()`, of.column, of.from, of.to))
		p.clicks("Select all")
		p.clicks("Select where the column across lies between")
		p.waits("document.querySelector('.count').textContent.includes('selected')")
		if said := sees[string](p, "document.querySelector('.count').textContent"); said != fmt.Sprintf("%d of 600 rows selected.", of.rows) {
			t.Errorf("%s from %q to %q: %s", of.column, of.from, of.to, said)
		}
	}
}
