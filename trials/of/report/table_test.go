package report

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/inlier-ml/inlier/report"
	"github.com/rivo/uniseg"
)

func sampleTable() *report.Table {
	t := &report.Table{
		Title: "Angles",
		Columns: []report.Column{{Name: "method"}, {Name: "angle", Unit: "deg", Format: "%.2f", Best: report.Lowest},
			{Name: "score", Best: report.Highest}, {Name: "steps"}, {Name: "remark"}},
		Notes: []string{"ten draws"},
	}
	return t.Add("pca", report.Spread{41.7, 3.25}, 0.5, 1, "follows the outliers wherever they go").
		Add("pca-kmpe", report.Spread{1.3, 0.125}, 0.9, 17, nil).
		Add("pca-gm", report.Spread{1.3, 0.5}, math.NaN(), 9)
}

func TestTableText(t *testing.T) {
	want := `Angles
method      angle (deg)  score  steps  remark
--------  -------------  -----  -----  -------------------------------------
pca       41.70 ± 3.25    0.5       1  follows the outliers wherever they go
pca-kmpe   1.30 ± 0.12*   0.9*     17
pca-gm     1.30 ± 0.50*     -       9
ten draws
`
	got := sampleTable().Text(report.TextOptions{})
	if d := cmp.Diff(want, strings.ReplaceAll(got, "─", "-")); d != "" {
		t.Errorf("text differs:\n%s", d)
	}
	if strings.Contains(got, "\x1b") {
		t.Error("colour without being asked")
	}
	if !strings.Contains(sampleTable().Text(report.TextOptions{Color: true}), "\x1b[1;32m1.30 ± 0.12\x1b[0m") {
		t.Error("no colour when asked")
	}
}

func TestTableTextFitsTheTerminal(t *testing.T) {
	table := sampleTable()
	table.Add("方法", "文字列はとても長いので折り返す", 1, 1, "e\u0301 combining and verylongwordwithoutanybreakatall")
	for _, width := range []int{72, 60, 45, 38} {
		for _, ascii := range []bool{false, true} {
			text := table.Text(report.TextOptions{Width: width, ASCII: ascii})
			for _, line := range strings.Split(text, "\n") {
				if w := uniseg.StringWidth(line); w > width {
					t.Errorf("width %d: a line of %d: %q", width, w, line)
				}
			}
			for _, word := range []string{"pca-kmpe", "1.30", "17", "follows", "wherever", "outliers"} {
				if !strings.Contains(text, word) {
					t.Errorf("width %d: %q is lost:\n%s", width, word, text)
				}
			}
			for _, r := range text {
				if ascii && r > 126 {
					t.Fatalf("%q in ASCII text:\n%s", r, text)
				}
			}
		}
	}
}

func TestTableTextObeysNoControlCharacters(t *testing.T) {
	table := &report.Table{Columns: []report.Column{{Name: "a\x1b[31m"}}, Rows: [][]any{{"x\x1b]0;title\x07\r\nrm"}}}
	if text := table.Text(report.TextOptions{}); strings.ContainsAny(text, "\x1b\x07\r") {
		t.Errorf("control characters pass: %q", text)
	}
}

func TestTableAcross(t *testing.T) {
	table := &report.Table{Across: true, Columns: []report.Column{{Name: "data"}, {Name: "relm", Best: report.Lowest, Format: "%.3f"}, {Name: "kmpe", Best: report.Lowest, Format: "%.3f"}}}
	table.Add("servo", 0.12, 0.11).Add("airfoil", 0.05, 0.0504)
	want := "| data | relm | kmpe |\n|---|---:|---:|\n| servo | 0.120 | **0.110** |\n| airfoil | **0.050** | 0.050 |\n"
	if d := cmp.Diff(want, table.Markdown()); d != "" {
		t.Error(d)
	}
}

// A long text that gets a block of its own uses the whole width.
func TestBlocksUseTheWidth(t *testing.T) {
	table := &report.Table{Columns: []report.Column{{Name: "row"}}}
	cells := []any{1}
	for range 6 {
		table.Columns, cells = append(table.Columns, report.Column{Name: "a_long_heading"}), append(cells, 1.5)
	}
	table.Columns, cells = append(table.Columns, report.Column{Name: "why"}), append(cells, strings.Repeat("word ", 8))
	table.Add(cells...)
	text := table.Text(report.TextOptions{Width: 80})
	if !strings.Contains(text, strings.TrimSpace(strings.Repeat("word ", 8))) {
		t.Errorf("the text is broken although there is room:\n%s", text)
	}
	for line := range strings.Lines(text) {
		if len(strings.TrimSuffix(line, "\n")) > 80 && !strings.Contains(line, "─") {
			t.Errorf("%q is wider than the terminal", line)
		}
	}
}

func TestTableData(t *testing.T) {
	data, err := sampleTable().CSV()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(string(data))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{
		{"method", "angle (deg)", "angle (deg) sd", "score", "steps", "remark"},
		{"pca", "41.7", "3.25", "0.5", "1", "follows the outliers wherever they go"},
		{"pca-kmpe", "1.3", "0.125", "0.9", "17", ""},
		{"pca-gm", "1.3", "0.5", "", "9", ""},
	}
	if d := cmp.Diff(want, rows); d != "" {
		t.Error(d)
	}
	text, err := json.Marshal(sampleTable())
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Title   string
		Columns []struct{ Name, Unit string }
		Rows    []map[string]any
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.Columns[1].Unit != "deg" || doc.Rows[1]["steps"] != 17.0 || doc.Rows[2]["score"] != nil ||
		doc.Rows[0]["angle"].(map[string]any)["sd"] != 3.25 {
		t.Errorf("JSON is %s", text)
	}
}

func TestTableHTML(t *testing.T) {
	table := sampleTable()
	table.Rows[0][0] = `<script>alert("1")</script>`
	names, text := elements(t, []byte("<x>"+table.HTML()+"</x>"))
	if names["script"] != 0 || names["strong"] != 3 || names["th"] != 5 || names["tr"] != 4 {
		t.Errorf("elements are %v", names)
	}
	if !strings.Contains(text, `<script>alert("1")</script>`) {
		t.Error("the text of the cell is lost")
	}
}

func TestEmptyTable(t *testing.T) {
	for _, table := range []*report.Table{{}, {Columns: []report.Column{{Name: "a"}}}} {
		table.Text(report.TextOptions{Width: 10})
		table.Markdown()
		elements(t, []byte("<x>"+table.HTML()+"</x>"))
		if _, err := table.CSV(); err != nil {
			t.Error(err)
		}
		if _, err := json.Marshal(table); err != nil {
			t.Error(err)
		}
	}
}
