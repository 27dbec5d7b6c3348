// Package checkpoint keeps what the passes of a fit over a table have found, in a file from which an interrupted one
// goes on.
//
// The file begins with what it belongs to; records follow, one for each pass in their order. A record is its length, its
// parts and their SHA-256, added in one go and brought to the disk: one that was cut off is left out and made again, and
// so the file is always that of some number of whole passes. Whatever else is wrong with it is an [Error].
package checkpoint

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/inlier-ml/inlier/internal/atomicfile"
	"github.com/inlier-ml/inlier/internal/journal"
)

const (
	magic    = "inlier checkpoint 1\n"
	mostKey  = 1 << 20 // bytes
	sumBytes = sha256.Size
)

// Error is a file that a fit cannot go on from.
type Error struct{ Path, Problem string }

// Error names the file.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Path, e.Problem) }

// File is a checkpoint. It is used by one fit at a time.
type File struct {
	path    string
	file    *os.File // nil: not made yet
	release func()
	at, end int64 // the next record; the end of the whole ones
	passes  int   // recalled
}

// Open opens the file at a path, where there is one, and fills key with what it belongs to; found is false where there is
// none, which Begin makes.
func Open(path string, key any) (_ *File, found bool, err error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = atomicfile.Check(path)
	case err == nil && !info.Mode().IsRegular():
		err = &Error{path, "is no file"}
	}
	if err != nil {
		return nil, false, err
	}
	f := &File{path: path}
	if f.release, err = journal.Hold(path); err != nil {
		return nil, false, err
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	if info == nil {
		return f, false, nil
	}
	if f.file, err = os.OpenFile(path, os.O_RDWR, 0); err != nil {
		return nil, false, err
	}
	if err = f.begin(key); err != nil {
		return nil, false, err
	}
	return f, true, f.whole(info.Size())
}

// begin reads what the file belongs to.
func (f *File) begin(key any) error {
	head := make([]byte, len(magic)+4)
	if _, err := io.ReadFull(f.file, head); err != nil || string(head[:len(magic)]) != magic {
		return &Error{f.path, "is no checkpoint of a fit by this version"}
	}
	size := binary.LittleEndian.Uint32(head[len(magic):])
	text := make([]byte, min(size, mostKey)+sumBytes)
	if _, err := io.ReadFull(f.file, text); err != nil || size > mostKey {
		return f.damaged()
	}
	text, sum := text[:size], text[size:]
	if own := sha256.Sum256(text); !bytes.Equal(own[:], sum) || json.Unmarshal(text, key) != nil {
		return f.damaged()
	}
	f.at = int64(len(head)+len(text)) + sumBytes
	return nil
}

// whole finds the end of the last record that is there as a whole.
func (f *File) whole(size int64) error {
	for f.end = f.at; size-f.end >= 8+sumBytes; {
		length, err := f.length(f.end)
		if err != nil {
			return err
		}
		if length > uint64(size-f.end-8-sumBytes) {
			break
		}
		f.end += 8 + int64(length) + sumBytes
	}
	return nil
}

func (f *File) length(at int64) (uint64, error) {
	var b [8]byte
	_, err := f.file.ReadAt(b[:], at)
	return binary.LittleEndian.Uint64(b[:]), err
}

func (f *File) damaged() error { return &Error{f.path, "is damaged"} }

// Begin makes the file, of what belongs to key.
func (f *File) Begin(key any) error {
	text, err := json.Marshal(key)
	if err != nil {
		return err
	}
	if len(text) > mostKey {
		return &Error{f.path, "cannot hold so long a list of files"}
	}
	sum := sha256.Sum256(text)
	head := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(text)))
	head = append(append(head, text...), sum[:]...)
	if err := atomicfile.Write(f.path, func(w io.Writer) error { _, err := w.Write(head); return err }); err != nil {
		return err
	}
	f.at = int64(len(head))
	f.end = f.at
	f.file, err = os.OpenFile(f.path, os.O_RDWR, 0)
	return err
}

// Recall fills the parts with those of the next record, of a table of so many rows and columns; false where there are no more.
func (f *File) Recall(parts []any, rows, columns int) (bool, error) {
	if f.at == f.end {
		return false, nil
	}
	length, err := f.length(f.at)
	if err != nil {
		return false, err
	}
	hash := sha256.New()
	record := io.TeeReader(io.NewSectionReader(f.file, f.at+8, int64(length)), hash)
	in := &reader{in: bufio.NewReaderSize(record, 1<<16), left: length, rows: rows, columns: columns}
	for _, p := range parts {
		if !in.read(partOf(p)) {
			return false, f.damaged()
		}
	}
	sum := make([]byte, sumBytes)
	if _, err := f.file.ReadAt(sum, f.at+8+int64(length)); err != nil || in.left != 0 || !bytes.Equal(sum, hash.Sum(nil)) {
		return false, f.damaged()
	}
	f.at += 8 + int64(length) + sumBytes
	f.passes++
	return true, nil
}

// Keep adds a record.
func (f *File) Keep(parts []any) error {
	length := uint64(0)
	for _, p := range parts {
		length += partOf(p).bytes()
	}
	err := f.file.Truncate(f.end) // what was cut off
	hash := sha256.New()
	out := bufio.NewWriterSize(io.NewOffsetWriter(f.file, f.end), 1<<16)
	if err == nil {
		_, err = out.Write(binary.LittleEndian.AppendUint64(nil, length))
	}
	for _, p := range parts {
		if err == nil {
			err = partOf(p).write(io.MultiWriter(out, hash))
		}
	}
	if err == nil {
		_, err = out.Write(hash.Sum(nil))
	}
	if err = errors.Join(err, out.Flush(), f.file.Sync()); err != nil {
		return fmt.Errorf("%s: cannot be written: %w", f.path, err)
	}
	f.end += 8 + int64(length) + sumBytes
	f.at = f.end
	return nil
}

// Passes is how many were recalled.
func (f *File) Passes() int { return f.passes }

// Close leaves the file for a later fit.
func (f *File) Close() {
	if f.file != nil {
		f.file.Close()
	}
	if f.release != nil {
		f.release()
	}
	f.file, f.release = nil, nil
}
