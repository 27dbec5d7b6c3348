package file

import (
	"context"
	"io"
	"strconv"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/npy"
)

// arrayTable is an array of numbers whose first dimension counts the samples: NPY, a
// member of NPZ, IDX.
type arrayTable struct {
	file    *content
	header  npy.Header
	n, d    int
	certain bool // the file has been seen to hold n rows
	columns []field
	hasName bool
	// start begins reading the entries in C order; the closer is closed afterwards.
	start func() (*npy.Reader, io.Closer, error)
	// part reads some rows; nil where that takes reading those before them.
	part func(in io.ReaderAt, row, rows int) (*npy.Reader, error)
	// block reads rows of an array in Fortran order; nil for C order.
	block  func(dst []float64, first, rows int) error
	labels *labelColumn
	closer io.Closer
	inner  []int // shape of a sample, if the file says it otherwise than by dimensions
}

// labelColumn is a target that stands beside the samples.
type labelColumn struct {
	name   string
	values []float64 // numbers, or indices into levels
	levels []string
}

func (l *labelColumn) field() *field {
	if l == nil {
		return nil
	}
	f := &field{name: l.name, kind: dataset.Number}
	if l.levels != nil {
		f.kind = dataset.Text
	}
	return f
}

// newLabelColumn takes numbers or texts.
func newLabelColumn(name string, a *npy.Array) *labelColumn {
	l := &labelColumn{name: name, values: a.Data}
	if a.Text != nil {
		var d dictionary
		l.values = make([]float64, len(a.Text))
		for i, s := range a.Text {
			l.values[i] = d.number([]byte(s))
		}
		l.levels = d.names
	}
	return l
}

// newArrayTable checks the dimensions of an array.
func newArrayTable(f *content, h npy.Header, opts *Options) (*arrayTable, error) {
	if h.Type.Text() {
		return nil, problem(f.name, "the array holds text, not numbers")
	}
	if len(h.Shape) == 0 {
		return nil, problem(f.name, "the array is a single number, not a table")
	}
	t := &arrayTable{file: f, header: h, n: h.Shape[0], d: 1}
	for _, k := range h.Shape[1:] {
		if k > 0 && t.d > (1<<31)/k {
			return nil, problem(f.name, "a sample of shape %s is too large", dataset.FormatShape(h.Shape[1:]))
		}
		t.d *= k
	}
	if t.n == 0 || t.d == 0 {
		return nil, problem(f.name, "the array of shape %s holds no entries", dataset.FormatShape(h.Shape))
	}
	if err := opts.checkColumns(f.name, t.d, f.size); err != nil {
		return nil, err
	}
	if err := opts.checkGrowth(f.name, t.n, t.d, f.size, cellsPerByte); err != nil {
		return nil, err
	}
	t.columns = numberedFields(t.d)
	return t, nil
}

// numberedFields are columns x1, x2, ... of a file that names none.
func numberedFields(d int) []field {
	fields := make([]field, d)
	for k := range fields {
		fields[k] = field{name: "x" + strconv.Itoa(k+1), kind: dataset.Number}
	}
	return fields
}

func (t *arrayTable) fields() []field   { return t.columns }
func (t *arrayTable) named() bool       { return t.hasName }
func (t *arrayTable) label() *field     { return t.labels.field() }
func (t *arrayTable) rows() (int, bool) { return t.n, t.certain }

func (t *arrayTable) shape() []int {
	if t.inner != nil {
		return t.inner
	}
	if len(t.header.Shape) < 3 {
		return nil
	}
	return t.header.Shape[1:]
}

func (t *arrayTable) close() error {
	if t.closer != nil {
		t.closer.Close()
	}
	return t.file.close()
}

// bound goes through a compressed array whose claim is suspiciously large.
func (t *arrayTable) bound(ctx context.Context) (int, error) {
	n := 0
	err := t.scan(ctx, &job{target: -1}, func(c *chunk) error { n += c.rows; return nil })
	return n, err
}

// chunkRowsFor is the number of rows in chunks of about a megabyte, a multiple of the
// rows of a block where that is possible.
func chunkRowsFor(d, n int) int {
	rows := max(1, (1<<17)/d)
	if rows > blockRows {
		rows -= rows % blockRows
	}
	return min(rows, max(n, 1))
}

