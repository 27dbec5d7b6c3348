package file

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/internal/objects"
	"github.com/inlier-ml/inlier/internal/inflate"
	"github.com/inlier-ml/inlier/internal/tempfile"
)

// Archives too are unpacked by the faster reader that compressed files need.
func init() { inflate.Reader = flate.NewReader }

// headBytes is how much of a file's beginning, unpacked, is looked at to tell its
// format, its delimiter and the kinds of its columns.
const headBytes = 1 << 20

// mostInflation is the largest ratio that gzip can reach.
const mostInflation = 1032

// file is a file on disk that can be read from the beginning many times, unpacked on
// the way if it is compressed. A stream is first copied to a temporary file.
type content struct {
	name    string // as the user wrote it
	path    string
	disk    disk
	place   string // path as it was opened; empty for a stream
	version string // of an object of a store
	size    int64  // bytes on disk
	packed  bool   // compressed by gzip
	limit   int64  // largest number of unpacked bytes
	head    []byte
	whole   bool // the head is the whole file
	temp    bool
	returns bool   // lines end by carriage returns alone
	member  string // the array of an archive that is meant; empty: found out
}

// openFile looks at the beginning of a file, or of a stream where that is not nil; the path
// is only its name then.
func openFile(ctx context.Context, path string, opts *Options, stream io.Reader) (*content, error) {
	f := &content{name: path, path: path, disk: opts.disk()}
	if stream == nil {
		f.place = path
	} else {
		if err := f.spool(ctx, stream, opts); err != nil {
			return nil, err
		}
	}
	if err := f.look(ctx, opts); err != nil {
		f.close()
		return nil, err
	}
	return f, nil
}

func isPacked(head []byte) bool { return bytes.HasPrefix(head, []byte{0x1f, 0x8b}) }

// notRead refuses a file that is something else.
func notRead(name, what string) error {
	if strings.Contains(what, " image") {
		return problem(name, "this looks like %s", what).WithHint("save it as PNG or JPEG")
	}
	return problem(name, "this looks like %s", what).WithHint("save it as CSV (UTF-8), Parquet or NPY")
}

