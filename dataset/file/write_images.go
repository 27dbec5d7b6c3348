package file

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/tempfile"
)

// writeImages writes a new folder of PNG images, one folder per class if there are
// classes. Values are rounded to 0..255; values outside are refused.
func writeImages(ctx context.Context, path string, s *dataset.Set) (err error) {
	if len(s.Shape) != 2 && !(len(s.Shape) == 3 && s.Shape[2] == 3) {
		return problem(path, "samples of shape %q are not images", dataset.FormatShape(s.Shape)).WithHint("{shape} gives it, as 64x64, or 64x64x3 for colour; or name a file with an ending such as .csv")
	}
	path = filepath.Clean(path)
	if entries, err := os.ReadDir(path); err == nil && len(entries) > 0 {
		return problem(path, "the folder exists and is not empty")
	} else if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return problem(path, "there is already a file of that name")
	}
	temp := besides(path)
	if err := os.Mkdir(temp, 0o777); err != nil {
		return unwritable(path, err)
	}
	tempfile.Track(temp)
	defer tempfile.Remove(temp) // without effect once it is renamed
	for i := range s.Rows() {
		if err := ctx.Err(); err != nil {
			return err
		}
		m, err := picture(s.X.RawRowView(i), s.Shape)
		if err != nil {
			e := &dataset.InputError{File: path, Row: i + 1, Problem: err.Error()}
			return e.WithHint("pixels are numbers from 0 to 255; a file such as %s.npz holds any numbers", filepath.Base(path))
		}
		folder := temp
		if s.Target != nil && s.Target.Labels != nil {
			folder = filepath.Join(temp, safeName(s.Target.Class(i)))
			if err := os.MkdirAll(folder, 0o777); err != nil {
				return unwritable(path, err)
			}
		}
		name := filepath.Join(folder, fmt.Sprintf("%05d.png", i+1))
		if err := writePNG(name, m); err != nil {
			return err
		}
	}
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) { // an empty folder
		return unwritable(path, err)
	}
	if err := os.Rename(temp, path); err != nil {
		return unwritable(path, err)
	}
	syncFolder(filepath.Dir(path))
	return nil
}

// writePNG writes one image into the folder that nobody sees yet.
func writePNG(path string, m image.Image) error {
	out, err := os.Create(path)
	if err != nil {
		return unwritable(path, err)
	}
	err = buffered(out, func(w io.Writer) error { return png.Encode(w, m) })
	if closing := out.Close(); err == nil {
		err = closing
	}
	return err
}

// safeName keeps a class from leaving its folder.
func safeName(class string) string {
	name := strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r == 0 || r == filepath.Separator {
			return '_'
		}
		return r
	}, class)
	if name == "" || strings.HasPrefix(name, ".") {
		name = "_" + name
	}
	return name
}

// picture makes an image of a row.
func picture(row []float64, shape []int) (image.Image, error) {
	height, width := shape[0], shape[1]
	values := make([]byte, len(row))
	for i, v := range row {
		r := math.Round(v)
		if !(r >= 0 && r <= 255) {
			return nil, fmt.Errorf("the value %v is no pixel", v)
		}
		values[i] = byte(r)
	}
	box := image.Rect(0, 0, width, height)
	if len(shape) == 2 {
		return &image.Gray{Pix: values, Stride: width, Rect: box}, nil
	}
	m := image.NewNRGBA(box)
	for i := range width * height {
		m.SetNRGBA(i%width, i/width, color.NRGBA{R: values[3*i], G: values[3*i+1], B: values[3*i+2], A: 255})
	}
	return m, nil
}
