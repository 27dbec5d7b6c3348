package npy

import (
	"io"
)

// Reader goes through the entries of one array in the order of the file.
type Reader struct {
	header Header
	in     io.Reader
	left   int64 // entries not read yet
	buffer []byte
	end    func() error // run once when the last entry has been read
	closer io.Closer
}

// NewReader reads the header. The size is the number of bytes that r can deliver, the
// header included, or negative when it is not known; an array that claims more is
// refused at once.
func NewReader(r io.Reader, size int64) (*Reader, error) {
	h, read, err := ReadHeader(r)
	if err != nil {
		return nil, err
	}
	if size >= 0 && h.Bytes() > size-read {
		return nil, bad("the header claims %d bytes of entries, but only %d follow", h.Bytes(), max(size-read, 0))
	}
	return &Reader{header: h, in: r, left: int64(h.Len())}, nil
}

// NewEntries reads entries that follow without an NPY header, as other formats have
// them; size bounds them as in NewReader.
func NewEntries(r io.Reader, h Header, size int64) (*Reader, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	if size >= 0 && h.Bytes() > size {
		return nil, bad("the header claims %d bytes of entries, but only %d follow", h.Bytes(), size)
	}
	return &Reader{header: h, in: r, left: int64(h.Len())}, nil
}

// Header tells what the array looks like.
func (r *Reader) Header() Header { return r.header }

// Close releases what an archive opened for the array.
func (r *Reader) Close() error {
	if r.closer == nil {
		return nil
	}
	return r.closer.Close()
}

// next reads the bytes of up to n entries and returns how many entries they are.
func (r *Reader) next(n int) ([]byte, int, error) {
	if r.left == 0 {
		if end := r.end; end != nil {
			r.end = nil
			if err := end(); err != nil {
				return nil, 0, err
			}
		}
		return nil, 0, io.EOF
	}
	size := r.header.Type.Size
	n = int(min(int64(n), r.left, int64(max(1, chunkBytes/max(size, 1)))))
	if cap(r.buffer) < n*size {
		r.buffer = make([]byte, n*size)
	}
	b := r.buffer[:n*size]
	if _, err := io.ReadFull(r.in, b); err != nil {
		return nil, 0, short(err, "the file ends before its last entry")
	}
	r.left -= int64(n)
	return b, n, nil
}

// Read fills dst with the next numbers and returns how many there were. Fewer than
// len(dst) means the end of the array, with io.EOF if there were none at all.
func (r *Reader) Read(dst []float64) (int, error) {
	if r.header.Type.Text() {
		return 0, bad("the array holds text, not numbers")
	}
	if r.header.Type.asInMemory() {
		n := int(min(int64(len(dst)), r.left))
		if n > 0 {
			if _, err := io.ReadFull(r.in, bytesOf(dst[:n])); err != nil {
				return 0, short(err, "the file ends before its last entry")
			}
			r.left -= int64(n)
		}
		if n == len(dst) && r.left > 0 {
			return n, nil
		}
		_, err := read(r, dst[n:], r.header.Type.decode) // what an archive does at the end
		if n > 0 && err == io.EOF {
			err = nil
		}
		return n, err
	}
	return read(r, dst, r.header.Type.decode)
}

// ReadText is Read for arrays of text.
func (r *Reader) ReadText(dst []string) (int, error) {
	t := r.header.Type
	if !t.Text() {
		return 0, bad("the array holds numbers, not text")
	}
	return read(r, dst, func(dst []string, src []byte) {
		for i := range dst {
			dst[i] = t.text(src[i*t.Size : (i+1)*t.Size])
		}
	})
}

func read[T any](r *Reader, dst []T, decode func([]T, []byte)) (int, error) {
	done := 0
	for done < len(dst) {
		b, n, err := r.next(len(dst) - done)
		if err == io.EOF && done > 0 {
			return done, nil
		}
		if err != nil {
			return done, err
		}
		decode(dst[done:done+n], b)
		done += n
	}
	if r.left == 0 && r.end != nil { // so that a damaged archive is noticed by whole reads
		if _, _, err := r.next(1); err != io.EOF {
			return done, err
		}
	}
	return done, nil
}

// Writer writes the entries of one array as they come.
type Writer struct {
	header Header
	out    io.Writer
	left   int64
	buffer []byte
}

// NewWriter writes the header. Exactly as many entries as its shape says must follow.
func NewWriter(w io.Writer, h Header) (*Writer, error) {
	if !h.Type.writable() {
		return nil, bad("arrays of type %s are not written", h.Type)
	}
	if err := h.check(); err != nil {
		return nil, err
	}
	if _, err := w.Write(h.encode()); err != nil {
		return nil, err
	}
	return &Writer{header: h, out: w, left: int64(h.Len())}, nil
}

// Write appends numbers.
func (w *Writer) Write(src []float64) error {
	if w.header.Type.Text() {
		return bad("numbers given to an array of text")
	}
	return write(w, src, w.header.Type.encode)
}

// WriteText appends texts; longer ones than the type holds are cut.
func (w *Writer) WriteText(src []string) error {
	if !w.header.Type.Text() {
		return bad("text given to an array of numbers")
	}
	return write(w, src, func(dst []byte, src []string) ([]byte, error) {
		for _, s := range src {
			dst = w.header.Type.appendText(dst, s)
		}
		return dst, nil
	})
}

func write[T any](w *Writer, src []T, encode func([]byte, []T) ([]byte, error)) error {
	if int64(len(src)) > w.left {
		return bad("%d entries more than shape %v holds", int64(len(src))-w.left, w.header.Shape)
	}
	step := max(1, chunkBytes/max(w.header.Type.Size, 1))
	for len(src) > 0 {
		n := min(step, len(src))
		var err error
		if w.buffer, err = encode(w.buffer[:0], src[:n]); err != nil {
			return err
		}
		if _, err = w.out.Write(w.buffer); err != nil {
			return err
		}
		src, w.left = src[n:], w.left-int64(n)
	}
	return nil
}

// Close makes sure that every entry was written. It does not close the writer below.
func (w *Writer) Close() error {
	if w.left != 0 {
		return bad("%d entries of shape %v were not written", w.left, w.header.Shape)
	}
	return nil
}
