package file

import (
	"context"
	"io"
	"os"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/given"
)

// Open looks at a file or a folder of images and finds its columns. The path "-" is
// standard input. Text columns that are to be coded are gone through once. Close the
// source afterwards.
func Open(path string, opts Options) (*Source, error) {
	return OpenContext(context.Background(), path, opts)
}

// OpenContext is Open that can be cancelled while it goes through text columns. Of an object of a store (s3://bucket/key, see
// [OpenFile]) the context ends later reading too.
func OpenContext(ctx context.Context, path string, opts Options) (*Source, error) {
	ctx = given.Context(ctx)
	if err := opts.check(); err != nil {
		return nil, err
	}
	return open(ctx, path, nil, opts)
}

// OpenReader is OpenContext for what a stream delivers: any format, told by the content. The
// stream is copied to a temporary file, because data are read several times, and read to its
// end, which must come within 4 GiB (or MaxBytes). Messages call it by the name.
func OpenReader(ctx context.Context, name string, stream io.Reader, opts Options) (*Source, error) {
	ctx = given.Context(ctx)
	if err := opts.check(); err != nil {
		return nil, err
	}
	return open(ctx, name, stream, opts)
}

func open(ctx context.Context, path string, stream io.Reader, opts Options) (*Source, error) {
	opts.ctx = ctx
	s := &Source{name: path, opts: opts, count: -1}
	if err := s.openTable(ctx, path, stream); err != nil {
		return nil, err
	}
	if err := s.resolve(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

// openOne finds the format and opens the file with its reader.
func (s *Source) openOne(ctx context.Context, path string, stream io.Reader) (err error) {
	if path == "" && stream == nil {
		return dataset.In("path", problem("", "no file is named"))
	}
	if path == "-" && stream == nil {
		path = "standard input"
		if stream = s.opts.Input; stream == nil {
			stream = os.Stdin
		}
	}
	if info, err := s.opts.disk().stat(path); err == nil && info.IsDir() && stream == nil {
		s.driver = s.opts.Format.driver()
		if s.opts.Format == "" {
			s.driver = &imagesDriver
		}
		if s.driver.openFolder == nil {
			return problem(path, "this is a folder where a %s file is meant", s.opts.Format)
		}
		if s.table, err = s.driver.openFolder(path, &s.opts); err != nil {
			return err
		}
		return s.checkGrowth()
	}
	path, member := splitMember(path, s.opts.disk())
	f, err := openFile(ctx, path, &s.opts, stream)
	if err != nil {
		return err
	}
	f.member = member
	s.name, s.packed, s.bytes = f.name, f.packed, f.size
	if s.driver = s.opts.Format.driver(); s.driver == nil {
		s.driver, err = detect(f)
	} else if len(f.head) == 0 {
		err = problem(f.name, "the file is empty")
	}
	if err == nil {
		s.table, err = s.driver.open(f, &s.opts)
	}
	if err != nil {
		f.close()
		return err
	}
	if err = s.checkGrowth(); err != nil {
		s.Close()
	}
	return err
}

// checkGrowth looks at the claims of a file that has been opened.
func (s *Source) checkGrowth() error {
	columns := len(s.table.fields())
	rows, _ := s.table.rows()
	if t, ok := s.table.(interface {
		stored() (bytes, cellsPerByte int64)
	}); ok {
		if rows > freeCells/columns { // else the files need not be asked
			bytes, perByte := t.stored()
			return s.opts.checkGrowth(s.name, rows, columns, bytes, perByte)
		}
		return nil
	}
	return s.opts.checkGrowth(s.name, rows, columns, s.bytes, cellsPerByte)
}
