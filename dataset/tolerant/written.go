package tolerant

// written is a table whose cells are held as text: small tables, and those made by programs.
type written [][]string

func (w written) cell(row, column int) string {
	if row < len(w) && column < len(w[row]) {
		return w[row][column]
	}
	return ""
}

func (w written) place(row int) (string, int) { return "", row + 2 }

func (w written) scan(from, to int, visit func(row int, fields [][]byte)) {
	var fields [][]byte
	for row := from; row < to; row++ {
		fields = fields[:0]
		for _, text := range w[row] {
			fields = append(fields, []byte(text))
		}
		visit(row, fields)
	}
}
