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

// writeParquet writes columns of mixed kinds in groups of rows.
func writeParquet(w io.Writer, columns []Column) error {
	nodes := parquet.Group{}
	for _, c := range columns {
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
			return problem("", "two columns are named %q", c.Name)
		}
		nodes[c.Name] = node
	}
	fields := map[string]parquet.Field{}
	for _, f := range nodes.Fields() {
		fields[f.Name()] = f
	}
	group := &orderedGroup{Group: nodes}
	for _, c := range columns {
		group.order = append(group.order, fields[c.Name])
	}
	out := parquet.NewWriter(w, parquet.NewSchema("table", group), parquet.Compression(&parquet.Snappy))
	const batch, most = 512, 1 << 20
	rows := make([]parquet.Row, 0, batch)
	n := columns[0].Len()
	for first := 0; first < n; first += batch {
		rows = rows[:0]
		for i := first; i < min(first+batch, n); i++ {
			row := make(parquet.Row, len(columns))
			for j := range columns {
				row[j] = columns[j].value(i).Level(0, 0, j)
			}
			rows = append(rows, row)
		}
		if _, err := out.WriteRows(rows); err != nil {
			return err
		}
		if (first+batch)%most == 0 {
			if err := out.Flush(); err != nil {
				return err
			}
		}
	}
	return out.Close()
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
