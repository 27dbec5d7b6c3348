package tolerant

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/fixture"
	"gonum.org/v1/gonum/mat"
)

// describeColumns is what columns were taken for, in a line each.
func describeColumns(table *tolerant.Table) string {
	var b strings.Builder
	for _, c := range table.Columns {
		b.WriteString(c.Name + " " + c.Kind.String() + "\n")
	}
	return b.String()
}

func remarksOf(table *tolerant.Table) string {
	var all []string
	for _, r := range table.Remarks {
		all = append(all, r.Text)
	}
	return strings.Join(all, " ")
}

func TestJSON(t *testing.T) {
	lines := `{"a": 1, "b": "x", "c": {"d": true, "e": null}}
{"a": 2.5, "b": "y", "f": [1, {"g": 2}]}

{"b": "x", "a": "3", "c": {"d": false, "e": 7}}
{"b": "y", "a": 4}
`
	array := "[" + strings.ReplaceAll(strings.TrimSpace(strings.ReplaceAll(lines, "\n\n", "\n")), "\n", ",\n") + "]"
	for name, text := range map[string]string{"lines": lines, "array": array} {
		table := open(t, tolerant.Options{}, save(t, "data.json", text))
		if got, want := describeColumns(table), "a number\nb category\nc.d boolean\nc.e number\nf text\n"; got != want || table.Rows != 4 {
			t.Errorf("%s: %d rows of\n%s", name, table.Rows, got)
			continue
		}
		if c := table.Columns[0]; !sameValues(c.Values, []float64{1, 2.5, 3, 4}) || table.Text(1, 4) != `[1,{"g": 2}]` {
			t.Errorf("%s: %v and %q", name, c.Values, table.Text(1, 4))
		}
		if _, line := table.Place(2); name == "lines" && line != 4 {
			t.Errorf("the third row stands in line %d", line)
		}
	}
	for text, want := range map[string]int{ // a member for each column, even where all are numbered, or is alone
		`{"0": {"0": 1, "1": 2, "2": 3}, "1": {"0": 5, "1": 6, "2": 7}}`: 2,
		`{"x": [1, 2, 5]}`: 1,
	} {
		if table := open(t, tolerant.Options{}, save(t, "columns.json", text)); table.Rows != 3 || len(table.Columns) != want {
			t.Errorf("%s: %d rows of %d columns", text, table.Rows, len(table.Columns))
		}
	}
	if table := open(t, tolerant.Options{}, save(t, "cut.jsonl", lines+`{"a": 5, "b`)); table.Rows != 4 || !strings.Contains(remarksOf(table), "cut off") {
		t.Errorf("%d rows; %s", table.Rows, remarksOf(table))
	}
}

const small = "name;size\nanna;1,5\nben;2,25\nanna;3\nben;4\n"

func TestEncodingsAndPacking(t *testing.T) {
	text := strings.ReplaceAll(small, "anna", "änne")
	units := utf16.Encode([]rune(text))
	sixteen := func(big bool) string {
		var b []byte
		for _, u := range units {
			if big {
				b = append(b, byte(u>>8), byte(u))
			} else {
				b = append(b, byte(u), byte(u>>8))
			}
		}
		return string(b)
	}
	var packed, archive bytes.Buffer
	g := gzip.NewWriter(&packed)
	g.Write([]byte(text))
	g.Close()
	z := zip.NewWriter(&archive)
	for _, name := range []string{"__MACOSX/._a.csv", "folder/a.csv", "readme.md", "readme.txt"} {
		w, _ := z.Create(name)
		w.Write([]byte(text))
	}
	z.Close()
	for name, written := range map[string]string{
		"utf-8": text, "mark": "\ufeff" + text, "crlf": strings.ReplaceAll(text, "\n", "\r\n"), "cr": strings.ReplaceAll(text, "\n", "\r"),
		"windows": strings.ReplaceAll(text, "ä", "\xe4"), "16le": sixteen(false), "16be": sixteen(true), "16le mark": "\xff\xfe" + sixteen(false), "16be mark": "\xfe\xff" + sixteen(true),
		"no end": strings.TrimSuffix(text, "\n"), "blank lines": strings.ReplaceAll(text, "\n", "\n\n") + "\n \n", "gz": packed.String(), "zip": archive.String(),
		"separator": "sep=;\r\n" + text,
	} {
		table := open(t, tolerant.Options{}, save(t, "data.csv", written))
		if got := describeColumns(table); got != "name category\nsize number\n" || table.Rows != 4 {
			t.Errorf("%s: %d rows of\n%s", name, table.Rows, got)
			continue
		}
		if !slices.Equal(table.Columns[0].Levels, []string{"ben", "änne"}) || !sameValues(table.Columns[1].Values, []float64{1.5, 2.25, 3, 4}) {
			t.Errorf("%s: %q %v", name, table.Columns[0].Levels, table.Columns[1].Values)
		}
	}
}

