package report

import (
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/report"
)

func TestLinksAndBadges(t *testing.T) {
	table := (&report.Table{Columns: []report.Column{{Name: "page"}, {Name: "verdict"}}}).
		Add(report.Link{"Table <I>", "table-1.html"}, report.Badge{"good", "reproduced"}).
		Add(report.Link{"bad", "javascript:alert(1)"}, report.Badge{`x" onclick="`, "odd"})
	page := table.HTML()
	for _, want := range []string{`<a href="table-1.html" rel="noopener">Table &lt;I&gt;</a>`, `<span class="badge good">reproduced</span>`, ">bad<", ">odd<"} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is missing in %s", want, page)
		}
	}
	if strings.Contains(page, "javascript") || strings.Contains(page, "onclick") {
		t.Errorf("an unsafe target or kind got through: %s", page)
	}
	if text := table.Markdown(); !strings.Contains(text, "[Table &lt;I&gt;](table-1.html)") {
		t.Errorf("no link in %s", text)
	}
	if text := table.Text(report.TextOptions{}); !strings.Contains(text, "Table <I>") || strings.Contains(text, "html") {
		t.Errorf("a terminal wants the words alone: %s", text)
	}
}

// What was wrong and what it should be stand below each other on a page, and beside each other elsewhere.
func TestCorrection(t *testing.T) {
	table := (&report.Table{Columns: []report.Column{{Name: "price"}}}).Add(report.Correction{Was: "<1", Is: "2 & 3"})
	if page := table.HTML(); !strings.Contains(page, `<span class="badge bad">&lt;1<br>→ 2 &amp; 3</span>`) {
		t.Errorf("no correction in %s", page)
	}
	if text := table.Text(report.TextOptions{}); !strings.Contains(text, "<1 → 2 & 3") {
		t.Errorf("no correction in %s", text)
	}
}
