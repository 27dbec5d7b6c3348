package file

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// Format is a file format.
type Format string

// The formats that are read and written. CSV stands for every delimiter when reading.
const (
	CSV     Format = "csv"
	TSV     Format = "tsv"
	NPY     Format = "npy"
	NPZ     Format = "npz"
	IDX     Format = "idx"
	Parquet Format = "parquet"
	LIBSVM  Format = "libsvm"
	Images  Format = "images" // a folder, a list of paths, or one image
)

// Formats lists all formats.
func Formats() []Format { return []Format{CSV, TSV, NPY, NPZ, IDX, Parquet, LIBSVM, Images} }

func (f Format) known() bool { return slices.Contains(Formats(), f) }

func listFormats() string {
	var names []string
	for _, f := range Formats() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}

// imageExtensions are the endings of image files that are read.
var imageExtensions = []string{".pgm", ".ppm", ".pnm", ".png", ".jpg", ".jpeg", ".gif"}

func isImageName(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(imageExtensions, func(e string) bool { return strings.HasSuffix(name, e) })
}

// isImage tells by the first bytes whether this is an image that can be read.
func isImage(head []byte) bool {
	switch {
	case bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")),
		bytes.HasPrefix(head, []byte("\xff\xd8\xff")),
		bytes.HasPrefix(head, []byte("GIF87a")), bytes.HasPrefix(head, []byte("GIF89a")):
		return true
	}
	return isPNM(head)
}

// detect tells the format by the first bytes, unpacked. The file's name decides only
// between kinds of text that look alike.
func detect(f *content) (Format, error) {
	head := f.head
	switch {
	case len(head) == 0:
		return "", problem(f.name, "the file is empty")
	case bytes.HasPrefix(head, []byte("\x93NUMPY")):
		return NPY, nil
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return NPZ, nil
	case bytes.HasPrefix(head, []byte("PAR1")):
		return Parquet, nil
	case isImage(head):
		return Images, nil
	case isIDX(head):
		return IDX, nil
	}
	if what := foreign(head); what != "" {
		return "", problem(f.name, "this looks like %s", what).WithHint("save it as CSV (UTF-8), Parquet or NPY")
	}
	text := firstLines(head, f.whole)
	switch {
	case isImageList(text):
		return Images, nil
	case isLIBSVM(text):
		return LIBSVM, nil
	}
	return CSV, nil
}

// foreign names formats that are common but not read, and refuses other binary files.
func foreign(head []byte) string {
	for magic, name := range map[string]string{
		"\x89HDF\r\n\x1a\n": "an HDF5 file",
		"\xd0\xcf\x11\xe0":  "an old Excel workbook",
		"\xff\xfe":          "text in UTF-16",
		"\xfe\xff":          "text in UTF-16",
		"ARROW1":            "an Arrow or Feather file",
		"MATLAB 5.0":        "a MATLAB file",
		"%PDF":              "a PDF document",
		"BZh":               "a bzip2 file",
		"\xfd7zXZ\x00":      "an xz file",
		"\x28\xb5\x2f\xfd":  "a zstd file",
		"RDX3":              "an R data file",
	} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return name
		}
	}
	sample := head[:min(len(head), 8192)]
	if bytes.IndexByte(sample, 0) >= 0 {
		return "a binary file of an unknown kind"
	}
	control := 0
	for _, c := range sample {
		if c < 0x20 && c != '\n' && c != '\r' && c != '\t' && c != '\f' {
			control++
		}
	}
	if control > 0 && control*50 > len(sample) || control > 0 && !utf8.Valid(sample[:len(sample)-min(len(sample), 3)]) {
		return "a binary file of an unknown kind"
	}
	return ""
}

// firstLines returns up to 50 whole lines that are not blank.
func firstLines(head []byte, whole bool) [][]byte {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	var lines [][]byte
	for len(head) > 0 && len(lines) < 50 {
		end := bytes.IndexByte(head, '\n')
		if end < 0 {
			if !whole && len(lines) > 0 {
				break
			}
			end = len(head)
		}
		if line := bytes.TrimSpace(head[:end]); len(line) > 0 {
			lines = append(lines, line)
		}
		head = head[min(end+1, len(head)):]
	}
	return lines
}
