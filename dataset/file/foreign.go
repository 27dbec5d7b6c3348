package file

import (
	"bytes"
	"unicode/utf8"
)

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
	if what := foreignImage(head); what != "" {
		return what
	}
	if what := markup(bytes.TrimSpace(bytes.TrimPrefix(head[:min(len(head), 512)], []byte("\xef\xbb\xbf")))); what != "" {
		return what
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

// foreignImage names images of formats that are not read.
func foreignImage(head []byte) string {
	begins := func(magic string) bool { return bytes.HasPrefix(head, []byte(magic)) }
	switch {
	case begins("II*\x00"), begins("MM\x00*"):
		return "a TIFF image"
	case len(head) > 12 && begins("RIFF") && string(head[8:12]) == "WEBP":
		return "a WebP image"
	case len(head) > 12 && string(head[4:8]) == "ftyp":
		return "an image or film of a camera (HEIC, AVIF, MP4)"
	case len(head) > 16 && begins("BM") && bytes.IndexByte(head[:16], 0) >= 0:
		return "a BMP image"
	case begins("P4\n"), begins("P1\n"):
		return "a PBM image"
	}
	return ""
}

// markup names text that is no table of fields.
func markup(start []byte) string {
	lower := bytes.ToLower(start)
	for _, tag := range []string{"<!doctype", "<html", "<?xml", "<table", "<svg"} {
		if bytes.HasPrefix(lower, []byte(tag)) {
			return "a page or document in HTML or XML"
		}
	}
	if len(start) > 1 && (start[0] == '{' || start[0] == '[') {
		if next := bytes.TrimSpace(start[1:]); len(next) > 0 && (next[0] == '"' || next[0] == '{' || next[0] == '[') {
			return "JSON"
		}
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
