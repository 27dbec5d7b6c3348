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
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/inlier-ml/inlier/internal/tempfile"
)

// Error is a target that cannot be written.
type Error struct {
	Path    string
	Problem string
	Err     error // what the system said; nil where the program refuses
}

func failed(path string, err error) *Error {
	return &Error{path, "cannot be written: " + reason(err), err}
}

// Unwrap is what the system said.
func (e *Error) Unwrap() error { return e.Err }

// Error names the file.
func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Path, e.Problem) }

// Write creates or replaces the file at path with what content writes. Links are
// followed. Devices and pipes, which cannot be replaced, are written straight. A new file
// has the permissions that the umask leaves; one that is replaced keeps its own.
func Write(path string, content func(io.Writer) error) error {
	target, old, straight, err := inspect(path)
	if err != nil {
		return err
	}
	if straight {
		return writeStraight(target, content)
	}
	f, err := besides(target, old)
	if err != nil {
		return failed(path, err)
	}
	tempfile.Track(f.Name())
	defer tempfile.Remove(f.Name()) // without effect once it is renamed
	defer f.Close()
	out := bufio.NewWriterSize(f, 1<<16)
	if err := content(out); err != nil {
		return err
	}
	keep := func() error {
		if old == nil {
			return nil
		}
		return f.Chmod(old.Mode().Perm())
	}
	for _, finish := range []func() error{out.Flush, keep, f.Sync, f.Close, func() error { return os.Rename(f.Name(), target) }} {
		if err := finish(); err != nil {
			return failed(path, err)
		}
	}
	SyncFolder(filepath.Dir(target))
	return nil
}

// SyncFolder brings the names in a folder to the disk. Some file systems refuse, and then nothing more can be done.
func SyncFolder(path string) {
	if dir, err := os.Open(path); err == nil {
		_ = dir.Sync()
		dir.Close()
	}
}

// Check tells, before any work is done, whether path could be written.
func Check(path string) error {
	target, old, straight, err := inspect(path)
	if err != nil || straight {
		return err
	}
	f, err := besides(target, old)
	if err != nil {
		return failed(path, err)
	}
	f.Close()
	return os.Remove(f.Name())
}

// besides creates a temporary file in the folder of target. The system takes the umask
// off its permissions, which os.CreateTemp would not let it do; what replaces a private
// file is never readable by others, not even for a moment.
func besides(target string, old fs.FileInfo) (*os.File, error) {
	mode := fs.FileMode(0o666)
	if old != nil {
		mode = old.Mode().Perm() | 0o200
	}
	name := filepath.Base(target)
	if len(name) > 100 { // so that the longer name is allowed wherever the target's own is
		name = strings.ToValidUTF8(name[:100], "")
	}
	for tries := 0; ; tries++ {
		path := filepath.Join(filepath.Dir(target), fmt.Sprintf(".%s.%016x.tmp", name, rand.Uint64()))
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) && tries < 100 {
			continue
		}
		return f, err
	}
}

// inspect follows links and looks at what stands at path; old is nil for a new file.
func inspect(path string) (target string, old fs.FileInfo, straight bool, err error) {
	if path == "" {
		return "", nil, false, &Error{Path: `""`, Problem: "is no name for a file"}
	}
	target = path
	if followed, err := filepath.EvalSymlinks(path); err == nil {
		target = followed
	}
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if last := path[len(path)-1]; os.IsPathSeparator(last) {
			return "", nil, false, &Error{Path: path, Problem: "is a directory; a file is meant"}
		}
		return target, nil, false, nil
	case err != nil:
		return "", nil, false, failed(path, err)
	case info.IsDir():
		return "", nil, false, &Error{Path: path, Problem: "is a directory; a file is meant"}
	case !info.Mode().IsRegular():
		return target, nil, true, nil
	}
	return target, info, false, nil
}

func writeStraight(path string, content func(io.Writer) error) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return failed(path, err)
	}
	out := bufio.NewWriterSize(f, 1<<16)
	if err := content(out); err != nil {
		f.Close()
		return err
	}
	if err := errors.Join(out.Flush(), f.Close()); err != nil {
		return failed(path, err)
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
