package file

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
)

// pictures are four rows of a shape.
func pictures(shape ...int) *dataset.Set {
	d := dataset.Volume(shape)
	s := &dataset.Set{X: mat.NewDense(4, d, nil), Shape: shape, Unnamed: true,
		Target: &dataset.Target{Name: "label", Values: []float64{0, 1, 1, 0}, Labels: []int{0, 1, 1, 0}, Classes: []string{"0", "1"}}}
	for j := range d {
		s.Columns = append(s.Columns, fmt.Sprintf("x%d", j+1))
	}
	for i := range 4 {
		for j := range d {
			s.X.Set(i, j, float64((i*d+j*7)%256))
		}
	}
	return s
}

// Every format reads alike from the disk, from file systems of programs (one whose files can be
// read anywhere, one whose files only run forward) and from a stream.
func TestFilesOfPrograms(t *testing.T) {
	ctx, folder := context.Background(), t.TempDir()
	set := pictures(3, 4).Subset([]int{0, 1, 0, 1, 1, 0, 0, 1})
	names := []string{"a.csv", "a.csv.gz", "a.tsv", "a.npz", "a.parquet", "a.libsvm", "a-images-idx3-ubyte", "classes", "list.txt"}
	if err := os.Mkdir(filepath.Join(folder, "data"), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range names[:8] {
		if err := file.Write(filepath.Join(folder, "data", name), set, file.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	pngs, err := filepath.Glob(filepath.Join(folder, "data", "classes", "*", "*.png"))
	if err != nil || len(pngs) != set.Rows() {
		t.Fatalf("%d images, %v", len(pngs), err)
	}
	var list strings.Builder
	for _, p := range pngs {
		local, _ := filepath.Rel(filepath.Join(folder, "data"), p)
		list.WriteString(filepath.ToSlash(local) + "," + filepath.Base(filepath.Dir(p)) + "\n")
	}
	if err := os.WriteFile(filepath.Join(folder, "data", "list.txt"), []byte(list.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	if err := archive.AddFS(os.DirFS(folder)); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	forward, err := zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
	if err != nil {
		t.Fatal(err)
	}
	held := fstest.MapFS{}
	err = fs.WalkDir(os.DirFS(folder), ".", func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			data, _ := os.ReadFile(filepath.Join(folder, path))
			held[path] = &fstest.MapFile{Data: data}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		opts := file.Options{}
		if strings.Contains(name, "ubyte") {
			opts.Target = "label"
		} else if strings.Contains(name, ".csv") || strings.Contains(name, ".tsv") || strings.Contains(name, ".parquet") {
			opts.Target = set.Target.Name
		}
		want, err := file.Read(ctx, filepath.Join(folder, "data", name), opts)
		if err != nil {
			t.Fatal(err)
		}
		for kind, files := range map[string]fs.FS{"disk": os.DirFS(folder), "memory": held, "archive": forward} {
			opts.FS = files
			got, err := file.Read(ctx, "data/"+name, opts)
			if err != nil {
				t.Errorf("%s of %s: %v", name, kind, err)
				continue
			}
			if !mat.Equal(got.X, want.X) || got.Target == nil || strings.Join(got.Target.Classes, " ") != strings.Join(want.Target.Classes, " ") {
				t.Errorf("%s of %s is read as something else", name, kind)
			}
		}
		opts.FS = nil
		if data, ok := held["data/"+name]; ok && opts.Target != "label" && name != "list.txt" {
			source, err := file.OpenReader(ctx, "upload", bytes.NewReader(data.Data), opts)
			if err != nil {
				t.Errorf("%s of a stream: %v", name, err)
				continue
			}
			got, err := source.Read(ctx)
			source.Close()
			if err != nil || !mat.Equal(got.X, want.X) || got.Name != "upload" {
				t.Errorf("%s of a stream is read as something else: %v", name, err)
			}
		}
	}
	var input *dataset.InputError
	if _, err := file.Read(ctx, "data/none.csv", file.Options{FS: held}); !errors.As(err, &input) || input.Problem != "there is no such file" {
		t.Errorf("a file that is not there: %v", err)
	}
}
