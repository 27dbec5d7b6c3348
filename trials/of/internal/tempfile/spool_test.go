package tempfile

import (
	"bytes"
	"os"
	"runtime"
	"testing"

	"github.com/inlier-ml/inlier/internal/tempfile"
)

// TestSpool keeps the order of little and much, and leaves no file.
func TestSpool(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, pieces := range []int{0, 3, 5000} {
		var s tempfile.Spool
		var want, got bytes.Buffer
		for i := range pieces {
			piece := bytes.Repeat([]byte{byte(i)}, 1+i%1000)
			want.Write(piece)
			if _, err := s.Write(piece); err != nil {
				t.Fatal(err)
			}
		}
		if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 && runtime.GOOS != "windows" {
			t.Errorf("%d pieces: a file has a name, which stays if the program is ended", pieces)
		}
		if n, err := s.WriteTo(&got); err != nil || n != int64(want.Len()) || !bytes.Equal(got.Bytes(), want.Bytes()) {
			t.Errorf("%d pieces: %d bytes, want %d (%v)", pieces, got.Len(), want.Len(), err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if left, _ := os.ReadDir(os.TempDir()); len(left) > 0 {
		t.Errorf("%d files are left", len(left))
	}
}
