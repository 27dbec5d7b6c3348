// Package atomicfile writes files that appear whole or not at all.
//
// [Write] puts the content into a temporary file in the target's own folder, brings it
// to the disk and renames it, so that a reader, a full disk, an interruption or a crash
// never meets half a file, and the file that stood there before stays until the new one
// is complete.
package atomicfile

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Error is a target that cannot be written.
type Error struct {
	Path    string
	Problem string
}

// Error names the file.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Path, e.Problem) }

// Write creates or replaces the file at path with what content writes. Links are
// followed. Devices and pipes, which cannot be replaced, are written straight.
func Write(path string, content func(io.Writer) error) error {
	target, mode, straight, err := inspect(path)
	if err != nil {
		return err
	}
	if straight {
		return writeStraight(target, content)
	}
	f, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".*.tmp")
	if err != nil {
		return &Error{path, "cannot be written: " + reason(err)}
	}
	defer os.Remove(f.Name()) // without effect once it is renamed
	defer f.Close()
	out := bufio.NewWriterSize(f, 1<<16)
	if err := content(out); err != nil {
		return err
	}
	for _, finish := range []func() error{out.Flush, func() error { return f.Chmod(mode) }, f.Sync, f.Close,
		func() error { return os.Rename(f.Name(), target) }} {
		if err := finish(); err != nil {
			return &Error{path, "cannot be written: " + reason(err)}
		}
	}
	if dir, err := os.Open(filepath.Dir(target)); err == nil {
		_ = dir.Sync() // the name itself; some file systems refuse, and then nothing more can be done
		dir.Close()
	}
	return nil
}

// Check tells, before any work is done, whether path could be written.
func Check(path string) error {
	target, _, straight, err := inspect(path)
	if err != nil || straight {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".*.tmp")
	if err != nil {
		return &Error{path, "cannot be written: " + reason(err)}
	}
	f.Close()
	return os.Remove(f.Name())
}

// inspect follows links and looks at what stands at path.
func inspect(path string) (target string, mode fs.FileMode, straight bool, err error) {
	if path == "" {
		return "", 0, false, &Error{`""`, "is no name for a file"}
	}
	target = path
	if followed, err := filepath.EvalSymlinks(path); err == nil {
		target = followed
	}
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if last := path[len(path)-1]; os.IsPathSeparator(last) {
			return "", 0, false, &Error{path, "is a directory; a file is meant"}
		}
		return target, 0o644, false, nil
	case err != nil:
		return "", 0, false, &Error{path, "cannot be written: " + reason(err)}
	case info.IsDir():
		return "", 0, false, &Error{path, "is a directory; a file is meant"}
	case !info.Mode().IsRegular():
		return target, 0, true, nil
	}
	return target, info.Mode().Perm(), false, nil
}

func writeStraight(path string, content func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return &Error{path, "cannot be written: " + reason(err)}
	}
	out := bufio.NewWriterSize(f, 1<<16)
	if err := content(out); err != nil {
		f.Close()
		return err
	}
	if err := errors.Join(out.Flush(), f.Close()); err != nil {
		return &Error{path, "cannot be written: " + reason(err)}
	}
	return nil
}

// reason is what the system said, without the name of the temporary file.
func reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "its folder does not exist"
	case errors.Is(err, fs.ErrPermission):
		return "no permission"
	}
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	var l *os.LinkError
	if errors.As(err, &l) {
		return l.Err.Error()
	}
	return err.Error()
}
