package tolerant

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// rowsOf repeats a line with numbers in it.
func rowsOf(n int, line func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line(i) + "\n")
	}
	return b.String()
}

// Bad and odd files: each is a table that says what could not be used, or one line that says what is wrong.
func TestBadFiles(t *testing.T) {
	packed := func(text string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write([]byte(text))
		w.Close()
		return b.String()
	}
	wide := func(n int, cell string) string { return strings.Repeat(cell+",", n-1) + cell + "\n" }
	long := 40 // MB
	if os.Getenv("INLIER_CONFORMANCE") == "all" {
		long = 200
	}
	for name, c := range map[string]struct {
		text string
		want string // kinds of the columns, or the refusal after "!"
		rows int
	}{
		"empty":              {"", "!the file is empty", 0},
		"blanks":             {" \n\n \n", "!the file is empty", 0},
		"mark only":          {"\xef\xbb\xbf", "!the file", 0},
		"header only":        {"a,b,c\n", "!the file has column names but no rows", 0},
		"one row":            {"a,b\n1,2\n", "a number, b number", 1},
		"one cell":           {"5", "x1 number", 1},
		"one column":         {"v\n1\n2\n3\n", "v number", 3},
		"all text":           {"a,b\nthis is a remark of some length,x\nand here is another one of them,y\n", "a text, b text", 2},
		"all constant":       {"a,b\n" + rowsOf(30, func(int) string { return "1,x" }), "a number, b category", 30},
		"all missing":        {"a,b\n" + rowsOf(30, func(int) string { return "NA,-" }), "a empty, b empty", 30},
		"only delimiters":    {",,\n,,\n,,\n", "x1 empty, x2 empty, x3 empty", 3},
		"far":                {"a,b\n1e308,1\n-1e308,2\n1e309,3\n5,4\n", "a number, b number", 4},
		"long ids":           {"id,v\n" + rowsOf(30, func(i int) string { return fmt.Sprintf("41111111111111%02d,%d", i, i*i) }), "id id, v number", 30},
		"hex":                {"h,v\n" + rowsOf(30, func(i int) string { return fmt.Sprintf("0x%x,%d", i*i*7, i*i) }), "h number, v number", 30},
		"hashes":             {"h,v\n" + rowsOf(30, func(i int) string { return fmt.Sprintf("%08x,%d", uint32(i)*2654435761, i*i) }), "h id, v number", 30},
		"leading zeros":      {"zip,v\n" + rowsOf(30, func(i int) string { return fmt.Sprintf("0%d,%d", 1000+i%3, i*i) }), "zip category, v number", 30},
		"ragged":             {"a,b,c\n1,2,3\n4,5\n6,7,8,9\n1,2,3\n1,2,3,\n", "a number, b number, c number", 5},
		"open quotation":     {"a,b\n\"x,1\ny,2\nx,3\ny,4\nx,1\ny,1\n", "a category, b number", 6},
		"quotation inside":   {"a,b\n5\" pipe,1\n6\" pipe,2\n5\" pipe,3\n6\" pipe,4\n", "a category, b number", 4},
		"lines in cells":     {"a,b\n\"x\ny\",1\n\"z\",2\n\"x\ny\",3\nz,4\n", "a category, b number", 4},
		"text after quote":   {"a,b\n\"x\"y,1\n\"z\",2\n\"x\"y,3\nz,4\n", "a category, b number", 4},
		"title and remarks":  {"Report,,\n# made by hand\n\na,b,c\n1,2,3\n4,5,6\n", "a number, b number, c number", 2},
		"total":              {"a,b,c\nx,1,2\ny,3,4\nx,5,6\ny,7,8\nTotal,16,20\n", "a category, b number, c number", 4},
		"notes below":        {"a,b,c\nx,1,2\ny,3,4\nx,5,6\ny,7,8\n\nSource: nobody\n", "a category, b number, c number", 4},
		"no header":          {"1,2,x\n3,4,y\n5,6,x\n7,8,y\n", "x1 number, x2 number, x3 category", 4},
		"years above":        {"name,2019,2020\nx,1.5,2\ny,3.5,4\nx,1.5,2\ny,3.5,4\n", "name category, 2019 number, 2020 number", 4},
		"row names":          {"a b\n1 2 3\n4 5 6\n7 8 9\n", "column1 number, a number, b number", 3},
		"blanks between":     {"a   b\n1   2.5\n3   4.5\n", "a number, b number", 2},
		"zero bytes":         {"a,b\n1,2\x00\x00\n", "!this looks like a binary file", 0},
		"page":               {"<!DOCTYPE html><html><body>not found</body></html>", "!this looks like a page", 0},
		"broken JSON":        {`{"a": 1, "b": }`, "!this is no JSON", 0},
		"nested JSON":        {strings.Repeat(`{"a":`, 50) + "1" + strings.Repeat("}", 50), "!this is no JSON", 0},
		"numbers in JSON":    {"[1, 2, 3]", "x1 text, x2 number, x3 text", 1},
		"broken gzip":        {packed("a,b\n1,2\n")[:20], "!the compressed file is", 0},
		"gzip bomb":          {strings.Repeat(packed(strings.Repeat("0", 1<<20)), 70), "!it has not ended after", 0},
		"broken zip":         {"PK\x03\x04 and no more", "!the zip archive is damaged", 0},
		"5,000 columns":      {wide(5000, "c") + wide(5000, "1") + wide(5000, "2"), "number:5000", 2},
		"many columns":       {wide(200000, "1"), "!its lines have more than the allowed 131072 fields", 0},
		"a long line":        {strings.Repeat("x", long<<20), "!this line is longer than the allowed", 0},
		"a long line, later": {"a,b\n1,2\n" + strings.Repeat("x", long<<20), "!this line is longer than the allowed", 0},
		"mixed":              {"a\n" + rowsOf(40, func(i int) string { return []string{"1.5", "2024-01-05", "yes", "some words"}[i%4] }), "a category", 40},
		"binary":             {"\x00\x01\x02\x03\x04\xff\xfe\xfd", "!this looks like a binary file", 0},
		"carriage returns":   {"a,b\r\r\n1,2\r\r\n", "a number, b number", 1},
	} {
		table, err := tolerant.Open(t.Context(), []string{"-"}, tolerant.Options{Input: strings.NewReader(c.text)})
		if wanted, refused := strings.CutPrefix(c.want, "!"); refused {
			var input *dataset.InputError
			if !errors.As(err, &input) || !strings.Contains(input.Problem, wanted) || strings.Contains(input.Message(), "\n") {
				t.Errorf("%s: error %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := kindsOf(table); got != c.want || table.Rows != c.rows {
			t.Errorf("%s: %d rows of %s", name, table.Rows, got)
		}
	}
}

// kindsOf names the columns, or counts them where there are many.
func kindsOf(table *tolerant.Table) string {
	var all []string
	counts := map[tolerant.Kind]int{}
	for _, c := range table.Columns {
		all = append(all, c.Name+" "+c.Kind.String())
		counts[c.Kind]++
	}
	if len(all) > 100 {
		return strings.Trim(fmt.Sprint(counts), "map[]")
	}
	return strings.Join(all, ", ")
}

func TestCancelledReading(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tolerant.Open(ctx, []string{"-"}, tolerant.Options{Input: strings.NewReader("a\n1\n")}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// A workbook with a part that says it unpacks to more than is allowed is refused before that is done.
func TestHugePartOfAWorkbook(t *testing.T) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{"xl/workbook.xml", "[Content_Types].xml"} {
		w, err := z.CreateRaw(&zip.FileHeader{Name: name, CompressedSize64: 11, UncompressedSize64: 1 << 40})
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte("<workbook/>"))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	var input *dataset.InputError
	if _, err := tolerant.Open(t.Context(), []string{save(t, "huge.xlsx", b.String())}, tolerant.Options{}); !errors.As(err, &input) || !strings.Contains(err.Error(), "unpacks to more than is allowed") {
		t.Errorf("error %v", err)
	}
}
