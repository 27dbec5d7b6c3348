package file

import (
	"bytes"
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/inlier-ml/inlier/dataset/internal/objects"
)

// disk is where paths lead: to the machine's own files, or into a file system that a program
// hands over, where they are separated by slashes.
type disk struct {
	files fs.FS           // nil: the machine's own, and objects of stores
	ctx   context.Context // ends the reading of objects
}

func (o *Options) disk() disk { return disk{o.FS, o.ctx} }

func (d disk) open(name string) (fs.File, error) {
	if d.files != nil {
		return d.files.Open(path.Clean(name))
	}
	if ctx, far := d.far(name); far {
		o, err := objects.Open(ctx, name)
		if err != nil {
			return nil, err
		}
		return o, nil
	}
	in, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	return in, nil
}

func (d disk) stat(name string) (fs.FileInfo, error) {
	if d.files != nil {
		return fs.Stat(d.files, path.Clean(name))
	}
	if ctx, far := d.far(name); far {
		o, err := objects.Open(ctx, name)
		if err != nil {
			return nil, err
		}
		return o.Stat()
	}
	return os.Stat(name)
}

func (d disk) list(folder string) ([]fs.DirEntry, error) {
	if d.files != nil {
		return fs.ReadDir(d.files, path.Clean(folder))
	}
	return os.ReadDir(folder)
}

func (d disk) join(names ...string) string {
	if d.files != nil {
		return path.Join(names...)
	}
	return filepath.Join(names...)
}

func (d disk) folder(name string) string {
	if d.files != nil {
		return path.Dir(name)
	}
	return filepath.Dir(name)
}

// anywhere is an opened file that can be read at any place.
type anywhere interface {
	io.ReaderAt
	io.Closer
}

// seekable reads a file that cannot go back into memory.
func seekable(in fs.File) (io.ReadSeeker, error) {
	if s, ok := in.(io.ReadSeeker); ok {
		return s, nil
	}
	all, err := io.ReadAll(in)
	return bytes.NewReader(all), err
}
