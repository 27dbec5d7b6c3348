package file

import (
	"io"

	"github.com/parquet-go/parquet-go"
)

// orderedGroup is a Parquet group whose columns keep their order; the library's own
// sorts them by name.
type orderedGroup struct {
	parquet.Group
	order []parquet.Field
}

func (g *orderedGroup) Fields() []parquet.Field { return g.order }

// parquetGroup is the number of rows in a group, which a writer holds in memory.
const parquetGroup = 1 << 17

// parquetParts writes columns of mixed kinds in groups of rows.
func parquetParts(w io.Writer, like []Column, _ int, _ []int) (add func([]Column) error, end func() error, err error) {
	nodes := parquet.Group{}
	for _, c := range like {
		var node parquet.Node
		switch {
		case c.Numbers != nil:
			node = parquet.Leaf(parquet.DoubleType)
		case c.Integers != nil:
			node = parquet.Leaf(parquet.Int64Type)
		case c.Flags != nil:
			node = parquet.Leaf(parquet.BooleanType)
		default:
			node = parquet.String()
		}
		if nodes[c.Name] != nil {
			return nil, nil, problem("", "two columns are named %q", c.Name)
		}
		nodes[c.Name] = node
	}
	fields := map[string]parquet.Field{}
	for _, f := range nodes.Fields() {
		fields[f.Name()] = f
	}
	group := &orderedGroup{Group: nodes}
	for _, c := range like {
		group.order = append(group.order, fields[c.Name])
	}
	out := parquet.NewWriter(w, parquet.NewSchema("table", group), parquet.Compression(&parquet.Snappy))
	const batch = 512 // which the layout of pages depends on
	rows, done := make([]parquet.Row, 0, batch), 0
	put := func() error {
		if _, err := out.WriteRows(rows); err != nil {
			return err
		}
		done, rows = done+len(rows), rows[:0]
		if done%parquetGroup == 0 {
			return out.Flush()
		}
		return nil
	}
	add = func(columns []Column) error {
		for i := range columns[0].Len() {
			row := make(parquet.Row, len(columns))
			for j := range columns {
				row[j] = columns[j].value(i).Level(0, 0, j)
			}
			if rows = append(rows, row); len(rows) == batch {
				if err := put(); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return add, func() error {
		if len(rows) > 0 {
			if err := put(); err != nil {
				return err
			}
		}
		return out.Close()
	}, nil
}

func (c *Column) value(i int) parquet.Value {
	switch {
	case c.Numbers != nil:
		return parquet.DoubleValue(c.Numbers[i])
	case c.Integers != nil:
		return parquet.Int64Value(int64(c.Integers[i]))
	case c.Flags != nil:
		return parquet.BooleanValue(c.Flags[i])
	}
	return parquet.ByteArrayValue([]byte(c.Texts[i]))
}
