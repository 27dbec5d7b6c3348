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
