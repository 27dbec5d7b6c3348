package tolerant

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// What a packed text takes is told by what it becomes: one that shrinks to a hundredth was taken for 20 times its file.
func TestNeedOfPackedText(t *testing.T) {
	text := "a,b\n" + strings.Repeat("1,2\n", 1<<20)
	folder := t.TempDir()
	var gz, archive bytes.Buffer
	w := gzip.NewWriter(&gz)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	z := zip.NewWriter(&archive)
	inside, err := z.Create("t.csv")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = inside.Write([]byte(text))
	_ = z.Close()
	want := tolerant.Need(t.Context(), []string{put(t, folder, "t.csv", []byte(text))}, tolerant.Options{})
	for name, content := range map[string][]byte{"t.csv.gz": gz.Bytes(), "t.csv.zip": archive.Bytes(), "cut.csv.gz": {0x1f, 0x8b}} {
		got := tolerant.Need(t.Context(), []string{put(t, folder, name, content)}, tolerant.Options{})
		if got != want && name != "cut.csv.gz" {
			t.Errorf("%s of %d bytes: %d instead of %d", name, len(content), got, want)
		}
	}
}

func put(t *testing.T, folder, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
