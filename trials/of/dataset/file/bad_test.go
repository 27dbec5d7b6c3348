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
