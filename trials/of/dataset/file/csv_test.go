package file

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/inlier-ml/inlier/dataset/file"
)

// write makes a file in a folder of its own.
func write(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTextFiles(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name, text string
		opts       file.Options
		columns    []string
		rows       [][]float64
	}{
		{"plain", "a,b\n1,2\n3,4\n", file.Options{}, []string{"a", "b"}, [][]float64{{1, 2}, {3, 4}}},
		{"no last line end", "a,b\n1,2\n3,4", file.Options{}, []string{"a", "b"}, [][]float64{{1, 2}, {3, 4}}},
		{"windows", "\xef\xbb\xbfa,b\r\n1,2\r\n\r\n3,4\r\n", file.Options{}, []string{"a", "b"}, [][]float64{{1, 2}, {3, 4}}},
		{"no header", "1,2\n3,4\n", file.Options{}, []string{"x1", "x2"}, [][]float64{{1, 2}, {3, 4}}},
		{"numeric header", "1990,1991\n3,4\n", file.Options{Header: file.HeaderYes}, []string{"1990", "1991"}, [][]float64{{3, 4}}},
		{"half numeric header", "year,1990\n1,2\n3,4\n", file.Options{}, []string{"year", "1990"}, [][]float64{{1, 2}, {3, 4}}},
		{"tab", "a\tb\n1\t2\n", file.Options{}, []string{"a", "b"}, [][]float64{{1, 2}}},
		{"semicolon", "a;b\n1;2\n", file.Options{}, []string{"a", "b"}, [][]float64{{1, 2}}},
		{"bar", "a|b\n1|2\n", file.Options{}, []string{"a", "b"}, [][]float64{{1, 2}}},
		{"blanks", " 1   2.5\n-3  4e2\n", file.Options{}, []string{"x1", "x2"}, [][]float64{{1, 2.5}, {-3, 400}}},
		{"decimal comma", "a;b\n1,5;2\n", file.Options{DecimalComma: true}, []string{"a", "b"}, [][]float64{{1.5, 2}}},
		{"decimal comma and small points", "a;b\n1,5;0.125\n-2,5;12.5\n", file.Options{DecimalComma: true}, []string{"a", "b"}, [][]float64{{1.5, 0.125}, {-2.5, 12.5}}},
		{"lines end by returns", "a,b\r1,2\r3,4\r", file.Options{}, []string{"a", "b"}, [][]float64{{1, 2}, {3, 4}}},
		{"lines end by returns, packed", packed(t, "a b\r1 2\r3 4"), file.Options{}, []string{"a", "b"}, [][]float64{{1, 2}, {3, 4}}},
		{"one column", "a\n1\n2\n", file.Options{}, []string{"a"}, [][]float64{{1}, {2}}},
		{"quotes", "\"a, x\",\"b \"\"y\"\"\"\n\"1\",2\n3,\"4\"\n", file.Options{}, []string{"a, x", `b "y"`}, [][]float64{{1, 2}, {3, 4}}},
		{"line end in quotes", "\"a\nb\",c\n1,2\n", file.Options{}, []string{"a\nb", "c"}, [][]float64{{1, 2}}},
		{"mark inside a field", "5\" pipe,b\n1,2\n", file.Options{}, []string{`5" pipe`, "b"}, [][]float64{{1, 2}}},
		{"delimiter at line ends", "a,b,\n1,2,\n3,4,\n", file.Options{}, []string{"a", "b"}, [][]float64{{1, 2}, {3, 4}}},
		{"missing kept", "a,b\n1,\nNA,nan\nnull,?\n.,5\n", file.Options{Missing: file.MissingKeep}, []string{"a", "b"}, [][]float64{{1, nan}, {nan, nan}, {nan, nan}, {nan, 5}}},
		{"drop and number", "a,b,c\n1,x,3\n", file.Options{Drop: []string{"2"}, Header: file.HeaderYes}, []string{"a", "c"}, [][]float64{{1, 3}}},
		{"columns in another order", "a,b,c\n1,x,3\n", file.Options{Columns: []string{"c", "a"}, Header: file.HeaderYes}, []string{"c", "a"}, [][]float64{{3, 1}}},
		{"columns by position", "1,2\n3,4\n", file.Options{Columns: []string{"p", "q"}}, []string{"p", "q"}, [][]float64{{1, 2}, {3, 4}}},
		{"ordinal", "a,b\nz,1\ny,2\nz,3\n", file.Options{Categorical: file.Ordinal}, []string{"a", "b"}, [][]float64{{1, 1}, {0, 2}, {1, 3}}},
		{"numbers as text", "a,b\n10,1\n9,2\n", file.Options{Text: []string{"a"}, Categorical: file.OneHot}, []string{"a=9", "a=10", "b"}, [][]float64{{0, 1, 1}, {1, 0, 2}}},
		{"limit", "a\n1\n2\n3\n", file.Options{Limit: 2}, []string{"a"}, [][]float64{{1}, {2}}},
	} {
		s, err := file.Read(context.Background(), write(t, "data.txt", c.text), c.opts)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(c.columns, s.Columns); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		if diff := cmp.Diff(c.rows, rows(s), cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// A file of many blocks, parsed by several workers, reads in order, with right line
// numbers, in one piece and in blocks.
func TestLongText(t *testing.T) {
	var text strings.Builder
	text.WriteString("i,square,name\n")
	const n = 60000
	for i := range n {
		fmt.Fprintf(&text, "%d,%d,\"row\n%d\"\n", i, i*i, i%7)
	}
	path := write(t, "long.csv", text.String())
	s := read(t, path, file.Options{Target: "name"})
	if s.Rows() != n || len(s.Target.Classes) != 7 {
		t.Fatalf("%d rows, classes %q", s.Rows(), s.Target.Classes)
	}
	for i := range n {
		if s.X.At(i, 0) != float64(i) || s.X.At(i, 1) != float64(i*i) || s.Target.Class(i) != fmt.Sprintf("row\n%d", i%7) {
			t.Fatalf("row %d is %v, %q", i, s.X.RawRowView(i), s.Target.Class(i))
		}
	}
	_, err := file.Read(context.Background(), write(t, "wrong.csv", strings.Replace(text.String(), "\n54321,", "\n54321x,", 1)), file.Options{Target: "name"})
	want := fmt.Sprintf(`wrong.csv:%d: column "i": "54321x" is not a number`, 2+2*54321)
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}
