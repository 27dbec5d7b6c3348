package server

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/words"
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
		last := cells[len(cells)-width:]
		for k, v := range last {
			switch v := v.(type) {
			case float64, nil:
			case string:
				texts = true
			case bool:
				last[k] = m.truth(names, k, v)
			default:
				return bad("row %d holds something that is neither a number, a text nor true or false", i+1)
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
	return inlier.Data{Set: m.table(numbers, width, b.names(names))}, nil
}

// truth is a truth as the model has learned the column: 1 and 0, or a word of its own.
func (m *ready) truth(names []string, k int, v bool) any {
	if coding := m.about.Input.Coder.Of(words.Column(names, k)); coding != nil {
		text := strconv.FormatBool(v)
		for _, level := range coding.Levels {
			if strings.EqualFold(level, text) {
				return level
			}
		}
		return text
	}
	if v {
		return 1.0
	}
	return 0.0
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
