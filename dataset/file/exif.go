package file

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

// A JPEG file is a chain of segments: 0xFF, a marker, a length, content. Those before
// the picture tell how it was held (Exif) and how it is coded.
const (
	jpegStart       = 0xD8
	jpegEnd         = 0xD9
	jpegScan        = 0xDA
	jpegProgressive = 0xC2
	jpegApp1        = 0xE1
	mostSegments    = 1000
)

// jpegTraits tell what image/jpeg does not.
type jpegTraits struct {
	orientation int // 1 to 8, as Exif numbers them; 1 is upright
	progressive bool
}

// readJPEGTraits goes through the segments before the picture. What makes no sense is
// left to the decoder to complain about.
func readJPEGTraits(in io.ReadSeeker) (t jpegTraits, err error) {
	t.orientation = 1
	if _, err := in.Seek(2, io.SeekStart); err != nil {
		return t, err
	}
	var head [4]byte
	for range mostSegments {
		if _, err := io.ReadFull(in, head[:]); err != nil {
			return t, ended(err)
		}
		marker, length := head[1], int64(binary.BigEndian.Uint16(head[2:]))-2
		if head[0] != 0xFF || length < 0 || marker == jpegScan || marker == jpegEnd {
			return t, nil
		}
		if marker == 0xFF || marker >= 0xD0 && marker <= jpegStart || marker == 0x01 { // fill bytes, and markers without a length
			if _, err := in.Seek(-3, io.SeekCurrent); err != nil {
				return t, err
			}
			if marker != 0xFF {
				if _, err := in.Seek(1, io.SeekCurrent); err != nil {
					return t, err
				}
			}
			continue
		}
		t.progressive = t.progressive || marker == jpegProgressive
		if marker != jpegApp1 {
			if _, err := in.Seek(length, io.SeekCurrent); err != nil {
				return t, err
			}
			continue
		}
		segment := make([]byte, length) // 64 kB at most
		if _, err := io.ReadFull(in, segment); err != nil {
			return t, ended(err)
		}
		if o := exifOrientation(segment); o != 0 {
			t.orientation = o
		}
	}
	return t, nil
}

// ended makes the end of a file no error: the decoder will find it.
func ended(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// readPNGOrientation looks for the Exif of a PNG file, a chain of chunks (length, name, content, checksum), before
// the picture. What makes no sense is left to the decoder to complain about.
func readPNGOrientation(in io.ReadSeeker) (orientation int, err error) {
	const signature, checksum, most = 8, 4, 1 << 16
	if _, err := in.Seek(signature, io.SeekStart); err != nil {
		return 1, err
	}
	var head [8]byte
	for range mostSegments {
		if _, err := io.ReadFull(in, head[:]); err != nil {
			return 1, ended(err)
		}
		length, name := int64(binary.BigEndian.Uint32(head[:])), string(head[4:])
		switch {
		case name == "IDAT", name == "IEND":
			return 1, nil
		case name == "eXIf" && length <= most:
			tiff := make([]byte, length)
			if _, err := io.ReadFull(in, tiff); err != nil {
				return 1, ended(err)
			}
			return max(1, tiffOrientation(tiff)), nil
		}
		if _, err := in.Seek(length+checksum, io.SeekCurrent); err != nil {
			return 1, err
		}
	}
	return 1, nil
}

// exifOrientation finds the orientation in a segment APP1. It returns 0 without one.
func exifOrientation(segment []byte) int {
	tiff, ok := bytes.CutPrefix(segment, []byte("Exif\x00\x00"))
	if !ok {
		return 0
	}
	return tiffOrientation(tiff)
}

// tiffOrientation finds the orientation behind a TIFF header, in a list of entries of 12 bytes, one of which may have
// the tag 0x0112. It returns 0 without one.
func tiffOrientation(tiff []byte) int {
	const entry, tag, short = 12, 0x0112, 3
	if len(tiff) < 8 {
		return 0
	}
	var order binary.ByteOrder
	switch string(tiff[:4]) {
	case "II*\x00":
		order = binary.LittleEndian
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return 0
	}
	at := uint64(order.Uint32(tiff[4:]))
	if at+2 > uint64(len(tiff)) {
		return 0
	}
	list := tiff[at+2:]
	for range order.Uint16(tiff[at:]) {
		if len(list) < entry {
			return 0
		}
		if order.Uint16(list) == tag {
			if order.Uint16(list[2:]) != short || order.Uint32(list[4:]) != 1 {
				return 0
			}
			if o := int(order.Uint16(list[8:])); o >= 1 && o <= 8 {
				return o
			}
			return 0
		}
		list = list[entry:]
	}
	return 0
}

// sideways tells whether an orientation exchanges width and height.
func sideways(orientation int) bool { return orientation >= 5 }

// upright turns the pixels of a stored picture of width x height, with so many values
// each, the way it was seen.
func upright(dst, src []float64, width, height, values, orientation int) {
	w, h := width, height
	if sideways(orientation) {
		w, h = height, width
	}
	for y := range h {
		for x := range w {
			var fromX, fromY int
			switch orientation {
			case 2: // mirrored
				fromX, fromY = width-1-x, y
			case 3: // upside down
				fromX, fromY = width-1-x, height-1-y
			case 4: // upside down and mirrored
				fromX, fromY = x, height-1-y
			case 5: // rows and columns exchanged
				fromX, fromY = y, x
			case 6: // to be turned clockwise
				fromX, fromY = y, height-1-x
			case 7: // rows and columns exchanged, upside down
				fromX, fromY = width-1-y, height-1-x
			case 8: // to be turned counterclockwise
				fromX, fromY = width-1-y, x
			default:
				fromX, fromY = x, y
			}
			from, to := values*(fromY*width+fromX), values*(y*w+x)
			copy(dst[to:to+values], src[from:from+values])
		}
	}
}
