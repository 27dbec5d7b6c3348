package file

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
)

func TestRemarksAboveATable(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		header  file.Header
		columns []string
		rows    int
		first   float64
	}{
		"one remark":              {"# made by a balance\na,b\n1,2\n3,4\n", "", []string{"a", "b"}, 2, 1},
		"commas in remarks":       {"# one, two\n# three, four\na,b\n1,2\n3,4\n", "", []string{"a", "b"}, 2, 1},
		"mark and blank lines":    {"\ufeff# made\n\n# again\n\na,b\n1,2\n3,4\n", "", []string{"a", "b"}, 2, 1},
		"a quotation mark":        {"# 5\" pipe, \"open\na;b\r\n1;2\r\n3;4\r\n", "", []string{"a", "b"}, 2, 1},
		"names with the sign":     {"# made by\n#a,b\n1,2\n3,4\n", "", []string{"#a", "b"}, 2, 1},
		"no names":                {"# made by\n1 2\n3 4\n", "", []string{"x1", "x2"}, 2, 1},
		"a spreadsheet's line":    {"sep=;\r\na;b\r\n1;2\r\n3;4\r\n", "", []string{"a", "b"}, 2, 1},
		"a column of that name":   {"sep=\n1\n2\n", "", []string{"sep="}, 2, 1},
		"one column":              {"# made by\na\n1\n2\n", "", []string{"a"}, 2, 1},
		"one column, a name":      {"# a\n1\n2\n", "", []string{"# a"}, 2, 1},
		"rows that begin with it": {"#ff,1\n#00,2\nred,3\n", file.HeaderNo, []string{"x1", "x2"}, 3, 1},
		"names of texts":          {"#colour,size\n#ff,1\n#00,2\n", "", []string{"#colour", "size"}, 2, 1},
		"only such rows":          {"#ff,1\n#00,2\n", file.HeaderNo, []string{"x1", "x2"}, 2, 1},
	} {
		path := filepath.Join(t.TempDir(), "a.csv")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		set, err := file.Read(t.Context(), path, file.Options{Header: c.header, Categorical: file.Ordinal})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !slices.Equal(set.Columns, c.columns) || set.Rows() != c.rows || set.X.At(0, 0) != c.first {
			t.Errorf("%s: columns %q, %d rows, first %g", name, set.Columns, set.Rows(), set.X.At(0, 0))
		}
	}
}

// A wrong cell is named by its line in the file, and a remark among the rows is called one.
func TestLinesBelowRemarks(t *testing.T) {
	for text, want := range map[string]dataset.InputError{
		"# made\n# by\na,b\n1,2\n3,x\n5,6\n7,8\n": {Line: 5, Hint: "correct"},
		"a,b\n1,2\n# break\n3,4\n":                {Line: 3, Hint: "remarks"},
		"# made\na,b\n1,2\n3,\"4\n":               {Line: 4},
	} {
		_, err := file.Read(t.Context(), "-", file.Options{Input: strings.NewReader(text)})
		var got *dataset.InputError
		if !errors.As(err, &got) || got.Line != want.Line || !strings.Contains(got.Hint, want.Hint) {
			t.Errorf("%q: %v, %+v", text, err, got)
		}
	}
}

// What the hint says must be of use: texts that are numbers in disguise cannot be coded.
func TestOddTexts(t *testing.T) {
	for text, want := range map[string]string{
		"a,b\n\"1,200\",2\n\"3,400\",4\n":                                "write numbers plainly",
		"a,b\n10 %,2\n20 %,4\n":                                          "write numbers plainly",
		"a;b\n1.200,5;2\n3.400,5;4\n":                                    "write numbers plainly",
		"a,b\nred,2\nblue,4\n":                                           "code text columns",
		"[{\"a\": 1}, {\"a\": 2}]":                                       "save it as CSV",
		"{\"a\": 1}\n{\"a\": 2}\n":                                       "save it as CSV",
		"II*\x00\x08\x00\x00\x00":                                        "save it as PNG",
		"BM\x5e\x01\x00\x00\x00\x00\x00\x00\x36\x00\x00\x00\x28\x00\x00": "save it as PNG",
		"<!DOCTYPE html>\n<table><tr></table>":                           "save it as CSV",
	} {
		_, err := file.Read(t.Context(), "-", file.Options{Input: strings.NewReader(text)})
		var got *dataset.InputError
		if !errors.As(err, &got) || !strings.Contains(got.Hint, want) {
			t.Errorf("%q: %v, %+v", text, err, got)
		}
	}
}
