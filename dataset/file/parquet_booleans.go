package file

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

var errRuns = errors.New("runs of truth values cannot be read")

// booleanPages goes through the data pages of a column of truth values beside the library, which misreads
// those that are stored as runs: of a run of ones it keeps every eighth, and it begins each at a whole byte.
type booleanPages struct {
	table    *parquetTable
	codec    format.CompressionCodec
	at, end  int64
	optional bool
}

// newBooleanPages is nil for columns of anything else.
func newBooleanPages(t *parquetTable, m *format.ColumnMetaData, optional bool) *booleanPages {
	if m.Type != format.Boolean {
		return nil
	}
	start := m.DataPageOffset
	if m.DictionaryPageOffset != 0 {
		start = m.DictionaryPageOffset
	}
	return &booleanPages{table: t, codec: m.Codec, at: start, end: start + m.TotalCompressedSize, optional: optional}
}

// next goes to the next page of so many cells. If its values, len(dst) of them, are stored as runs, it reads them and
// says so.
func (b *booleanPages) next(dst []float64, cells int) (read bool, err error) {
	for b.at < b.end {
		header, length, err := b.table.pageHeader(b.at, b.end)
		if err != nil {
			return false, err
		}
		from, size := b.at+length, int64(header.CompressedPageSize)
		b.at = from + size
		v1, v2 := &header.DataPageHeader, &header.DataPageHeaderV2
		var encoding format.Encoding
		switch {
		case v1.Valid && int(v1.V.NumValues) == cells:
			encoding = v1.V.Encoding
		case v2.Valid && int(v2.V.NumValues) == cells:
			encoding = v2.V.Encoding
		case v1.Valid && v1.V.NumValues > 0 || v2.Valid && v2.V.NumValues > 0:
			return false, errRuns
		default: // a dictionary, or empty
			continue
		}
		if encoding != format.RLE {
			return false, nil
		}
		page := make([]byte, size)
		if _, err := b.table.in.ReadAt(page, from); err != nil && err != io.EOF {
			return false, err
		}
		values, err := b.values(page, header)
		if err != nil {
			return false, err
		}
		return true, decodeRuns(dst, values)
	}
	return false, io.ErrUnexpectedEOF
}

// values is the unpacked part of a page behind its levels.
func (b *booleanPages) values(page []byte, header *format.PageHeader) ([]byte, error) {
	packed, levels := true, 0
	if v2 := &header.DataPageHeaderV2; v2.Valid { // whose levels are never packed
		packed = !v2.V.IsCompressed.Valid || v2.V.IsCompressed.V
		levels = int(v2.V.RepetitionLevelsByteLength) + int(v2.V.DefinitionLevelsByteLength)
		if levels < 0 || levels > len(page) {
			return nil, errRuns
		}
		page = page[levels:]
	}
	if packed && b.codec != format.Uncompressed {
		room := make([]byte, max(0, int(header.UncompressedPageSize)-levels))
		var err error
		if page, err = parquet.LookupCompressionCodec(b.codec).Decode(room, page); err != nil {
			return nil, err
		}
	}
	if header.DataPageHeader.Valid && b.optional {
		_, rest, err := sized(page)
		if err != nil {
			return nil, err
		}
		page = rest
	}
	runs, _, err := sized(page)
	return runs, err
}

// sized takes a part off that begins with its length.
func sized(data []byte) (part, rest []byte, err error) {
	if len(data) < 4 {
		return nil, nil, errRuns
	}
	n := int64(binary.LittleEndian.Uint32(data))
	if data = data[4:]; n > int64(len(data)) {
		return nil, nil, errRuns
	}
	return data[:n], data[n:], nil
}

// decodeRuns reads single bits: runs of one value, and groups of eight values in a byte.
func decodeRuns(dst []float64, data []byte) error {
	for len(dst) > 0 {
		head, n := binary.Uvarint(data)
		if n <= 0 {
			return errRuns
		}
		data = data[n:]
		count := head >> 1
		if head&1 == 1 {
			for ; count > 0 && len(dst) > 0; count-- {
				if len(data) == 0 {
					return errRuns
				}
				group := min(8, len(dst))
				for i := range group {
					dst[i] = float64(data[0] >> i & 1)
				}
				dst, data = dst[group:], data[1:]
			}
			continue
		}
		if len(data) == 0 {
			return errRuns
		}
		run := int(min(count, uint64(len(dst))))
		for i := range run {
			dst[i] = float64(data[0] & 1)
		}
		dst, data = dst[run:], data[1:]
	}
	return nil
}
