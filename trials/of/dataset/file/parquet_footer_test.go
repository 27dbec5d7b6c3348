package file

import (
	"context"
	"encoding/binary"
	"math"
	"os"
	"testing"

	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/fixture"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Numbers in the footer that make no sense are complaints about the file, not faults of
// the program: offsets, lengths and counts below zero, beyond the file, or huge.
func TestSpoiledParquetFooter(t *testing.T) {
	for _, name := range []string{"holes.parquet", "mixed_snappy.parquet"} {
		whole, err := os.ReadFile(fixture.Path(t, name))
		if err != nil {
			t.Fatal(err)
		}
		length := int(binary.LittleEndian.Uint32(whole[len(whole)-8:]))
		body, footer := whole[:len(whole)-8-length], whole[len(whole)-8-length:len(whole)-8]
		for what, spoil := range map[string]func(m *format.FileMetaData, v int64){
			"dictionary": func(m *format.FileMetaData, v int64) { m.RowGroups[0].Columns[0].MetaData.DictionaryPageOffset = v },
			"dictionaries": func(m *format.FileMetaData, v int64) {
				for k := range m.RowGroups[0].Columns {
					m.RowGroups[0].Columns[k].MetaData.DictionaryPageOffset = v
				}
			},
			"data": func(m *format.FileMetaData, v int64) { m.RowGroups[0].Columns[0].MetaData.DataPageOffset = v },
			"both": func(m *format.FileMetaData, v int64) {
				m.RowGroups[0].Columns[0].MetaData.DataPageOffset, m.RowGroups[0].Columns[0].MetaData.DictionaryPageOffset = v, v
			},
			"size":   func(m *format.FileMetaData, v int64) { m.RowGroups[0].Columns[0].MetaData.TotalCompressedSize = v },
			"values": func(m *format.FileMetaData, v int64) { m.RowGroups[0].Columns[0].MetaData.NumValues = v },
			"rows":   func(m *format.FileMetaData, v int64) { m.NumRows, m.RowGroups[0].NumRows = v, v },
			"members": func(m *format.FileMetaData, v int64) {
				m.Schema[0].NumChildren = thrift.Null[int32]{V: int32(v), Valid: true}
			},
			"width": func(m *format.FileMetaData, v int64) {
				for k := range m.Schema {
					m.Schema[k].TypeLength = thrift.Null[int32]{V: int32(v), Valid: true}
				}
			},
		} {
			for _, v := range []int64{-1, -100, math.MinInt64, 1, int64(len(whole)) - 1, 1 << 31, math.MaxInt64} {
				meta := new(format.FileMetaData)
				if err := thrift.Unmarshal(new(thrift.CompactProtocol), footer, meta); err != nil {
					t.Fatal(err)
				}
				spoil(meta, v)
				spoiled, err := thrift.Marshal(new(thrift.CompactProtocol), meta)
				if err != nil {
					t.Fatal(err)
				}
				content := string(body) + string(spoiled) + string(binary.LittleEndian.AppendUint32(nil, uint32(len(spoiled)))) + "PAR1"
				path := write(t, "a.parquet", content)
				for _, o := range []file.Options{{Categorical: file.Codes, Missing: file.MissingKeep}, {Columns: []string{"1"}, Categorical: file.Codes, Missing: file.MissingKeep}} {
					if _, err := file.Read(context.Background(), path, o); err != nil {
						complaint(t, err)
					}
				}
				if _, _, err := file.Inspect(context.Background(), path, file.Options{Categorical: file.Codes, Missing: file.MissingKeep}); err != nil {
					complaint(t, err)
				}
				if t.Failed() {
					t.Fatalf("%s: %s = %d", name, what, v)
				}
			}
		}
	}
}
