package file

import (
	"context"
	"errors"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/inlier-ml/inlier/dataset"
)

const (
	mostPage       = 256 << 20 // bytes of an unpacked page
	mostPageValues = 1 << 24
)

// inflation is the largest ratio that each compression can reach. LZ4 is not among them: the
// library unpacks it into another place than it reads from, and a damaged page without end.
var inflation = map[format.CompressionCodec]int64{
	format.Uncompressed: 1,
	format.Snappy:       64,
	format.Gzip:         mostInflation,
	format.Brotli:       1 << 15,
	format.Zstd:         1 << 15,
}

// checkPages goes through the headers of all pages and compares the sizes and counts
// they claim with the file, because the library allocates what they say.
func (t *parquetTable) checkPages() error {
	meta := t.parquet.Metadata()
	for _, group := range meta.RowGroups {
		rows := group.NumRows
		if rows < 0 || rows > 1<<40 || t.n > 1<<40 {
			return problem(t.file.name, "a group of %d rows is refused", rows)
		}
		t.n += int(rows)
		if len(group.Columns) < len(t.cols) {
			return problem(t.file.name, "the Parquet file is damaged: a group of rows lacks columns")
		}
		for k := range t.cols {
			if t.cols[k].refused != "" {
				continue
			}
			if t.leaf[k] >= len(group.Columns) {
				return problem(t.file.name, "the Parquet file is damaged: a group of rows lacks columns")
			}
			if err := t.checkColumn(&group.Columns[t.leaf[k]].MetaData, rows); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *parquetTable) checkColumn(m *format.ColumnMetaData, rows int64) error {
	damaged := func(what string) error {
		return problem(t.file.name, "the Parquet file is damaged: %s", what)
	}
	if rows == 0 { // nothing is read, and writers leave places open
		return nil
	}
	start := m.DataPageOffset
	if d := m.DictionaryPageOffset; d != 0 {
		if d < 4 || d > start {
			return damaged("a dictionary lies outside its column")
		}
		start = d
	}
	size := m.TotalCompressedSize
	if start < 4 || size < 0 || start > t.file.size || size > t.file.size-start {
		return damaged("a column lies outside the file")
	}
	ratio, known := inflation[m.Codec]
	if !known {
		return problem(t.file.name, "columns compressed by %s are not read", m.Codec).WithHint("write the file with snappy, zstd or gzip, which others read as well")
	}
	w := &pageWalk{table: t, at: start, end: start + size, rows: rows, ratio: ratio}
	if t.far {
		if t.left -= m.TotalUncompressedSize; t.left < 0 {
			return t.unpacksTo()
		}
		return nil
	}
	for w.at < w.end && w.values < rows {
		_, whole, err := w.next()
		if err != nil {
			return err
		}
		if t.left -= whole; t.left < 0 {
			return t.unpacksTo()
		}
	}
	if w.values != rows {
		return damaged("a column has fewer values than there are rows")
	}
	return nil
}

func (t *parquetTable) unpacksTo() error {
	return problem(t.file.name, "the pages unpack to more than a file of %d bytes may", t.file.size).WithHint(lift)
}

// pageWalk looks at the headers of a column's pages, one after the other, in a group of so many rows.
type pageWalk struct {
	table        *parquetTable
	at, end      int64
	rows, values int64 // values of the pages so far
	ratio        int64
}

// next looks at a page: whether it holds data, and the bytes that it unpacks to.
func (w *pageWalk) next() (data bool, whole int64, err error) {
	name := w.table.file.name
	damaged := func(what string) (bool, int64, error) {
		return false, 0, problem(name, "the Parquet file is damaged: %s", what)
	}
	header, length, err := w.table.pageHeader(w.at, w.end)
	if err != nil {
		if errors.As(err, new(*dataset.InputError)) || errors.Is(err, context.Canceled) { // of a store
			return false, 0, err
		}
		return damaged("a page header cannot be read")
	}
	w.at += length
	packed, whole := int64(header.CompressedPageSize), int64(header.UncompressedPageSize)
	if packed < 0 || packed > w.end-w.at {
		return damaged("a page is longer than its column")
	}
	if whole < 0 || whole > mostPage || whole > packed*w.ratio+1<<16 {
		return false, 0, problem(name, "a page claims to unpack %d bytes to %d", packed, whole)
	}
	count := int64(0)
	switch {
	case header.DataPageHeader.Valid:
		count, data = int64(header.DataPageHeader.V.NumValues), true
	case header.DataPageHeaderV2.Valid:
		count, data = int64(header.DataPageHeaderV2.V.NumValues), true
	case header.DictionaryPageHeader.Valid:
		count = int64(header.DictionaryPageHeader.V.NumValues)
		if count > 8*whole+64 {
			return damaged("a dictionary claims more values than it has bytes")
		}
	}
	if data {
		w.values += count
	}
	if count < 0 || count > mostPageValues || w.values > w.rows {
		return damaged("a page claims more values than there are rows")
	}
	w.at += packed
	return data, whole, nil
}

// walk looks at the pages of a column of an object while they are read: before, each would take a request. nil for files.
func (t *parquetTable) walk(m *format.ColumnMetaData, rows int64) *pageWalk {
	if !t.far {
		return nil
	}
	start := m.DataPageOffset
	if m.DictionaryPageOffset != 0 {
		start = m.DictionaryPageOffset
	}
	return &pageWalk{table: t, at: start, end: start + m.TotalCompressedSize, rows: rows, ratio: inflation[m.Codec]}
}

// turn goes to the next page that holds data, as the library will.
func (w *pageWalk) turn() error {
	for w != nil && w.at < w.end {
		if data, _, err := w.next(); data || err != nil {
			return err
		}
	}
	return nil
}

// pageHeader decodes the header at an offset and returns its length.
func (t *parquetTable) pageHeader(at, end int64) (*format.PageHeader, int64, error) {
	for room := int64(1 << 10); ; room *= 32 {
		room = min(room, end-at)
		buffer := make([]byte, room)
		if _, err := t.in.ReadAt(buffer, at); err != nil && err != io.EOF {
			return nil, 0, err
		}
		length, err := thriftLength(buffer)
		if err == nil {
			header := new(format.PageHeader)
			err = thrift.NewDecoder((&thrift.CompactProtocol{}).NewReaderFromBytes(buffer[:length])).Decode(header)
			return header, int64(length), err
		}
		if room == end-at || room >= 1<<20 {
			return nil, 0, err
		}
	}
}