func TestSeveralFiles(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"1.csv": "a,b\n1,2\n3,4\n", "2.csv": "b;c\n5;6\n7;8\n", "3.tsv": "a\tb\n9\t10\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	table := open(t, tolerant.Options{}, filepath.Join(folder, "*.csv"), filepath.Join(folder, "3.tsv"))
	want := [][]float64{{1, 3, nan, nan, 9}, {2, 4, 5, 7, 10}, {nan, nan, 6, 8, nan}}
	for j, c := range table.Columns {
		if !sameValues(c.Values, want[j]) {
			t.Errorf("column %q: %v", c.Name, c.Values)
		}
	}
	if name, line := table.Place(3); filepath.Base(name) != "2.csv" || line != 3 || table.Text(3, 2) != "8" || table.Text(0, 2) != "" {
		t.Errorf("row 4 is line %d of %s", line, name)
	}
	if remarks := remarksOf(table); !strings.Contains(remarks, "2.csv has column c") || !strings.Contains(remarks, "2.csv lacks column a") {
		t.Error(remarks)
	}
}

func TestFormatsOfNumbers(t *testing.T) {
	set := &dataset.Set{X: mat.NewDense(3, 2, []float64{1, 2, math.NaN(), 4, 5.5, 6}), Columns: []string{"p", "q"}}
	for _, ending := range []string{".parquet", ".npz"} {
		path := filepath.Join(t.TempDir(), "data"+ending)
		if err := file.Write(path, set, file.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		table := open(t, tolerant.Options{}, path)
		if c := table.Columns[0]; c.Name != "p" || c.Kind != tolerant.Number || !sameValues(c.Values, []float64{1, nan, 5.5}) || c.Missing != 1 || table.Text(2, 0) != "5.5" {
			t.Errorf("%s: %+v", ending, c)
		}
	}
}

// testdata/orders.xlsx was written by github.com/xuri/excelize v2.11: an empty sheet, one with a title, a blank row, dates and
// times by style, an error, rich texts and formulas without values, and a third.
func TestWorkbook(t *testing.T) {
	table := open(t, tolerant.Options{}, fixture.Path(t, "orders.xlsx"))
	want := "Order id\nDate date\nShipped date\nPrice number\nShare number\nPaid boolean\nNote category\nSum empty\nComment text\n"
	if got := describeColumns(table); got != want || table.Rows != 6 {
		t.Fatalf("%d rows of\n%s", table.Rows, got)
	}
	c := table.Columns
	if c[1].Values[0] != 1706400000 || c[2].Values[1] != 1709476200 || c[3].Values[1] != 1234.5+1.0/7 || c[3].Missing != 1 || c[6].Levels[0] != "see page" || table.Text(2, 0) != "A<3>" {
		t.Errorf("%v %v %v %v %q", c[1].Values, c[2].Values, c[3].Values, c[6].Levels, table.Text(2, 0))
	}
	if table.Text(3, 8) != "late & lost" {
		t.Errorf("comment %q", table.Text(3, 8))
	}
	if _, line := table.Place(0); line != 4 {
		t.Errorf("the first row stands in row %d", line)
	}
	for _, part := range []string{`"Orders of 2024"`, `6 formulas have no value`, `Sheet "Orders" was read; the workbook has also Sheet1, Other & more.`} {
		if !strings.Contains(remarksOf(table), part) {
			t.Errorf("remarks lack %s: %s", part, remarksOf(table))
		}
	}
	if other := open(t, tolerant.Options{Sheet: "3", Header: "no"}, fixture.Path(t, "orders.xlsx")); other.Rows != 1 || len(other.Columns) != 1 {
		t.Errorf("the third sheet: %d rows, %d columns", other.Rows, len(other.Columns))
	}
}
