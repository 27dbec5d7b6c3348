package tolerant

import (
	"archive/zip"
	"bytes"
	"math"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/fixture"
)

// sound complains about what no table may be.
func sound(t *testing.T, table *tolerant.Table) {
	t.Helper()
	names := map[string]bool{}
	for j := range table.Columns {
		c := &table.Columns[j]
		if names[c.Name] {
			t.Errorf("the name %q stands twice", c.Name)
		}
		names[c.Name] = true
		if c.Missing < 0 || c.Missing+len(c.Misfits) > table.Rows || c.Sure < 0 || c.Sure > 1 || c.Kind == tolerant.Empty && c.Missing != table.Rows {
			t.Errorf("column %q: a %v of %d rows, %d missing, %d misfits, %v sure", c.Name, c.Kind, table.Rows, c.Missing, len(c.Misfits), c.Sure)
		}
		if aside := c.Kind == tolerant.Empty || c.Kind == tolerant.Identifier || c.Kind == tolerant.Text; aside != (c.Values == nil) && table.Rows > 0 {
			t.Errorf("column %q: a %v with values %v", c.Name, c.Kind, c.Values)
		}
		gaps := 0
		for i, v := range c.Values {
			switch {
			case v != v:
				gaps++
			case math.IsInf(v, 0):
				t.Errorf("column %q, row %d: %v", c.Name, i, v)
			case (c.Kind == tolerant.Category || c.Kind == tolerant.Boolean) && (v < 0 || int(v) >= len(c.Levels)):
				t.Errorf("column %q, row %d: level %v of %d", c.Name, i, v, len(c.Levels))
			}
		}
		if c.Values != nil && gaps != c.Missing+len(c.Misfits) {
			t.Errorf("column %q: %d gaps, %d missing, %d misfits", c.Name, gaps, c.Missing, len(c.Misfits))
		}
	}
	for i := range min(table.Rows, 5) {
		for j := range table.Columns {
			table.Text(i, j)
		}
		table.Place(i)
	}
}

// What is read does not depend on the number of workers.
func TestWorkersDoNotMatter(t *testing.T) {
	text := "id;day;city;x;y\n" + rowsOf(20000, func(i int) string {
		return []string{"", "A;03/04/2024;Rom;1,5;2", "B;05/04/2024;Bern;n/a;oops", "C;26/04/2024;Rom;-999;3", "D;01/04/2024;Oslo;7,25;4"}[1+i*i%4]
	})
	read := func(workers int) *tolerant.Table {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(workers))
		table := open(t, tolerant.Options{Input: strings.NewReader(text)}, "-")
		sound(t, table)
		for j := range table.Columns { // NaN is not equal to itself
			for i, v := range table.Columns[j].Values {
				if v != v {
					table.Columns[j].Values[i] = -12345
				}
			}
		}
		return table
	}
	if one, three := read(1), read(3); !reflect.DeepEqual(one, three) {
		t.Error("one worker reads otherwise than three")
	}
}

// FuzzOpen reads anything: a sound table or an error, never a crash.
func FuzzOpen(f *testing.F) {
	book, err := os.ReadFile(fixture.Path(f, "orders.xlsx"))
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{american, german, small, string(book), "a,b\n\"x\n\"y,1\n", "{\"a\": 1}\n{\"a\": [", "\xff\xfea\x00,\x00", "Total\n1\n2\n3\nTotal,6\n",
		"a b\n1 2 3\n\"4\" 5 6\n", "x;y\n1,5;(2)\n-;$5-\n;;;\n", "d\n1/2/24 3 pm\n2024-01-01T00:00Z\n", "\n#\n##,,\n1,2,3\n", "a,()\n( ),$()\n"} {
		f.Add(seed)
	}
	f.Fuzz(readsOrRefuses)
}

// readsOrRefuses reads a text: a sound table, or an error of one line.
func readsOrRefuses(t *testing.T, text string) {
	table, err := tolerant.Open(t.Context(), []string{"-"}, tolerant.Options{Input: strings.NewReader(text), MaxColumns: 1000})
	if err == nil {
		sound(t, table)
	} else if strings.Contains(err.Error(), "\n") {
		t.Errorf("an error of more than one line: %q", err)
	}
}

// FuzzJSON reads documents of every shape.
func FuzzJSON(f *testing.F) {
	for _, seed := range []string{`{"a": [1, 2], "b": ["x", null]}`, `{"data": [{"a": 1}, {"a": {"b": 2}}], "n": 2}`, `{"columns": ["a", "b"], "data": [[1, 2], [3, 4]]}`, `[["a", "b"], [1, NaN], [3]]`,
		"[1, 2]\n[3, 4]\n", `{"p": {"a": 1}, "q": {"a": 2, "b": 3}}`, `{"a": {"0": 1, "1": 2}, "b": {"1": 4}}`, `{"r": {"s": {"t": [{"u": -Infinity}]}}}`, `[{"a": 1}, {"a": [`} {
		f.Add(seed)
	}
	f.Fuzz(readsOrRefuses)
}

// FuzzSheet reads workbooks whose sheet is anything.
func FuzzSheet(f *testing.F) {
	const cells = `<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c><c r="B1" t="str"><v>b</v></c></row><row r="3" hidden="1"><c r="A3"><f>1+1</f><v>2</v></c><c r="B3" s="1"><v>45322.5</v></c></row>` +
		`<row r="4"><c t="e"><v>#N/A</v></c><c t="b"><v>1</v></c></row></sheetData><mergeCells><mergeCell ref="A3:A4"/></mergeCells>`
	f.Add(cells)
	f.Add(strings.ReplaceAll(cells, "B", "XFD"))
	f.Fuzz(func(t *testing.T, sheet string) {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for name, text := range map[string]string{"xl/workbook.xml": `<workbook><sheets><sheet name="s" id="1"/></sheets></workbook>`, "xl/worksheets/sheet1.xml": sheet,
			"xl/styles.xml": `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="22"/></cellXfs></styleSheet>`} {
			w, _ := z.Create(name)
			w.Write([]byte(text))
		}
		z.Close()
		readsOrRefuses(t, b.String())
	})
}
