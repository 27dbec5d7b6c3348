package report

// Objects are the rows of a table as objects with the columns as keys, fit for JSON.
func (t *Table) Objects() []map[string]any {
	list := make([]map[string]any, len(t.Rows))
	for i, row := range t.Rows {
		list[i] = make(map[string]any, len(row))
		for j, v := range row {
			if f, ok := v.(float64); ok {
				v = Number(f)
			}
			list[i][t.Columns[j].Name] = v
		}
	}
	return list
}
