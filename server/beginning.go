package server

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// mostSeen is how many bytes of a text a preview looks at: its rows are seldom longer than a page.
const mostSeen = 32 << 20

// beginning is a folder that holds one file, cut off behind a line: what a preview sees of a large text, of which it shows little and
// which need not fit into memory.
type beginning struct {
	path  string
	bytes int64
}

// newBeginning is nil where the file is no larger, or is none that can be cut.
func newBeginning(path string) (*beginning, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() <= mostSeen {
		return nil, err
	}
	head, tail := make([]byte, 1<<12), make([]byte, 1<<20)
	if _, err := io.ReadFull(f, head); err != nil {
		return nil, err
	}
	for _, sign := range []string{"\x1f\x8b", "PK", "PAR1", "\x93NUMPY", "{", "["} { // packed, or ended by what stands last
		if strings.HasPrefix(strings.TrimLeft(string(head), "\ufeff \t\r\n"), sign) {
			return nil, nil
		}
	}
	if bytes.IndexByte(head, 0) >= 0 { // no text, or one of two bytes a letter
		return nil, nil
	}
	if _, err := f.ReadAt(tail, mostSeen-int64(len(tail))); err != nil {
		return nil, err
	}
	end := bytes.LastIndexByte(tail, '\n') + 1
	if end == 0 {
		return nil, nil // a line as long is for the reader to refuse
	}
	return &beginning{path, mostSeen - int64(len(tail)-end)}, nil
}

// Open opens the file under any name.
func (b *beginning) Open(string) (fs.File, error) {
	f, err := os.Open(b.path)
	if err != nil {
		return nil, err
	}
	return &begun{f, io.LimitReader(f, b.bytes), b.bytes}, nil
}

func (b *beginning) name() string { return filepath.Base(b.path) }

type begun struct {
	file  *os.File
	rest  io.Reader
	bytes int64
}

func (b *begun) Read(p []byte) (int, error) { return b.rest.Read(p) }
func (b *begun) Close() error               { return b.file.Close() }

func (b *begun) Stat() (fs.FileInfo, error) {
	info, err := b.file.Stat()
	return begunInfo{info, b.bytes}, err
}

type begunInfo struct {
	fs.FileInfo
	bytes int64
}

func (i begunInfo) Size() int64 { return i.bytes }
