package tempfile

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// spoolHeld is how much of a spool stays in memory.
const spoolHeld = 1 << 20

// Spool takes what is written until it is whole, little of it in memory and the rest in a temporary file, which is gone also where the
// program is ended at once, by a reader of its output that has enough.
type Spool struct {
	held  bytes.Buffer
	file  *os.File
	named bool // the file is to be removed
}

// Write appends.
func (s *Spool) Write(p []byte) (int, error) {
	if s.held.Len()+len(p) > spoolHeld {
		if s.file == nil {
			f, err := os.CreateTemp("", "inlier-*")
			if err != nil {
				return 0, err
			}
			if s.named = os.Remove(f.Name()) != nil; s.named { // an open file needs no name, but on Windows
				Track(f.Name())
			}
			s.file = f
		}
		if _, err := s.held.WriteTo(s.file); err != nil {
			return 0, err
		}
		return s.file.Write(p)
	}
	return s.held.Write(p)
}

// WriteTo writes all that was taken, from the beginning.
func (s *Spool) WriteTo(w io.Writer) (int64, error) {
	var n int64
	if s.file != nil {
		if _, err := s.file.Seek(0, io.SeekStart); err != nil {
			return 0, err
		}
		var err error
		if n, err = io.Copy(w, s.file); err != nil {
			return n, err
		}
	}
	more, err := w.Write(s.held.Bytes())
	return n + int64(more), err
}

// Close removes the file.
func (s *Spool) Close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if s.named {
		err = errors.Join(err, Remove(s.file.Name()))
	}
	return err
}
