package file

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/fixture"
)

// flags names options as a command line does.
func flags(option string) string { return "--" + option }

func packed(t testing.TB, content string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestBadPaths(t *testing.T) {
	folder := t.TempDir()
	for path, want := range map[string]string{
		"":                             "no file is named",
		filepath.Join(folder, "no"):    "there is no such file",
		folder:                         "a folder without images",
		filepath.Join(folder, "a/b/c"): "there is no such file",
	} {
		_, err := file.Open(path, file.Options{})
		var input *dataset.InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", path, err, want)
		}
	}
	if _, err := file.Open(folder, file.Options{Format: file.CSV}); err == nil || !strings.Contains(err.Error(), "a folder where a csv file is meant") {
		t.Error(err)
	}
	if os.Getuid() != 0 {
		path := write(t, "secret.csv", "a\n1\n")
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
		if _, err := file.Open(path, file.Options{}); err == nil || !strings.Contains(err.Error(), "no permission") {
			t.Error(err)
		}
	}
}

// A compressed file that unpacks to far more than its size is stopped.
func TestCompressedBomb(t *testing.T) {
	bomb := packed(t, "a,b\n"+strings.Repeat("1,2\n", 1<<20))
	path := write(t, "bomb.csv.gz", bomb)
	_, err := file.Read(context.Background(), path, file.Options{MaxBytes: 1 << 20})
	if err == nil || !strings.Contains(err.Error(), "unpacks to more than 1048576") {
		t.Error(err)
	}
	if s := read(t, path, file.Options{}); s.Rows() != 1<<20 {
		t.Errorf("%d rows", s.Rows())
	}
}

