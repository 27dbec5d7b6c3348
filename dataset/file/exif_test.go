package file

import (
	"context"
	"encoding/binary"
	"hash/crc32"
	"image"
	"path/filepath"
	"slices"
	"testing"
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

// The Exif of a PNG file, a chunk behind its header, turns the picture as that of a JPEG file does; a damaged one does
// not, or is complained about.
func TestOrientationOfPNG(t *testing.T) {
	stored := image.NewGray(image.Rect(0, 0, 16, 8))
	for i := range stored.Pix {
		stored.Pix[i] = uint8(i) + uint8(i)/16*8
	}
	plain := encode(t, "png", stored)
	const header = 8 + 25 // signature and first chunk
	turned := func(orientation int) string {
		chunk := "eXIf" + tiffWith(binary.BigEndian, orientation)
		size := binary.BigEndian.AppendUint32(nil, uint32(len(chunk)-4))
		return plain[:header] + string(size) + chunk + string(binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(chunk)))) + plain[header:]
	}
	for o := range 10 {
		s := read(t, write(t, "a.png", turned(o)), Options{})
		want := make([]float64, len(stored.Pix))
		pixels := make([]float64, len(stored.Pix))
		for i, v := range stored.Pix {
			pixels[i] = float64(v)
		}
		copy(want, pixels)
		if o > 1 && o < 9 {
			upright(want, pixels, 16, 8, 1, o)
		}
		if (sideways(o) && o < 9) != (s.Shape[0] == 16) || !slices.Equal(s.X.RawRowView(0), want) {
			t.Errorf("orientation %d: shape %v, pixels %v", o, s.Shape, s.X.RawRowView(0)[:16])
		}
	}
	good := turned(6)
	folder := t.TempDir()
	for at := header; at < header+len(good)-len(plain); at++ {
		damaged := []byte(good)
		damaged[at] ^= 0xff
		put(t, string(damaged), folder, "a.png")
		if _, err := Read(context.Background(), filepath.Join(folder, "a.png"), Options{}); err != nil {
			complaint(t, err)
		}
	}
}
