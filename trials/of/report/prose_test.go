package report

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/report"
)

// prose is a text as it stands on a page.
func prose(t *testing.T, text string) string {
	t.Helper()
	page := report.Page{Sections: []report.Section{{Text: text}}}
	data, err := page.HTML()
	if err != nil {
		t.Fatal(err)
	}
	_, body, found := strings.Cut(string(data), "<section>\n")
	body, _, ends := strings.Cut(body, "</section>")
	if !found || !ends {
		t.Fatalf("no section in %s", data)
	}
	return strings.TrimPrefix(body, "\n")
}

func TestProse(t *testing.T) {
	for in, want := range map[string]string{
		"a **b** *c* `d<e>`":                   "<p>a <strong>b</strong> <em>c</em> <code>d&lt;e&gt;</code></p>\n",
		"one\ntwo\n\nthree":                    "<p>one two</p>\n<p>three</p>\n",
		"- x\n- y **z**":                       "<ul><li>x</li><li>y <strong>z</strong></li></ul>\n",
		"1. x\n2. y":                           "<ol><li>x</li><li>y</li></ol>\n",
		"[t](https://example.org/?a=1&b=2) !":  `<p><a href="https://example.org/?a=1&amp;b=2" rel="noopener">t</a> !</p>` + "\n",
		"[t](#part) [u](page.html)":            `<p><a href="#part" rel="noopener">t</a> <a href="page.html" rel="noopener">u</a></p>` + "\n",
		"[t](javascript:alert(1))":             "<p>[t](javascript:alert(1))</p>\n",
		"[t](//evil.example)":                  "<p>[t](//evil.example)</p>\n",
		"2 * 3 * 4 and a*b":                    "<p>2 * 3 * 4 and a*b</p>\n",
		"<b>bold</b> & <script>x</script>":     "<p>&lt;b&gt;bold&lt;/b&gt; &amp; &lt;script&gt;x&lt;/script&gt;</p>\n",
		"```\na  <b>\n\tc\n```":                "<div class=\"scroll\" tabindex=\"0\"><pre><code>a  &lt;b&gt;\n    c</code></pre></div>\n",
		"**unfinished and `also":               "<p>**unfinished and `also</p>\n",
		"[<img src=x onerror=y>](https://e.e)": `<p><a href="https://e.e" rel="noopener">&lt;img src=x onerror=y&gt;</a></p>` + "\n",
		"":                                     "",
	} {
		if got := prose(t, in); got != want {
			t.Errorf("prose(%q) = %q, want %q", in, got, want)
		}
	}
}

// Whatever a text of the user's holds, it reads as it was typed.
func TestLiteral(t *testing.T) {
	for _, text := range []string{"[free money](https://evil.example)", "**bold** *em* `code`", `a\[b](c)`, `\`, `\\*`, "- item", "1. item", "x\n- y", "Größe <b>"} {
		want := "<p>" + html.EscapeString(strings.ReplaceAll(text, "\n", " ")) + "</p>\n"
		if got := prose(t, report.Literal(text)); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
		if got, want := prose(t, "**"+report.Literal(text)+"**"), "<p><strong>"+html.EscapeString(strings.ReplaceAll(text, "\n", " "))+"</strong></p>\n"; got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}

func TestHostileTextIsInert(t *testing.T) {
	evil := `<script>alert(1)</script><img src=x onerror=alert(1)>" onload="alert(1)`
	chart := report.Bars(evil, report.Axis{Label: evil}, []string{evil, evil}, report.BarSeries{Name: evil, Values: []float64{1, 2}}, report.BarSeries{Name: evil, Values: []float64{1, 2}})
	chart.Note, chart.Alt = evil, evil
	table := &report.Table{Title: evil, Columns: []report.Column{{Name: evil, Unit: evil}}, Rows: [][]any{{evil}}, Notes: []string{evil}}
	p := &report.Page{Title: evil, Lead: evil, Facts: []report.Fact{{evil, evil}}, Footer: evil}
	for range 4 {
		p.Add(evil, evil, chart, table, report.Text(evil), report.Code(evil), report.Callout{evil, evil}, report.Beside{chart, table})
	}
	data, err := p.HTML()
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(data, []byte("<script")); n != 1 {
		t.Errorf("%d scripts in the page, want its own only", n)
	}
	inTag := regexp.MustCompile(`<[a-z]+[^<>"]*("[^"]*"[^<>"]*)*\son(error|load)\s*=`)
	if m := inTag.Find(data); m != nil || bytes.Contains(data, []byte("<img")) {
		t.Errorf("active text: %q", m)
	}
}
