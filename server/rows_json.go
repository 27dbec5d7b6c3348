package server

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset"
)

// rowsBody is what a model may be asked about as JSON.
type rowsBody struct {
	Columns []string `json:"columns"` // names of the numbers of a row; none: in the model's order
	Rows    []any    `json:"rows"`    // lists of numbers and texts, or objects by the names of columns
}

// data makes a table of the rows: of numbers at once, of texts through the reader that knows the model's words.
func (b rowsBody) data(m *ready, target string) (inlier.Data, error) {
	bad := func(format string, args ...any) (inlier.Data, error) {
		return inlier.Data{}, &inlier.Error{Parameter: "rows", Problem: fmt.Sprintf(format, args...)}
	}
	if len(b.Rows) == 0 {
		return bad("there are no rows")
	}
	names := b.Columns
	if object, ok := b.Rows[0].(map[string]any); ok && names == nil {
		names = []string{}
		for name := range object {
			names = append(names, name)
		}
		slices.Sort(names)
	}
	width, unnamed := len(names), names == nil
	if unnamed {
		width = m.about.About.Columns
	}
	if width == 0 {
		return bad("the rows are empty")
	}
	cells := make([]any, 0, len(b.Rows)*min(width, 1<<16))
	texts := false
	for i, row := range b.Rows {
		switch row := row.(type) {
		case []any:
			if len(row) != width {
				return bad("row %d has %d values, %d are expected", i+1, len(row), width)
			}
			cells = append(cells, row...)
		case map[string]any:
			if len(names) != width {
				return bad("row %d is an object, and names of the columns are not known; columns gives them", i+1)
			}
			for _, name := range names {
				v, ok := row[name]
				if !ok {
					return bad("row %d has no %q", i+1, printable(name))
				}
				cells = append(cells, v)
			}
		default:
			return bad("row %d is no list and no object", i+1)
		}
		for _, v := range cells[len(cells)-width:] {
			switch v.(type) {
			case float64, nil:
			case string:
				texts = true
			default:
				return bad("row %d holds something that is neither a number nor a text", i+1)
			}
		}
	}
	if texts || target != "" || m.about.Input.Coder != nil {
		if unnamed {
			return bad("names of the columns are needed where there are texts or a target")
		}
		return inlier.Data{Reader: table(names, cells), Header: "yes", Delimiter: ",", Target: target}, nil
	}
	numbers := make([]float64, len(cells))
	for k, v := range cells {
		number, ok := v.(float64)
		if !ok {
			number = math.NaN()
		}
		numbers[k] = number
	}
	names = b.names(names)
	return inlier.Data{Set: m.table(numbers, width, names)}, m.complete(numbers, width, names)
}

// complete refuses rows in which a number is missing, as they are where they come as a file, unless the model can do without.
func (m *ready) complete(numbers []float64, width int, names []string) error {
	about := &m.about.About
	if about.Parameters["missing"] == "fit" {
		return nil
	}
	for k, v := range numbers {
		if v == v {
			continue
		}
		name := "x" + strconv.Itoa(k%width+1)
		switch {
		case names != nil:
			if name = names[k%width]; !m.about.Input.Unnamed && !slices.Contains(about.ColumnNames, name) {
				continue // the model does not look at it
			}
		case len(about.ColumnNames) == width:
			name = about.ColumnNames[k%width]
		}
		return &inlier.Error{Parameter: "rows", Problem: fmt.Sprintf("row %d: column %q is missing", k/width+1, printable(name)), Hint: "fill it in or leave the row out; a subspace that is fitted with missing=fit can do without"}
	}
	return nil
}

// table is rows of numbers in the model's order, or under names of their own.
func (m *ready) table(numbers []float64, width int, names []string) *dataset.Set {
	if names == nil && len(m.about.About.ColumnNames) == width {
		names = m.about.About.ColumnNames
	}
	return &dataset.Set{Name: "rows", X: mat.NewDense(len(numbers)/width, width, numbers), Columns: columnNames(names, width), Unnamed: names == nil}
}

// names are those of the columns where the request has them.
func (b rowsBody) names(found []string) []string {
	if _, objects := b.Rows[0].(map[string]any); b.Columns == nil && !objects {
		return nil
	}
	return found
}

func columnNames(names []string, width int) []string {
	for j := len(names); j < width; j++ {
		names = append(names, "x"+strconv.Itoa(j+1))
	}
	return names
}

// table writes rows as CSV.
func table(names []string, cells []any) io.Reader {
	var text bytes.Buffer
	w := csv.NewWriter(&text)
	_ = w.Write(names)
	for row := range slices.Chunk(cells, len(names)) {
		fields := make([]string, len(row))
		for j, v := range row {
			switch v := v.(type) {
			case string:
				fields[j] = v
			case float64:
				fields[j] = strconv.FormatFloat(v, 'g', -1, 64)
			}
		}
		if len(fields) == 1 && fields[0] == "" { // an empty line is no row
			w.Flush()
			text.WriteString("\"\"\n")
			continue
		}
		_ = w.Write(fields)
	}
	w.Flush()
	return &text
}
