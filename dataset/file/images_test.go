package file

import (
	"context"
	"errors"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/inlier-ml/inlier/dataset"
)

// put writes a file below a folder and makes the folders on the way.
func put(t testing.TB, content string, path ...string) {
	t.Helper()
	full := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// encode makes an image file of any kind.
func encode(t testing.TB, kind string, m image.Image) string {
	t.Helper()
	var b strings.Builder
	var err error
	switch kind {
	case "png":
		err = png.Encode(&b, m)
	case "jpeg":
		err = jpeg.Encode(&b, m, &jpeg.Options{Quality: 100})
	case "gif":
		err = gif.Encode(&b, m, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestImageFolders(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"10.pgm", "9.pgm", "1.pgm"} {
		number, _, _ := strings.Cut(name, ".")
		put(t, "P2 1 1 255 "+number, root, "b", name)
	}
	put(t, "P2 1 1 255 77", root, "a", "x.pgm")
	put(t, "not an image", root, "README")
	put(t, "hidden", root, "b", ".DS_Store")
	s := read(t, root, Options{})
	if diff := cmp.Diff([][]float64{{77}, {1}, {9}, {10}}, rows(s)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(&dataset.Target{Name: "label", Labels: []int{0, 1, 1, 1}, Classes: []string{"a", "b"}}, s.Target); diff != "" {
		t.Error(diff)
	}
	if none := read(t, root, Options{Target: "none"}); none.Target != nil {
		t.Error("a target although none is wanted")
	}
	list := filepath.Join(root, "list.txt")
	put(t, "# remarks, above\nb/9.pgm\tnine\na/x.pgm\tother\n", list)
	listed := read(t, list, Options{})
	if diff := cmp.Diff([][]float64{{9}, {77}}, rows(listed)); diff != "" || listed.Target.Class(0) != "nine" {
		t.Error(diff, listed.Target)
	}
}

func TestBadImageFolders(t *testing.T) {
	const grey = "P2 1 1 255 7"
	for name, c := range map[string]struct {
		files      map[string]string
		want, hint string
	}{
		"sizes":   {map[string]string{"a/1.pgm": grey, "a/2.pgm": "P2 2 1 255 7 8"}, "2.pgm: the image has 2 x 1 pixels, but a/1.pgm has 1 x 1", "--resize 1x1"},
		"colours": {map[string]string{"a/1.pgm": grey, "a/2.ppm": "P3 1 1 255 7 8 9"}, "2.ppm: the image is in colour, but a/1.pgm is grey", "--gray"},
		"foreign": {map[string]string{"a/1.pgm": grey, "a/notes.txt": "x"}, "notes.txt: this is not an image", ""},
		"fake":    {map[string]string{"a/1.pgm": grey, "a/2.pgm": "no image at all"}, "2.pgm: this is not a PGM, PPM, PNG, JPEG or GIF image", "take it out"},
		"cut":     {map[string]string{"a/1.pgm": grey, "a/2.pgm": "P5 1 1 255"}, "2.pgm: the image is cut off", ""},
		"none":    {map[string]string{"a/1.pgm": grey, "a/2.pgm": ""}, "2.pgm: the image file is empty", ""},
		"empty":   {map[string]string{"a/1.pgm": grey, "b/.keep": ""}, "b: the class folder is empty", "remove it"},
		"mixed":   {map[string]string{"a/1.pgm": grey, "2.pgm": grey}, "holds images beside folders", ""},
		"deep":    {map[string]string{"a/b/1.pgm": grey}, "b: this is not an image", ""},
		"flat":    {map[string]string{"1.pgm": grey, "data.csv": "a\n1\n"}, "data.csv: this is not an image", ""},
	} {
		root := t.TempDir()
		for file, content := range c.files {
			put(t, content, root, file)
		}
		_, err := Read(context.Background(), root, Options{})
		var input *dataset.InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), c.want) || !strings.Contains(input.Advice(flags), c.hint) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}
