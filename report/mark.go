package report

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
)

// Every picture and page says who made it, so that [Made] can tell it from a file of
// somebody else: a comment in SVG, a generator in HTML, the creator in PDF and a text
// chunk in PNG.
const (
	maker      = "Inlier"
	markSVG    = "<!-- Made by " + maker + " -->"
	markHTML   = `<meta name="generator" content="` + maker + `">`
	markPDF    = "/Creator (" + maker + ")"
	markPNG    = "tEXtSoftware\x00" + maker
	headerPNG  = "\x89PNG\r\n\x1a\n"
	headerSize = 25 // of a PNG's first chunk: length, name, 13 bytes, checksum
)

// Made tells which of the formats "svg", "html", "png" and "pdf" a file has that this
// package wrote; "" for every other file.
func Made(file io.ReaderAt, size int64) string {
	const most = 1 << 16 // SVG describes the chart before the mark; PDF names its creator near the end
	head := make([]byte, min(size, most))
	n, _ := file.ReadAt(head, 0)
	head = head[:n]
	has := func(text []byte, mark string) bool { return bytes.Contains(text, []byte(mark)) }
	switch {
	case bytes.HasPrefix(head, []byte("<svg")) && has(head, markSVG):
		return "svg"
	case bytes.HasPrefix(head, []byte("<!DOCTYPE html>")) && has(head, markHTML):
		return "html"
	case bytes.HasPrefix(head, []byte(headerPNG)) && has(head, markPNG):
		return "png"
	case bytes.HasPrefix(head, []byte("%PDF-")):
		tail := make([]byte, min(size, most))
		n, _ := file.ReadAt(tail, size-int64(len(tail)))
		if has(tail[:n], markPDF) {
			return "pdf"
		}
	}
	return ""
}

// markedPNG puts the mark behind the header of a PNG file.
func markedPNG(data []byte) []byte {
	at := len(headerPNG) + headerSize
	if len(data) < at {
		return data
	}
	var chunk []byte
	chunk = binary.BigEndian.AppendUint32(chunk, uint32(len(markPNG)-4))
	chunk = append(chunk, markPNG...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE([]byte(markPNG)))
	return append(append(append(make([]byte, 0, len(data)+len(chunk)), data[:at]...), chunk...), data[at:]...)
}
