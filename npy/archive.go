package npy

import (
	"archive/zip"
	"compress/flate"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/inlier-ml/inlier/internal/inflate"
)

const (
	// mostInflation is the largest ratio that DEFLATE can reach, so a member that
	// claims more is lying.
	mostInflation = 1032
	slack         = 1 << 10
)

// Archive is an NPZ file: named arrays, and perhaps other files, in a zip archive.
type Archive struct {
	members map[string]*zip.File
	arrays  []string
	files   []string
}

// NewArchive reads the directory of the archive in the first size bytes of r. What the
// directory claims of each member is compared with the size of the archive, so an
// archive can never make a reader allocate more than its own size explains.
func NewArchive(r io.ReaderAt, size int64) (*Archive, error) {
	// A section answers offsets outside the archive with the end of the file.
	z, err := zip.NewReader(io.NewSectionReader(r, 0, size), size)
	if err != nil {
		return nil, zipError(err)
	}
	z.RegisterDecompressor(zip.Deflate, inflate.Reader)
	a := &Archive{members: map[string]*zip.File{}}
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		if a.members[f.Name] != nil {
			return nil, bad("the archive holds %q twice", f.Name)
		}
		if err := plausible(f, size); err != nil {
			return nil, err
		}
		a.members[f.Name] = f
		if name, ok := strings.CutSuffix(f.Name, ".npy"); ok {
			a.arrays = append(a.arrays, name)
		} else {
			a.files = append(a.files, f.Name)
		}
	}
	return a, nil
}

// plausible compares the sizes a member claims with each other and with the archive.
func plausible(f *zip.File, size int64) error {
	packed, whole := f.CompressedSize64, f.UncompressedSize64
	if packed > uint64(size) {
		return bad("%q claims %d bytes in an archive of %d", f.Name, packed, size)
	}
	switch f.Method {
	case zip.Store:
		if packed != whole {
			return bad("%q is stored, but its two sizes differ", f.Name)
		}
	case zip.Deflate:
		if whole > packed*mostInflation+slack {
			return bad("%q claims to unpack %d bytes to %d, which no compression reaches", f.Name, packed, whole)
		}
	default:
		return bad("%q is compressed in a way that is not supported (method %d)", f.Name, f.Method)
	}
	return nil
}

func zipError(err error) error {
	switch {
	case errors.Is(err, zip.ErrChecksum):
		return bad("the archive is damaged: a checksum does not match")
	case errors.Is(err, zip.ErrFormat), errors.Is(err, zip.ErrAlgorithm), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return bad("this is not a whole zip archive")
	}
	var corrupt flate.CorruptInputError
	if errors.As(err, &corrupt) {
		return bad("the archive is damaged: its compressed bytes make no sense")
	}
	return err
}

// Arrays names the arrays in the order of the archive.
func (a *Archive) Arrays() []string { return a.arrays }

// Files names the members that are not arrays.
func (a *Archive) Files() []string { return a.files }

// Has reports whether there is an array of that name.
func (a *Archive) Has(name string) bool { return a.members[name+".npy"] != nil }

// Packed returns the number of bytes that the array takes in the archive, and how many
// it claims to unpack to.
func (a *Archive) Packed(name string) (packed, whole int64) {
	return a.Size(name + ".npy")
}

// Size returns the number of bytes that a member, array or file, takes in the archive,
// and how many it claims to unpack to.
func (a *Archive) Size(member string) (packed, whole int64) {
	f := a.members[member]
	if f == nil {
		return 0, 0
	}
	return int64(f.CompressedSize64), int64(f.UncompressedSize64)
}

// member reads one member and turns zip's errors into complaints about the content.
type member struct{ in io.ReadCloser }

func (m member) Read(b []byte) (int, error) {
	n, err := m.in.Read(b)
	if err != nil && err != io.EOF {
		err = zipError(err)
	}
	return n, err
}

func (m member) Close() error { return m.in.Close() }