func (f *content) look(ctx context.Context, opts *Options) error {
	in, err := f.disk.open(f.path)
	if err != nil {
		return missingFile(f.name, err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	if info.IsDir() {
		return problem(f.name, "this is a folder where a file is meant")
	}
	f.size = info.Size()
	f.version, _ = info.Sys().(string)
	_, direct := in.(io.ReaderAt)
	if !info.Mode().IsRegular() || !direct { // a pipe such as /dev/fd/63, or a file in an archive: read it once, into a file
		if err := f.spool(ctx, in, opts); err != nil {
			return err
		}
		return f.look(ctx, opts)
	}
	var magic [2]byte
	n, err := io.ReadFull(in, magic[:])
	if err != nil && n == 0 {
		if errors.Is(err, io.EOF) {
			return nil
		}
		return err
	}
	f.packed = isPacked(magic[:n])
	f.limit = opts.maxUnpacked(f.size, freeBytes)
	stream, err := f.open()
	if err != nil {
		return err
	}
	defer stream.Close()
	f.head, err = io.ReadAll(io.LimitReader(stream, headBytes))
	if err != nil {
		return err
	}
	f.whole = len(f.head) < headBytes
	if f.returns = endsLinesByReturns(f.head); f.returns {
		toNewlines(f.head)
	}
	return nil
}

// endsLinesByReturns tells whether a text ends its lines by carriage returns alone, as programs
// of old Macs and some instruments write it.
func endsLinesByReturns(head []byte) bool {
	return bytes.IndexByte(head, '\r') >= 0 && bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(head, 0) < 0 &&
		!slices.ContainsFunc(drivers(), func(d *driver) bool { return d.begins(head) })
}

func toNewlines(text []byte) {
	for i, c := range text {
		if c == '\r' {
			text[i] = '\n'
		}
	}
}

// newlines reads a text whose lines end by carriage returns.
type newlines struct{ io.ReadCloser }

func (r newlines) Read(b []byte) (int, error) {
	n, err := r.ReadCloser.Read(b)
	toNewlines(b[:n])
	return n, err
}

func (f *content) close() error {
	if f.temp {
		f.temp = false
		return tempfile.Remove(f.path)
	}
	return nil
}

// missingFile says in plain words why a file cannot be opened.
func missingFile(name string, err error) error {
	e := &dataset.InputError{File: name, Err: err}
	if errors.As(err, new(*dataset.InputError)) { // of a store, which says more
		return err
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Problem = "there is no such file"
	case errors.Is(err, fs.ErrPermission):
		e.Problem = "no permission to read it"
	default:
		var path *fs.PathError
		if !errors.As(err, &path) {
			return err
		}
		e.Problem = "it cannot be opened: " + path.Err.Error()
	}
	return e
}

// open starts reading at the beginning, unpacked, with ends of lines as we know them.
func (f *content) open() (io.ReadCloser, error) {
	in, err := f.unpacked()
	if err != nil || !f.returns {
		return in, err
	}
	return newlines{in}, nil
}

// unpacked starts reading at the beginning.
func (f *content) unpacked() (io.ReadCloser, error) {
	in, err := f.again()
	if err != nil || !f.packed {
		return in, err
	}
	unpack, err := gzip.NewReader(in)
	if err != nil {
		in.Close()
		return nil, f.damaged(err)
	}
	return &unpacking{file: f, gzip: unpack, below: in, left: f.limit}, nil
}

// again opens the file once more, in the version that was looked at.
func (f *content) again() (fs.File, error) {
	in, err := f.disk.open(f.path)
	if err != nil {
		return nil, missingFile(f.name, err)
	}
	if f.version != "" {
		if info, err := in.Stat(); err != nil || info.Sys() != f.version {
			in.Close()
			return nil, problem(f.name, "the object changed while it was read").WithHint("begin again when nobody writes it")
		}
	}
	return in, nil
}

// anywhere opens the file as it lies on disk for reading at any place.
func (f *content) anywhere() (anywhere, error) {
	in, err := f.again()
	if err != nil {
		return nil, err
	}
	if o, far := in.(*objects.Object); far {
		return newWindows(o, f.size), nil
	}
	return in.(anywhere), nil // which look has seen to
}

func (f *content) damaged(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &dataset.InputError{File: f.name, Problem: "the compressed file is cut off", Err: err}
	}
	return &dataset.InputError{File: f.name, Problem: "the compressed file is damaged", Err: err}
}

// unpacking reads a gzip file and stops a file that unpacks to more than is allowed.
type unpacking struct {
	file  *content
	gzip  *gzip.Reader
	below io.Closer
	left  int64
}

func (u *unpacking) Read(b []byte) (int, error) {
	n, err := u.gzip.Read(b)
	if u.left -= int64(n); u.left < 0 {
		return 0, problem(u.file.name, "the compressed file of %d bytes unpacks to more than %d", u.file.size, u.file.limit).
			WithHint(lift)
	}
	if err != nil && err != io.EOF {
		err = u.file.damaged(err)
	}
	return n, err
}

func (u *unpacking) Close() error {
	u.gzip.Close()
	return u.below.Close()
}

// claim compares a number of bytes that a header promises with the file. It returns an
// error when the file cannot hold them, and whether it certainly does.
func (f *content) claim(bytes int64) (certain bool, err error) {
	switch {
	case !f.packed && bytes > f.size:
		return false, problem(f.name, "the header claims %d bytes, but the file has only %d", bytes, f.size)
	case f.packed && bytes/mostInflation > f.size:
		return false, problem(f.name, "the header claims %d bytes, which a compressed file of %d cannot hold", bytes, f.size)
	case f.packed && bytes > f.limit:
		return false, problem(f.name, "the header claims %d bytes, more than the allowed %d for a compressed file of %d", bytes, f.limit, f.size).WithHint(lift)
	}
	return !f.packed || bytes/20 <= f.size, nil
}

// text is the head without the byte-order mark.
func (f *content) text() []byte { return bytes.TrimPrefix(f.head, []byte("\xef\xbb\xbf")) }

// bom is the length of a byte-order mark.
const bom = 3

// lookFurther reads a longer head and tells whether it is the whole file.
func (f *content) lookFurther(want int) (whole bool, err error) {
	in, err := f.open()
	if err != nil {
		return false, err
	}
	defer in.Close()
	f.head = make([]byte, want)
	n, err := io.ReadFull(in, f.head)
	f.head = f.head[:n]
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return true, nil
	}
	return false, err
}
