// Package journal keeps finished pieces of work as lines of JSON, so that an interrupted
// program can go on where it was.
//
// A file is used by one program at a time: [Open] takes a lock that the system gives back
// when the program ends, however it ends. A line is written by one call when the piece it
// tells of has ended. A last line that was cut off by a crash is left out, and removed
// before the next one is written; whatever else is wrong with a file leaves it as it is.
package journal

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/inlier-ml/inlier/internal/atomicfile"
	"github.com/inlier-ml/inlier/internal/tempfile"
)

// BusyError is a journal that another program is using.
type BusyError struct{ Path string }

// Error is one line.
func (e *BusyError) Error() string { return fmt.Sprintf("another run is using %s", e.Path) }

// ErrGone is a journal that was removed or replaced while it was open: what is written to it would be lost.
var ErrGone = errors.New("the folder was removed or replaced while it was in use; start again")

// File is an open journal. It may be used by many goroutines.
type File struct {
	path string
	mu   sync.Mutex
	file *os.File
	lock *lock
	end  int64 // of the whole lines
	made bool
}

// Open opens or creates the file and hands every whole line to read, with its number from
// 1 and without the line's end. An error of read is returned as it is. rest, if not nil, sees a
// file that holds but one line which has no end.
func Open(path string, read func(number int, line []byte) error, rest func(line []byte) error) (*File, error) {
	held, err := acquire(path)
	if err != nil {
		return nil, err
	}
	f := &File{path: path, lock: held}
	if _, err := os.Stat(path); os.IsNotExist(err) {
		f.made = true
	}
	if f.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666); err != nil {
		held.release()
		return nil, err
	}
	if err := f.read(read, rest); err != nil {
		f.Close()
		if f.made {
			_ = os.Remove(path)
		}
		return nil, err
	}
	return f, nil
}

func (f *File) read(read func(number int, line []byte) error, rest func(line []byte) error) error {
	in := bufio.NewReaderSize(f.file, 1<<20)
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			if number == 1 && len(line) > 0 && rest != nil {
				return rest(line)
			}
			return nil
		}
		if err != nil {
			return err
		}
		if err := read(number, line[:len(line)-1]); err != nil {
			return err
		}
		f.end += int64(len(line))
	}
}

// Shorten leaves only some of the whole lines, which have numbers from 1. The file is replaced as a whole; where that fails it stays as it is.
func (f *File) Shorten(keep func(number int) bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	kept := int64(0)
	err := atomicfile.Write(f.path, func(w io.Writer) error {
		in := bufio.NewReaderSize(io.NewSectionReader(f.file, 0, f.end), 1<<20)
		for number := 1; ; number++ {
			line, err := in.ReadBytes('\n')
			if err == nil && keep(number) {
				kept += int64(len(line))
				_, err = w.Write(line)
			}
			if err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
		}
	})
	if err != nil {
		return err
	}
	file, err := os.OpenFile(f.path, os.O_RDWR, 0)
	if err == nil {
		f.file.Close()
		f.file, f.end = file, kept
	}
	return err
}

// Empty tells whether there is no whole line yet.
func (f *File) Empty() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.end == 0
}

// Append writes v as a line.
func (f *File) Append(v any) error { return f.write(false, v) }

// Keep writes values as lines and returns when they are on the disk, so that they outlast the machine.
func (f *File) Keep(v ...any) error { return f.write(true, v...) }

func (f *File) write(sync bool, values ...any) error {
	var text []byte
	for _, v := range values {
		line, err := json.Marshal(v)
		if err != nil {
			return err
		}
		text = append(append(text, line...), '\n')
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.stands() {
		return ErrGone
	}
	// What stands behind the whole lines was cut off, now or by a write that failed.
	if info, err := f.file.Stat(); err != nil {
		return err
	} else if info.Size() != f.end {
		if err := f.file.Truncate(f.end); err != nil {
			return err
		}
	}
	if _, err := f.file.WriteAt(text, f.end); err != nil {
		return err
	}
	if sync {
		if err := f.file.Sync(); err != nil {
			return err // the next write takes back what was written
		}
	}
	f.end += int64(len(text))
	return nil
}

// Close brings the lines to the disk and lets others use the file. One that Open has made and that nothing was written to
// goes away.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return nil
	}
	unused := f.made && f.end == 0 && f.stands()
	err := errors.Join(f.file.Sync(), f.file.Close())
	if unused {
		_ = os.Remove(f.path)
	}
	f.file = nil
	f.lock.release()
	return err
}

// stands tells whether the file at the path is still the one that was opened.
func (f *File) stands() bool {
	own, err := f.file.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(f.path)
	return err == nil && os.SameFile(own, there)
}

// Discard closes the journal and removes it if Open has made it.
func (f *File) Discard() {
	f.mu.Lock()
	if f.made {
		_ = os.Remove(f.path)
	}
	f.mu.Unlock()
	_ = f.Close()
}

// Hold keeps others from opening the journal at path without opening it.
func Hold(path string) (release func(), err error) {
	l, err := acquire(path)
	if err != nil {
		return nil, err
	}
	return l.release, nil
}

// A lock stands in a file beside the journal, because a journal may be replaced as a whole
// while it is held.
type lock struct {
	path string
	file *os.File
}

// acquire takes the lock of a journal, or says that somebody has it.
func acquire(path string) (*lock, error) {
	name := path + ".lock"
	for range 100 {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return nil, err
		}
		free, err := tryLock(f)
		if err != nil || !free {
			f.Close()
			if err != nil {
				return nil, err
			}
			return nil, &BusyError{Path: path}
		}
		// Somebody may have given the lock back, and removed the file, in between.
		mine, err1 := f.Stat()
		there, err2 := os.Stat(name)
		if err1 == nil && err2 == nil && os.SameFile(mine, there) {
			tempfile.Track(name)
			return &lock{name, f}, nil
		}
		f.Close()
	}
	return nil, &BusyError{Path: path}
}

func (l *lock) release() {
	// First removed, while nobody else can have it. Systems that do not remove open files
	// keep an empty one, which the next run takes.
	_ = tempfile.Remove(l.path)
	l.file.Close()
}
