package file

import (
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
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
	values := int64(0)
	for at, end := start, start+size; at < end && values < rows; {
		header, length, err := t.pageHeader(at, end)
		if err != nil {
			return damaged("a page header cannot be read")
		}
		at += length
		packed, whole := int64(header.CompressedPageSize), int64(header.UncompressedPageSize)
		if packed < 0 || packed > end-at {
			return damaged("a page is longer than its column")
		}
		if whole < 0 || whole > mostPage || whole > packed*ratio+1<<16 {
			return problem(t.file.name, "a page claims to unpack %d bytes to %d", packed, whole)
		}
		if t.left -= whole; t.left < 0 {
			return problem(t.file.name, "the pages unpack to more than a file of %d bytes may", t.file.size).WithHint(lift)
		}
		count := int64(0)
		switch {
		case header.DataPageHeader.Valid:
			count = int64(header.DataPageHeader.V.NumValues)
			values += count
		case header.DataPageHeaderV2.Valid:
			count = int64(header.DataPageHeaderV2.V.NumValues)
			values += count
		case header.DictionaryPageHeader.Valid:
			count = int64(header.DictionaryPageHeader.V.NumValues)
			if count > 8*whole+64 {
				return damaged("a dictionary claims more values than it has bytes")
			}
		}
		if count < 0 || count > mostPageValues || values > rows {
			return damaged("a page claims more values than there are rows")
		}
		at += packed
	}
	if values != rows {
		return damaged("a column has fewer values than there are rows")
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
