package file

import (
	"encoding/binary"
	"slices"
	"strconv"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"
)

// long tells whether a column of whole numbers keeps more digits than a number of 64 bits does, as the statistics of the file have it: the
// numbers of orders and messages are such, and as numbers many would be the same. The second tells that they have no sign.
func (t *parquetTable) long(c *parquet.Column) (long, unsigned bool) {
	if c.Type().Kind() != parquet.Int64 {
		return false, false
	}
	if logical := c.Type().LogicalType(); logical != nil && logical.Value != nil {
		whole, ok := logical.Value.(*format.IntType)
		if !ok {
			return false, false
		}
		unsigned = !whole.IsSigned
	}
	const most = 1 << 53
	for _, g := range t.parquet.Metadata().RowGroups {
		s := &g.Columns[c.Index()].MetaData.Statistics
		long = long || slices.ContainsFunc([][]byte{s.MinValue, s.MaxValue, s.Min, s.Max}, func(b []byte) bool {
			if len(b) != 8 {
				return false
			}
			v := binary.LittleEndian.Uint64(b)
			return v > most && (unsigned || -v > most)
		})
	}
	return long, unsigned
}

// digits are whole numbers as texts.
func digits(values encoding.Values, unsigned bool) parquetBytes {
	numbers := values.Int64()
	b := parquetBytes{offsets: make([]uint32, 1, len(numbers)+1)}
	for _, v := range numbers {
		if unsigned {
			b.data = strconv.AppendUint(b.data, uint64(v), 10)
		} else {
			b.data = strconv.AppendInt(b.data, v, 10)
		}
		b.offsets = append(b.offsets, uint32(len(b.data)))
	}
	return b
}
