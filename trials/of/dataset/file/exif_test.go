package file

import (
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"path/filepath"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
)

// tiffWith is an Exif list that tells the orientation.
func tiffWith(order binary.AppendByteOrder, orientation int) string {
	tiff := []byte("II*\x00")
	if order == binary.BigEndian {
		tiff = []byte("MM\x00*")
	}
	tiff = order.AppendUint32(tiff, 8)
	tiff = order.AppendUint16(tiff, 2)
	for _, entry := range [][2]int{{0x0100, 99}, {0x0112, orientation}} {
		tiff = order.AppendUint16(tiff, uint16(entry[0]))
		tiff = order.AppendUint16(tiff, 3)
		tiff = order.AppendUint32(tiff, 1)
		tiff = order.AppendUint16(tiff, uint16(entry[1]))
		tiff = order.AppendUint16(tiff, 0)
	}
	return string(tiff) + "\x00\x00\x00\x00"
}

// withOrientation puts an Exif segment behind the first marker of a JPEG file.
func withOrientation(file string, order binary.AppendByteOrder, orientation int) string {
	segment := "Exif\x00\x00" + tiffWith(order, orientation)
	size := binary.BigEndian.AppendUint16(nil, uint16(len(segment)+2))
	return file[:2] + "\xff\xe1" + string(size) + segment + file[2:]
}

// The Exif standard says of each orientation where the first row and the first column of
// the stored pixels are when the picture is looked at.
var exifSides = []struct {
	orientation int
	row, column string // side on which row 0 and column 0 of the file are seen
}{
	{1, "top", "left"}, {2, "top", "right"}, {3, "bottom", "right"}, {4, "bottom", "left"},
	{5, "left", "top"}, {6, "right", "top"}, {7, "right", "bottom"}, {8, "left", "bottom"},
}

// A stored picture of 32 x 16 whose first 8 rows are brighter by 100, and whose first 8
// columns are by 50: row and column are told apart wherever they come to lie.
func TestOrientation(t *testing.T) {
	stored := image.NewGray(image.Rect(0, 0, 32, 16))
	for y := range 16 {
		for x := range 32 {
			v := uint8(50)
			if y < 8 {
				v += 100
			}
			if x < 8 {
				v += 50
			}
			stored.SetGray(x, y, color.Gray{Y: v})
		}
	}
	jpeg := encode(t, "jpeg", stored)
	for _, c := range exifSides {
		width, height := 32, 16
		if c.row == "left" || c.row == "right" {
			width, height = 16, 32
		}
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			for _, o := range []file.Options{{}, {Resize: fmt.Sprintf("%dx%d", width, height)}, {Resize: "8x8"}} {
				path := write(t, "a.jpg", withOrientation(jpeg, order, c.orientation))
				s := read(t, path, o)
				wide, high := width, height
				if o.Resize == "8x8" {
					wide, high = 8, 8
				}
				if s.Shape[0] != high || s.Shape[1] != wide {
					t.Fatalf("orientation %d: shape %v", c.orientation, s.Shape)
				}
				mean := func(side string) float64 { // of a strip of a quarter of the picture along that side
					sum, n := 0.0, 0.0
					for y := range high {
						for x := range wide {
							if side == "top" && y < high/4 || side == "bottom" && y >= high-high/4 || side == "left" && x < wide/4 || side == "right" && x >= wide-wide/4 {
								sum, n = sum+s.X.At(0, y*wide+x), n+1
							}
						}
					}
					return sum / n
				}
				opposite := map[string]string{"top": "bottom", "bottom": "top", "left": "right", "right": "left"}
				if d := mean(c.row) - mean(opposite[c.row]); d < 90 || d > 110 {
					t.Errorf("orientation %d, %s: row 0 is not seen at the %s (%g)", c.orientation, o.Resize, c.row, d)
				}
				if d := mean(c.column) - mean(opposite[c.column]); d < 40 || d > 60 {
					t.Errorf("orientation %d, %s: column 0 is not seen at the %s (%g)", c.orientation, o.Resize, c.column, d)
				}
			}
		}
	}
}

// Whatever stands in an Exif segment, the picture is read, upright where it makes no sense.
func TestDamagedExif(t *testing.T) {
	jpeg := encode(t, "jpeg", image.NewGray(image.Rect(0, 0, 4, 2)))
	good := withOrientation(jpeg, binary.BigEndian, 6)
	folder := t.TempDir()
	for at := 2; at < 2+len(good)-len(jpeg); at++ {
		for _, v := range []byte{0, 1, 0x7f, 0xff} {
			damaged := []byte(good)
			damaged[at] = v
			put(t, string(damaged), folder, "a.jpg")
			if _, err := file.Read(context.Background(), filepath.Join(folder, "a.jpg"), file.Options{}); err != nil {
				complaint(t, err)
			}
		}
	}
	for _, o := range []int{0, 9, 65535} {
		if s := read(t, write(t, "a.jpg", withOrientation(jpeg, binary.LittleEndian, o)), file.Options{}); s.Shape[0] != 2 {
			t.Errorf("orientation %d turns the picture", o)
		}
	}
}

// A list names images below its own folder, unless others are allowed.
func TestListStaysInItsFolder(t *testing.T) {
	folder := t.TempDir()
	const grey = "P2 1 1 255 7"
	put(t, grey, folder, "outside.pgm")
	put(t, grey, folder, "lists/inside/a.pgm")
	outside := filepath.Join(folder, "outside.pgm")
	for line, allowed := range map[string]bool{
		"inside/a.pgm": true, "inside/../inside/a.pgm": true, "./inside/a.pgm,cat": true,
		"../outside.pgm": false, outside: false, "inside/../../outside.pgm": false, "../outside.pgm,cat": false,
	} {
		put(t, line+"\n"+line+"\n", folder, "lists/list.txt")
		path := filepath.Join(folder, "lists", "list.txt")
		_, err := file.Read(context.Background(), path, file.Options{})
		if allowed != (err == nil) {
			t.Errorf("%s: %v", line, err)
		}
		if !allowed {
			complaint(t, err)
			if e := err.(*dataset.InputError); e.Line != 1 || !strings.Contains(e.Advice(flags), "--allow-outside") {
				t.Errorf("%s: %v, hint %s", line, err, e.Advice(flags))
			}
		}
		if _, err := file.Read(context.Background(), path, file.Options{AllowOutside: true}); err != nil {
			t.Errorf("%s, allowed: %v", line, err)
		}
	}
}
