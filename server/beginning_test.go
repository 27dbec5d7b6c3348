package server

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// A preview of a large text looks at its beginning alone: what it would need of the whole is not asked for.
func TestPreviewOfALargeText(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data.csv")
	line := strings.Repeat("1234567,", 15) + "abc\n"
	text := strings.Repeat("h,", 15) + "k\n" + strings.Repeat(line, mostSeen/len(line)+9)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	part, err := newBeginning(path)
	if err != nil || part == nil || part.bytes > mostSeen || part.bytes < mostSeen-int64(len(line)) || text[part.bytes-1] != '\n' {
		t.Fatalf("%v: %+v", err, part)
	}
	options := tolerant.Options{FS: part, Limit: 50}
	if need := tolerant.Need(t.Context(), []string{part.name()}, options); need < part.bytes || need > 8*part.bytes {
		t.Errorf("%d bytes of memory for %d", need, part.bytes)
	}
	seen, err := tolerant.Open(context.Background(), []string{part.name()}, options)
	if err != nil || seen.Rows != 50 || len(seen.Columns) != 16 || seen.Text(0, 15) != "abc" {
		t.Fatalf("%v: %+v", err, seen)
	}
	for _, other := range []string{"\x1f\x8b", "PK\x03\x04", "\ufeff[", "a\x00"} { // which are read as a whole
		if err := os.WriteFile(path, []byte(other+text), 0o600); err != nil {
			t.Fatal(err)
		}
		if part, err := newBeginning(path); err != nil || part != nil {
			t.Errorf("%q: %v, %v", other, part, err)
		}
	}
	before := free
	free = func() int64 { return 5 * mostSeen } // the whole would take more
	t.Cleanup(func() { free = before })
	_, c := began(t, Options{Limits: Limits{Silence: time.Minute}})
	var u Upload
	c.must(201, "POST", "/api/v1/uploads?name=large.csv", text+text, &u)
	var p Preview
	if c.must(200, "GET", "/api/v1/uploads/"+u.ID+"/preview", nil, &p); p.Whole || p.Rows != previewRows || len(p.Columns) != 16 {
		t.Errorf("%d rows, %d columns, whole %v", p.Rows, len(p.Columns), p.Whole)
	}
}