func (t *arrayTable) scan(ctx context.Context, job *job, visit func(*chunk) error) error {
	if t.labels != nil && len(t.labels.values) != t.n {
		return problem(t.file.name, "there are %d samples but %d labels", t.n, len(t.labels.values))
	}
	if _, far := t.file.disk.far(t.file.path); t.part != nil && job.into != nil && !far {
		return t.scanTogether(ctx, job, visit)
	}
	rows := chunkRowsFor(t.d, t.n)
	begin := 0
	read := t.block
	if read != nil {
		rows = max(rows, min(t.n, (1<<22)/t.d)) // fewer, longer reads of each column
		begin = job.from.Row
	} else {
		start := t.start
		if t.part != nil && job.from.Row > 0 {
			begin = job.from.Row
			start = func() (*npy.Reader, io.Closer, error) {
				in, err := t.file.anywhere()
				if err != nil {
					return nil, nil, err
				}
				r, err := t.part(in, begin, t.n-begin)
				return r, in, err
			}
		}
		r, closer, err := start()
		if err != nil {
			return inFile(t.file.name, err)
		}
		defer closer.Close()
		read = func(dst []float64, _, _ int) error {
			got, err := r.Read(dst)
			if err == nil && got < len(dst) {
				err = io.ErrUnexpectedEOF
			}
			return err
		}
	}
	var wide []float64 // whole rows, of which some columns are wanted
	if !job.all {
		wide = make([]float64, rows*t.d)
	}
	fill := func(c *chunk, first int) (int, error) {
		first += begin
		n := min(rows, t.n-first)
		if n == 0 {
			return 0, nil
		}
		c.room(job, first, n)
		dst := wide
		if job.all {
			dst = c.x
		}
		if err := read(dst[:n*t.d], first, n); err != nil {
			return 0, inFile(t.file.name, err)
		}
		if !job.all {
			job.narrow(c.x, dst[:n*t.d], t.d)
		}
		t.pickTarget(c, job, dst, first)
		return n, nil
	}
	return ahead(ctx, fill, after(begin, visit))
}

// npyDriver reads and writes one NumPy array.
var npyDriver = driver{
	name: NPY, endings: []string{".npy"}, magic: []string{"\x93NUMPY"}, unpackable: true, options: []string{"labels"},
	open:    func(f *content, opts *Options) (table, error) { return openNPY(f, opts) },
	labels:  labelsOfArray,
	write:   writeNPY,
	parts:   npyParts,
	numeric: true,
}

// openNPY opens one array.
func openNPY(f *content, opts *Options) (*arrayTable, error) {
	in, err := f.open()
	if err != nil {
		return nil, err
	}
	h, skip, err := npy.ReadHeader(in)
	in.Close()
	if err != nil {
		return nil, inFile(f.name, err)
	}
	t, err := newArrayTable(f, h, opts)
	if err != nil {
		return nil, err
	}
	if t.certain, err = f.claim(skip + h.Bytes()); err != nil {
		return nil, err
	}
	t.start = func() (*npy.Reader, io.Closer, error) {
		in, err := f.open()
		if err != nil {
			return nil, nil, err
		}
		r, err := npy.NewReader(in, -1)
		return r, in, err
	}
	if !f.packed && !h.Fortran && len(h.Shape) > 0 {
		one := h.Bytes() / int64(h.Shape[0])
		t.part = func(in io.ReaderAt, row, rows int) (*npy.Reader, error) {
			some := h
			some.Shape = append([]int{rows}, h.Shape[1:]...)
			return npy.NewEntries(io.NewSectionReader(in, skip+int64(row)*one, some.Bytes()), some, -1)
		}
	}
	if h.Fortran && len(h.Shape) > 1 {
		if f.packed {
			return nil, problem(f.name, "a compressed array in Fortran order is not read").WithHint("unpack the file first")
		}
		in, err := f.anywhere()
		if err != nil {
			return nil, err
		}
		t.closer = in
		t.block = fortranBlocks(in, skip, h)
	}
	if t.labels, err = labelsBeside(f.name, opts); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

// fortranBlocks reads rows of an array whose columns lie one after another in the file.
func fortranBlocks(in io.ReaderAt, skip int64, h npy.Header) func(dst []float64, first, rows int) error {
	n, size := h.Shape[0], int64(h.Type.Size)
	position := fortranColumns(h.Shape[1:])
	d := len(position)
	var column []float64
	return func(dst []float64, first, rows int) error {
		if cap(column) < rows {
			column = make([]float64, rows)
		}
		part := npy.Header{Type: h.Type, Shape: []int{rows}}
		for k, to := range position {
			at := skip + (int64(k)*int64(n)+int64(first))*size
			r, err := npy.NewEntries(io.NewSectionReader(in, at, int64(rows)*size), part, -1)
			if err != nil {
				return err
			}
			if _, err := r.Read(column[:rows]); err != nil {
				return err
			}
			for i, v := range column[:rows] {
				dst[i*d+to] = v
			}
		}
		return nil
	}
}

// fortranColumns gives, for the entries of a sample in Fortran order, their position
// in C order.
func fortranColumns(shape []int) []int {
	position := make([]int, dataset.Volume(shape))
	index := make([]int, len(shape))
	for k := range position {
		at := 0
		for i, n := range shape {
			at = at*n + index[i]
		}
		position[k] = at
		for i, n := range shape {
			if index[i]++; index[i] < n {
				break
			}
			index[i] = 0
		}
	}
	return position
}