// Whatever is wrong with a file is said in one line that names the place.
func TestBadInput(t *testing.T) {
	for _, c := range []struct {
		name, file, content string
		opts                file.Options
		want, hint          string
	}{
		{"empty", "a.csv", "", file.Options{}, "a.csv: the file is empty", ""},
		{"blank", "a.csv", "\n\n \n", file.Options{}, "a.csv: the file has no rows", ""},
		{"empty gz", "a.csv.gz", packed(t, ""), file.Options{}, "the file is empty", ""},
		{"header only", "a.csv", "a,b\n", file.Options{}, "column names but no rows", ""},
		{"ragged", "a.csv", "a,b\n1,2\n3\n", file.Options{}, "a.csv:3: this line has 1 field where 2 are expected", "comma"},
		{"ragged long", "a.csv", "a,b\n1,2\n3,4,5\n", file.Options{}, "a.csv:3: this line has 3 fields where 2 are expected", ""},
		{"text", "sales.csv", "price,n\n1,2\n2,3\n3,3\nn/a,1\n5,1\n", file.Options{}, `sales.csv:5: column "price": "n/a" is not a number`, "correct the cell"},
		{"few numbers and a mark", "few.csv", "price,n\n1,2\n2,3\n1,3\nN/A,1\n2,1\n1,1\n2,2\n", file.Options{}, `few.csv:5: column "price": "N/A" is not a number`, "correct the cell"},
		{"text column", "a.csv", "a,b\nx,1\ny,2\n", file.Options{}, `a.csv:2: column "a": "x" is not a number`, "--categorical"},
		{"thousands beside decimal commas", "a.csv", "a;b\n3,5;2\n1.252,5;3\n", file.Options{DecimalComma: true}, `a.csv:3: column "a": "1.252,5" is not a number`, "write 1252,5 instead of 1.252,5"},
		{"thousands or thousandths", "a.csv", "a;b\n3,5;2\n-1.252;3\n", file.Options{DecimalComma: true}, `a.csv:3: column "a": "-1.252" is not a number`, "write -1252 or -1,252 instead of -1.252"},
		{"a wrong line among returns", "a.csv", "a,b\r1,2\r3\r", file.Options{}, "a.csv:3: this line has 1 field where 2 are expected", "the delimiter is the comma"},
		{"decimal comma", "a.csv", "a;b\n1,5;2\n", file.Options{}, `a.csv:2: column "a": "1,5" is not a number`, "--decimal-comma"},
		{"missing", "a.csv", "a,b\n1,2\n\n3,\n", file.Options{}, `a.csv:4: column "b": the value is missing`, ""},
		{"infinite", "a.csv", "a,b\n1,inf\n", file.Options{}, `a.csv:2: column "b": "inf" is not a finite number`, ""},
		{"too large", "a.csv", "a,b\n1,1e999\n", file.Options{}, `column "b": "1e999" is not a finite number`, ""},
		{"same names", "a.csv", "a,b,a\n1,2,3\n", file.Options{}, `columns 1 and 3 are both named "a"`, "--header no"},
		{"open quotation", "a.csv", "a,b\n1,2\n\"3,4\n5,6\n", file.Options{}, "a.csv:3: a quotation that begins here is never closed", ""},
		{"after quotation", "a.csv", "a,b\n\"1\"2,2\n", file.Options{}, "a.csv:2: text follows a closed quotation", ""},
		{"no target", "a.csv", "price,b\n1,2\n", file.Options{Target: "prize"}, `there is no column "prize"; the file has price, b`, `did you mean "price"?`},
		{"target number", "a.csv", "a,b\n1,2\n", file.Options{Target: "3"}, "there is no column 3; the file has 2", ""},
		{"target missing", "a.csv", "a,b\n1,2\n2,\n", file.Options{Target: "b", Missing: file.MissingKeep}, `a.csv:3: column "b": the target is missing`, ""},
		{"text for regression", "a.csv", "a,b\n1,x\n2,y\n", file.Options{Target: "b", Task: dataset.TaskRegression}, `a.csv:2: column "b": "x" is not a number`, "regression"},
		{"only target", "a.csv", "b\n1\n", file.Options{Target: "b"}, "no column is left", ""},
		{"columns missing", "a.csv", "a,b\n1,2\n", file.Options{Columns: []string{"a", "c", "d"}}, "columns c, d are missing; the file has a, b", ""},
		{"columns too few", "a.csv", "1,2\n3,4\n", file.Options{Columns: []string{"a", "b", "c"}}, "names no columns and has 2 where 3 are expected", "a, b, c"},
		{"shape", "a.csv", "a,b\n1,2\n", file.Options{Shape: "2x2"}, "shape 2x2 needs 4 columns, but there are 2", ""},
		{"bad shape", "a.csv", "a,b\n1,2\n", file.Options{Shape: "2y2"}, `shape "2y2" is not a list of lengths`, ""},
		{"bad option", "a.csv", "a\n1\n", file.Options{Missing: "ignore"}, `missing is "ignore"; it can be error or keep`, ""},
		{"bad format", "a.csv", "a\n1\n", file.Options{Format: "xls"}, `format "xls" is not known`, ""},
		{"too many cells", "a.csv", "a,b\n1,2\n3,4\n", file.Options{MaxCells: 3}, "more than the allowed 3 cells", ""},
		{"spreadsheet", "a.xls", "\xd0\xcf\x11\xe0rest", file.Options{}, "looks like an old Excel workbook", "CSV"},
		{"utf16", "a.csv", "\xff\xfea\x00", file.Options{}, "UTF-16", "UTF-8"},
		{"binary", "a.csv", "a\x00\x01\x02b", file.Options{}, "a binary file of an unknown kind", ""},
		{"damaged gz", "a.csv.gz", packed(t, "a,b\n1,2\n")[:20], file.Options{}, "the compressed file is cut off", ""},
		{"foreign npy", "a.npy", "\x93NUMPY\x01\x00\x05\x00hello", file.Options{}, "the NPY header is not a dictionary", ""},
		{"cut zip", "a.npz", "PK\x03\x04 and no more", file.Options{}, "not a whole zip archive", ""},
		{"cut parquet", "a.parquet", "PAR1 and no more", file.Options{}, "the Parquet file is cut off", ""},
		{"parquet footer", "a.parquet", "PAR1\x00\x00\x00\x00\xff\xff\xff\x7fPAR1", file.Options{}, "claims 2147483647 bytes", ""},
		{"cut idx", "a.idx", "\x00\x00\x08\x03\x00\x00\x00\x01", file.Options{}, "ends inside its header", ""},
		{"idx of 10 GB", "a.idx", "\x00\x00\x08\x03\x00\x98\x96\x80\x00\x00\x00\x20\x00\x00\x00\x20abc", file.Options{}, "the header claims 10240000016 bytes, but the file has only 19", ""},
		{"idx overflow", "a.idx", "\x00\x00\x0E\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", file.Options{}, "too large for any file", ""},
		{"idx gz of 10 GB", "a.idx.gz", packed(t, "\x00\x00\x08\x03\x00\x98\x96\x80\x00\x00\x00\x20\x00\x00\x00\x20abc"), file.Options{}, "which a compressed file of", ""},
		{"libsvm text", "a.svm", "1 1:2\n1 2:x\n", file.Options{Format: file.LIBSVM}, `a.svm:2: "2:x" is not a pair`, ""},
		{"libsvm twice", "a.svm", "1 1:2 1:3\n", file.Options{}, "a.svm:1: index 1 comes twice", ""},
		{"libsvm index", "a.svm", "1 4000000000:1\n", file.Options{}, "a.svm:1: index 4000000000 is larger", ""},
		{"cut image", "a.pgm", "P5 4 4 255 abc", file.Options{}, "the image is cut off", ""},
		{"huge image", "a.pgm", "P5 1000000 1000000 255 abc", file.Options{}, "the image is cut off", ""},
		{"cut png", "a.png", "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR", file.Options{}, "the image is cut off", ""},
		{"list of nothing", "a.txt", "b.png\n", file.Options{}, "b.png: there is no such file", ""},
	} {
		path := write(t, c.file, c.content)
		_, err := file.Read(context.Background(), path, c.opts)
		var input *dataset.InputError
		if !errors.As(err, &input) {
			t.Errorf("%s: %v is no InputError", c.name, err)
			continue
		}
		if !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), "dataset: ") {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
		if !strings.Contains(input.Advice(flags), c.hint) {
			t.Errorf("%s: hint %q, want %q", c.name, input.Advice(flags), c.hint)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, path := range []string{write(t, "a.csv", "a,b\n1,2\n"), fixture.Path(t, "both.npz"), fixture.Path(t, "mixed_none.parquet"), fixture.Path(t, "sparse.libsvm")} {
		if _, err := file.Read(ctx, path, file.Options{Columns: nil, Drop: nil}); err == nil {
			t.Errorf("%s: read although cancelled", path)
		}
	}
}
