package file

import (
	"encoding/binary"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// checkFooter looks at the footer before the library does, which believes what it says:
// lists must have the elements that they claim, columns must form a shallow tree, and
// every group of rows must have all columns.
func (t *parquetTable) checkFooter() error {
	damaged := func(what string) error { return problem(t.file.name, "the Parquet file is damaged: %s", what) }
	var tail [8]byte
	if t.file.size < 12 {
		return problem(t.file.name, "the Parquet file is cut off")
	}
	if _, err := t.in.ReadAt(tail[:], t.file.size-8); err != nil {
		return err
	}
	if string(tail[4:]) != "PAR1" {
		return problem(t.file.name, "the Parquet file is cut off: its end is missing")
	}
	length := int64(binary.LittleEndian.Uint32(tail[:]))
	if length > t.file.size-12 {
		return problem(t.file.name, "the Parquet footer claims %d bytes in a file of %d", length, t.file.size)
	}
	footer := make([]byte, length)
	if _, err := t.in.ReadAt(footer, t.file.size-8-length); err != nil {
		return err
	}
	if _, err := thriftLength(footer); err != nil {
		return damaged(err.Error())
	}
	meta := new(format.FileMetaData)
	if err := thrift.NewDecoder((&thrift.CompactProtocol{}).NewReaderFromBytes(footer)).Decode(meta); err != nil {
		return err
	}
	leaves, ok := schemaLeaves(meta.Schema)
	if !ok {
		return damaged("its columns make no sense")
	}
	for _, group := range meta.RowGroups {
		if len(group.Columns) != leaves {
			return damaged("a group of rows lacks columns")
		}
	}
	return nil
}

// schemaLeaves counts the columns that hold values. The columns stand in a flat list in
// which groups are followed by their members.
func schemaLeaves(schema []format.SchemaElement) (leaves int, ok bool) {
	const longestValue = 1 << 16 // bytes of a value of fixed length
	var open []int32             // members still to come of the groups that are open
	for i := range schema {
		e := &schema[i]
		if i > 0 {
			for len(open) > 0 && open[len(open)-1] == 0 {
				open = open[:len(open)-1]
			}
			if len(open) == 0 { // elements after the whole tree
				return 0, false
			}
			open[len(open)-1]--
		}
		if e.TypeLength.Valid && (e.TypeLength.V < 0 || e.TypeLength.V > longestValue) {
			return 0, false
		}
		if e.Type.Valid {
			leaves++
			continue
		}
		members := int32(0)
		if e.NumChildren.Valid {
			members = e.NumChildren.V
		}
		if members < 0 || int(members) > len(schema) || len(open) > mostNesting {
			return 0, false
		}
		open = append(open, members)
	}
	for _, members := range open {
		if members != 0 {
			return 0, false
		}
	}
	return leaves, len(schema) > 0
}
