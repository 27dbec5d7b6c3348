package file

import (
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
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

func TestImageKinds(t *testing.T) {
	gray := image.NewGray(image.Rect(0, 0, 2, 1))
	gray.Pix[0], gray.Pix[1] = 10, 200
	palette := image.NewPaletted(image.Rect(0, 0, 2, 1), color.Palette{color.Gray{Y: 10}, color.Gray{Y: 200}})
	palette.Pix[1] = 1
	deep := image.NewGray16(image.Rect(0, 0, 2, 1))
	deep.SetGray16(0, 0, color.Gray16{Y: 10 * 257})
	deep.SetGray16(1, 0, color.Gray16{Y: 200 * 257})
	colour := image.NewNRGBA(image.Rect(0, 0, 1, 1))
	colour.SetNRGBA(0, 0, color.NRGBA{R: 1, G: 2, B: 250, A: 128})
	clear := image.NewPaletted(image.Rect(0, 0, 2, 1), color.Palette{color.NRGBA{}, color.Gray{Y: 200}})
	clear.Pix[1] = 1
	half := image.NewPaletted(image.Rect(0, 0, 2, 1), color.Palette{color.NRGBA{R: 255, G: 128, B: 64, A: 1}, color.NRGBA{R: 30, G: 40, B: 50, A: 255}})
	half.Pix[1] = 1
	for _, c := range []struct {
		name, content string
		want          []float64
		shape         []int
		within        float64
	}{
		{"a.pgm", "P5\n# a comment\n2 1\n255\n\x0a\xc8", []float64{10, 200}, []int{1, 2}, 0},
		{"text.pgm", "P2 2 1 255 10 200", []float64{10, 200}, []int{1, 2}, 0},
		{"few.pgm", "P2 2 1 3 1 3", []float64{85, 255}, []int{1, 2}, 0},
		{"deep.pgm", "P5 1 2 65535\n\x01\x01\xff\xff", []float64{1, 255}, []int{2, 1}, 0},
		{"a.ppm", "P6 1 1 255\n\x01\x02\xfa", []float64{1, 2, 250}, []int{1, 1, 3}, 0},
		{"text.ppm", "P3 1 1 255 1 2 250", []float64{1, 2, 250}, []int{1, 1, 3}, 0},
		{"gray.png", encode(t, "png", gray), []float64{10, 200}, []int{1, 2}, 0},
		{"deep.png", encode(t, "png", deep), []float64{10, 200}, []int{1, 2}, 0},
		{"palette.png", encode(t, "png", palette), []float64{10, 200}, []int{1, 2}, 0},
		{"gray.jpg", encode(t, "jpeg", gray), []float64{10, 200}, []int{1, 2}, 3},
		{"palette.gif", encode(t, "gif", palette), []float64{10, 200}, []int{1, 2}, 0},
		// What is transparent is shown on white: (1 - 128/255) 255 + 128/255 colour.
		{"colour.png", encode(t, "png", colour), []float64{127.50196, 128.00392, 252.49020}, []int{1, 1, 3}, 1e-5},
		{"clear.png", encode(t, "png", clear), []float64{255, 200}, []int{1, 2}, 0},
		{"clear.gif", encode(t, "gif", clear), []float64{255, 200}, []int{1, 2}, 0},
		{"half.png", encode(t, "png", half), []float64{255, 254.50196, 254.25098, 30, 40, 50}, []int{1, 2, 3}, 0.002},
	} {
		s := read(t, write(t, c.name, c.content), file.Options{})
		if diff := cmp.Diff(c.shape, s.Shape); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		for j, v := range s.X.RawRowView(0) {
			if math.Abs(v-c.want[j]) > c.within {
				t.Errorf("%s: %v, want %v", c.name, s.X.RawRowView(0), c.want)
				break
			}
		}
	}
	gray1 := read(t, write(t, "a.ppm", "P6 1 1 255\n\x64\xc8\x32"), file.Options{Gray: true})
	if want := 0.299*100 + 0.587*200 + 0.114*50; math.Abs(gray1.X.At(0, 0)-want) > 1e-9 || len(gray1.Shape) != 2 {
		t.Errorf("grey is %v, want %v; shape %v", gray1.X.At(0, 0), want, gray1.Shape)
	}
}

// Halving an image gives weighted means of neighbours: the mean of the image stays.
func TestResize(t *testing.T) {
	m := image.NewGray(image.Rect(0, 0, 8, 6))
	sum := 0.0
	for i := range m.Pix {
		m.Pix[i] = byte(i * 5)
		sum += float64(m.Pix[i])
	}
	s := read(t, write(t, "a.png", encode(t, "png", m)), file.Options{Resize: "4x3"})
	if diff := cmp.Diff([]int{3, 4}, s.Shape); diff != "" {
		t.Fatal(diff)
	}
	mean, rising := 0.0, true
	for j, v := range s.X.RawRowView(0) {
		mean += v / 12
		rising = rising && (j%4 == 0 || v > s.X.At(0, j-1))
	}
	if math.Abs(mean-sum/48) > 0.02 || !rising {
		t.Errorf("mean %v, want %v; %v", mean, sum/48, s.X.RawRowView(0))
	}
}

// A file of every kind that lost its end, anything from its first bytes on, is refused by
// name; so is one whose header claims no pixels or far more than the file holds.
func TestBadImageFiles(t *testing.T) {
	m := image.NewPaletted(image.Rect(0, 0, 16, 16), color.Palette{color.Gray{Y: 10}, color.Gray{Y: 200}})
	for i := range m.Pix {
		m.Pix[i] = byte(i*i/7) % 2
	}
	refused := func(name, content, want string) {
		t.Helper()
		folder := t.TempDir()
		put(t, content, folder, name)
		for _, o := range []file.Options{{}, {Resize: "4x4"}, {Gray: true}} {
			_, err := file.Read(context.Background(), folder, o)
			var input *dataset.InputError
			if !errors.As(err, &input) || input.File != filepath.Join(folder, name) || input.Problem != want || input.Hint == "" {
				t.Errorf("%s of %d bytes: %v, want %s", name, len(content), err, want)
			}
		}
	}
	whole := map[string]string{
		"a.pgm": "P5\n16 16\n255\n" + strings.Repeat("x", 256), "a.ppm": "P6\n16 16\n255\n" + strings.Repeat("xyz", 256),
		"a.png": encode(t, "png", m), "a.jpg": encode(t, "jpeg", m), "a.gif": encode(t, "gif", m),
	}
	for name, content := range whole {
		read(t, write(t, name, content), file.Options{})
		for _, n := range []int{16, len(content) / 2, len(content) - 4} {
			refused(name, content[:n], "the image is cut off")
		}
		refused(name, "", "the image file is empty")
	}
	patch := func(name string, at int, bytes string) string {
		content := []byte(whole[name])
		copy(content[at:], bytes)
		if name == "a.png" { // the header has a checksum
			binary.BigEndian.PutUint32(content[29:], crc32.ChecksumIEEE(content[12:29]))
		}
		return string(content)
	}
	frame := strings.Index(whole["a.jpg"], "\xff\xc0") + 5
	refused("a.pgm", "P5 0 16 255\n", "the image has no pixels")
	refused("a.png", patch("a.png", 16, "\x00\x00\x00\x00"), "the image has no pixels")
	refused("a.jpg", patch("a.jpg", frame, "\x00\x00"), "the image has no pixels")
	refused("a.gif", patch("a.gif", 6, "\x00\x00"), "the image has no pixels")
	refused("a.pgm", "P5 9000 9000 255\nfew", "the image is cut off")
	refused("a.pgm", "P5 90000 90000 255\nfew", "the image is cut off")
	refused("a.png", patch("a.png", 16, "\x00\x00\x03\xe8\x00\x00\x03\xe8"), "the image is cut off")
	refused("a.png", patch("a.png", 16, "\x00\x01\x00\x00\x00\x01\x00\x00"), "the image of 65536 x 65536 pixels takes 4294967296 bytes, more than a file of 111 may unpack to (67108864)")
	refused("a.jpg", patch("a.jpg", frame, "\xff\xff\xff\xff"), "the image of 65535 x 65535 pixels takes 12884508675 bytes, more than a file of 963 may unpack to (67108864)")
	refused("a.gif", patch("a.gif", 6, "\xe8\x03\xe8\x03"), "the picture covers 16 x 16 of the 1000 x 1000 pixels")
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
	s := read(t, root, file.Options{})
	if diff := cmp.Diff([][]float64{{77}, {1}, {9}, {10}}, rows(s)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(&dataset.Target{Name: "label", Labels: []int{0, 1, 1, 1}, Classes: []string{"a", "b"}}, s.Target); diff != "" {
		t.Error(diff)
	}
	if none := read(t, root, file.Options{Target: "none"}); none.Target != nil {
		t.Error("a target although none is wanted")
	}
	list := filepath.Join(root, "list.txt")
	put(t, "# remarks, above\nb/9.pgm\tnine\na/x.pgm\tother\n", list)
	listed := read(t, list, file.Options{})
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
		for name, content := range c.files {
			put(t, content, root, name)
		}
		_, err := file.Read(context.Background(), root, file.Options{})
		var input *dataset.InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), c.want) || !strings.Contains(input.Advice(flags), c.hint) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}
