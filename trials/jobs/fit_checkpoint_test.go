package jobs

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/catalog"
)

var errBroken = errors.New("the disk is gone")

// breaking is a file system that fails after so many bytes.
type breaking struct {
	fs.FS
	left *int
}

func (b breaking) Open(name string) (fs.File, error) {
	f, err := b.FS.Open(name)
	return &breakingFile{f, b.left}, err
}

type breakingFile struct {
	fs.File
	left *int
}

func (b *breakingFile) Read(p []byte) (int, error) {
	n, err := b.File.Read(p)
	return b.count(n, err)
}

func (b *breakingFile) Seek(at int64, from int) (int64, error) {
	return b.File.(io.Seeker).Seek(at, from)
}

func (b *breakingFile) ReadAt(p []byte, at int64) (int, error) {
	n, err := b.File.(io.ReaderAt).ReadAt(p, at)
	return b.count(n, err)
}

func (b *breakingFile) count(n int, err error) (int, error) {
	if *b.left -= n; *b.left < 0 {
		return 0, errBroken
	}
	return n, err
}

func bytesOf(t *testing.T, r *inlier.FitResult) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := r.Fitted().Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestResumes: wherever a fit breaks off, the next one takes over what was found and ends in the same bytes.
func TestResumes(t *testing.T) {
	for _, c := range []struct {
		method, target string
	}{{"pca", ""}, {"pca-robust", ""}, {"pca-cell", ""}, {"linear-robust", "f"}, {"kmeans", ""}, {"corr-tensor", ""}, {"relm", "f"}, {"elm-robust", "f"}, {"regmaxcem", "class"}} {
		if testing.Short() && c.method != "pca" {
			continue
		}
		path := smallTable(t, 2500)[0]
		if c.target == "class" {
			path = classTable(t, 4700)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		f := inlier.Fit{Method: c.method, Data: inlier.Data{Path: filepath.Base(path), FS: os.DirFS(filepath.Dir(path)), Target: c.target, Memory: 1 << 16}}
		if c.method == "kmeans" {
			f.Parameters = catalog.Parameters{"clusters": "3"}
		} else if c.method == "corr-tensor" {
			f.Parameters = catalog.Parameters{"shape": "2x3", "rank": "2x2", "learn-rank": "1"}
		} else if strings.Contains(c.method, "elm") {
			f.Parameters = catalog.Parameters{"hidden": "20"}
		} else if c.target == "class" {
			f.Data.Drop = []string{"name"}
		} else if c.target == "" {
			f.Parameters = catalog.Parameters{"components": "2"}
		}
		whole := fitOf(t, f)
		want := bytesOf(t, whole)
		f.Checkpoint = filepath.Join(t.TempDir(), "c")
		recalled := 0
		for range 20 {
			left := int(info.Size()) * 11 / 3                  // each comes as far as the next whole reading, and into another
			if c.target != "" && c.method != "linear-robust" { // what asks first for classes
				left += int(info.Size())
			}
			f.Data.FS = breaking{os.DirFS(filepath.Dir(path)), &left}
			got, err := f.Run(context.Background(), nil)
			if err != nil {
				if !errors.Is(err, errBroken) && !strings.Contains(err.Error(), errBroken.Error()) {
					t.Fatal(err)
				}
				continue
			}
			if !bytes.Equal(bytesOf(t, got), want) || got.Outliers != whole.Outliers {
				t.Errorf("%s: another model after %d readings of %d were taken over", c.method, got.Recalled, whole.Reads)
			}
			if recalled = got.Recalled; recalled+got.Reads != whole.Reads {
				t.Errorf("%s: %d readings and %d of before, want %d", c.method, got.Reads, recalled, whole.Reads)
			}
			if err := got.Save(filepath.Join(t.TempDir(), "m.npz")); err != nil {
				t.Fatal(err)
			}
			break
		}
		if recalled == 0 {
			t.Errorf("%s: nothing was taken over", c.method)
		}
		if _, err := os.Stat(f.Checkpoint); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the checkpoint is still there: %v", c.method, err)
		}
	}
}

// TestForeignCheckpoint: one that is cut off costs a reading; one of another request, other data, or damaged is refused.
func TestForeignCheckpoint(t *testing.T) {
	path := smallTable(t, 2500)[0]
	f := inlier.Fit{Method: "pca", Data: inlier.Data{Path: path, Memory: 1 << 16}, Checkpoint: filepath.Join(t.TempDir(), "c")}
	whole := fitOf(t, f)
	kept, err := os.ReadFile(f.Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	put := func(b []byte) {
		if err := os.WriteFile(f.Checkpoint, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, cut := range []int{1, 100, len(kept) / 2} {
		put(kept[:len(kept)-cut])
		if again := fitOf(t, f); !bytes.Equal(bytesOf(t, again), bytesOf(t, whole)) || again.Recalled >= whole.Reads {
			t.Errorf("another model from a checkpoint of which %d bytes are cut off, %d readings recalled", cut, again.Recalled)
		}
	}
	refused := func(f inlier.Fit, say string) {
		t.Helper()
		_, err := f.Run(context.Background(), nil)
		if e, ok := inlier.AsError(err); !ok || e.Parameter != "checkpoint" || !strings.Contains(err.Error(), say) {
			t.Errorf("%v, want a word on the checkpoint: %s", err, say)
		}
	}
	put(kept)
	other := f
	other.Seed = 7
	refused(other, "another request")
	for at := 0; at < len(kept); at += 1 + len(kept)/11 {
		bad := bytes.Clone(kept)
		bad[at] ^= 0x10
		put(bad)
		if got, err := f.Run(context.Background(), nil); err == nil && !bytes.Equal(bytesOf(t, got), bytesOf(t, whole)) {
			t.Errorf("another model from a checkpoint whose byte %d is another", at)
		} else if e, ok := inlier.AsError(err); err != nil && (!ok || e.Parameter != "checkpoint" || e.Hint == "") {
			t.Errorf("byte %d: %v", at, err)
		}
	}
	put([]byte("some,table\n1,2\n"))
	refused(f, "is no checkpoint")
	if now, _ := os.ReadFile(f.Checkpoint); string(now) != "some,table\n1,2\n" {
		t.Error("a foreign file was changed")
	}
	put(kept)
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, append(text, "1,2,3,4,5,6\n"...), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	refused(f, "of other data")
}