// Open starts reading an array. Close the reader afterwards.
func (a *Archive) Open(name string) (*Reader, error) {
	f := a.members[name+".npy"]
	if f == nil {
		return nil, bad("the archive has no array %q; it has %s", name, strings.Join(a.arrays, ", "))
	}
	in, err := f.Open()
	if err != nil {
		return nil, zipError(err)
	}
	m := member{in: in}
	r, err := NewReader(m, int64(f.UncompressedSize64))
	if err != nil {
		in.Close()
		return nil, within(name, err)
	}
	r.closer = m
	r.end = func() error { // reach the end of the member, where its checksum is compared
		var more [1]byte
		switch n, err := io.ReadFull(m, more[:]); {
		case n > 0:
			return bad("array %q has bytes after its last entry", name)
		case err != io.EOF:
			return err
		}
		return nil
	}
	return r, nil
}

// within names the array in a complaint.
func within(name string, err error) error {
	var e *Error
	if errors.As(err, &e) {
		return bad("array %q: %s", name, e.Problem)
	}
	return err
}

// Array reads a whole array and compares its checksum.
func (a *Archive) Array(name string) (*Array, error) {
	r, err := a.Open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	// Only a stored member has proved its size; a compressed one may still end early.
	f := a.members[name+".npy"]
	array, err := r.all(f.Method == zip.Store || f.UncompressedSize64 <= 16*f.CompressedSize64+slack)
	if err == nil {
		if _, _, end := r.next(1); end != io.EOF {
			err = end
		}
	}
	if err != nil {
		return nil, within(name, err)
	}
	return array, nil
}

// File reads a member that is not an array, such as a description in JSON. More bytes
// than the limit are refused.
func (a *Archive) File(name string, limit int64) ([]byte, error) {
	f := a.members[name]
	if f == nil {
		return nil, bad("the archive has no file %q", name)
	}
	if f.UncompressedSize64 > uint64(limit) {
		return nil, bad("%q of %d bytes is larger than the allowed %d", name, f.UncompressedSize64, limit)
	}
	in, err := f.Open()
	if err != nil {
		return nil, zipError(err)
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, limit+1))
	if err != nil {
		return nil, within(name, zipError(err))
	}
	if int64(len(data)) > limit {
		return nil, bad("%q is larger than the allowed %d bytes", name, limit)
	}
	return data, nil
}

// ArchiveWriter writes an NPZ file. The bytes depend on the content alone.
type ArchiveWriter struct {
	zip      *zip.Writer
	compress bool
	seen     map[string]bool
}

// NewArchiveWriter starts an archive; compress asks for smaller files at the price of
// time.
func NewArchiveWriter(w io.Writer, compress bool) *ArchiveWriter {
	return &ArchiveWriter{zip: zip.NewWriter(w), compress: compress, seen: map[string]bool{}}
}

// oldest is the time that every member carries: the first that zip can express.
var oldest = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func (w *ArchiveWriter) member(name string) (io.Writer, error) {
	if w.seen[name] {
		return nil, bad("%q is written twice", name)
	}
	w.seen[name] = true
	method := zip.Store
	if w.compress {
		method = zip.Deflate
	}
	return w.zip.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: oldest})
}

// Array writes an array as float64, or as text.
func (w *ArchiveWriter) Array(name string, a *Array) error {
	m, err := w.member(name + ".npy")
	if err != nil {
		return err
	}
	return within(name, Write(m, a))
}

// Create starts an array whose entries follow through the writer it returns. Close
// that one before the next member begins.
func (w *ArchiveWriter) Create(name string, h Header) (*Writer, error) {
	m, err := w.member(name + ".npy")
	if err != nil {
		return nil, err
	}
	return NewWriter(m, h)
}

// File writes a member that is not an array.
func (w *ArchiveWriter) File(name string, data []byte) error {
	m, err := w.member(name)
	if err != nil {
		return err
	}
	_, err = m.Write(data)
	return err
}

// Close writes the directory. It does not close the writer below.
func (w *ArchiveWriter) Close() error { return w.zip.Close() }
