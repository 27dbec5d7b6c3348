package server

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
)

// rowsBody is what a model may be asked about as JSON.
type rowsBody struct {
	Columns []string `json:"columns"` // names of the numbers of a row; none: in the model's order
	Rows    []any    `json:"rows"`    // lists of numbers and texts, or objects by the names of columns
}

// read takes numbers as they are written: codes of categories may have more digits than a number keeps.
func (b *rowsBody) read(text []byte) error {
	if err := noneTwice(text); err != nil {
		return err
	}
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	in.DisallowUnknownFields() // a misspelt "columns" would leave the values in an order that is not theirs
	if err := in.Decode(b); err != nil {
		if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
			return fmt.Errorf("it has no %s, but \"columns\" and \"rows\"", name)
		}
		return err
	}
	if _, err := in.Token(); err != io.EOF {
		return errors.New("something follows it")
	}
	return nil
}

// data makes a table of the rows: of numbers at once, of texts through the reader that knows the model's words.
func (b rowsBody) data(m *ready, target string, tolerantly bool) (inlier.Data, error) {
	bad := func(format string, args ...any) (inlier.Data, error) {
		return inlier.Data{}, &inlier.Error{Parameter: "rows", Problem: fmt.Sprintf(format, args...)}
	}
	if len(b.Rows) == 0 {
		return bad("there are no rows")
	}
	names, ordered := b.Columns, true
	if object, ok := b.Rows[0].(map[string]any); ok && names == nil {
		ordered = false // the members of an object have no order
		names = []string{}
		for name := range object {
			names = append(names, name)
		}
		slices.Sort(names)
		if m.about.Input.Unnamed { // their order is all that is known of its columns
			own := columnNames(nil, m.about.About.Columns)
			if !slices.Equal(names, slices.Sorted(slices.Values(own))) {
				return bad("the model was learned from columns without names, so that rows are lists of %d values in their order, or objects with x1 to x%d", len(own), len(own))
			}
			names = own
		}
	}
	width, unnamed := len(names), names == nil
	if unnamed {
		if m.about.Input.Coder != nil {
			return bad("names of the columns are needed where the model has learned texts; columns gives them")
		}
		width = m.about.About.Columns
		if m.about.Input.Dressed() && len(m.about.About.ColumnNames) == width {
			names, unnamed = m.about.About.ColumnNames, false
		}
	}
	if twice := repeated(names); twice != "" {
		return bad("two columns are named %q", printable(twice))
	}
	if width == 0 {
		return bad("the rows are empty")
	}
	codes := m.codes(names)
	cells := make([]any, 0, b.values()) // not rows times names: a body of a megabyte may have 100,000 of either
	texts := false
	for i, row := range b.Rows {
		switch row := row.(type) {
		case []any:
			if !ordered {
				return bad("row %d is a list and the first row an object, so that the order of its values is not known; columns gives it", i+1)
			}
			if len(row) != width {
				return bad("row %d has %d values, %d are expected", i+1, len(row), width)
			}
			cells = append(cells, row...)
		case map[string]any:
			if unnamed {
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
			case nil:
			case json.Number:
				if _, err := v.Float64(); err != nil {
					return bad("row %d holds %s, which is too large for a number", i+1, printable(v.String()))
				}
				last[k] = codes[k].of(v)
			case string:
				texts = true
			case bool:
				last[k] = m.truth(names, k, v)
			default:
				return bad("row %d holds something that is neither a number, a text nor true or false", i+1)
			}
		}
	}
	if texts || target != "" || m.about.Input.Coder != nil || m.about.Input.Dressed() {
		if unnamed {
			return bad("names of the columns are needed where there are texts or a target")
		}
		// Texts are written as those were that a tolerant model has learned from: it may have met 1,234.5 or (3.4), and no unit.
		tolerantly = tolerantly || m.about.Input.Dressed() || texts && len(m.about.Input.Written) > 0
		return inlier.Data{Reader: table(names, cells), Path: sent, Header: "yes", Delimiter: ",", Target: target, Tolerant: tolerantly}, nil
	}
	numbers := make([]float64, len(cells))
	for k, v := range cells {
		numbers[k] = math.NaN()
		if number, ok := v.(json.Number); ok {
			numbers[k], _ = number.Float64()
		}
	}
	return inlier.Data{Set: m.table(numbers, width, b.names(names))}, nil
}

// values is how many values the rows hold.
func (b rowsBody) values() (n int) {
	for _, row := range b.Rows {
		switch row := row.(type) {
		case []any:
			n += len(row)
		case map[string]any:
			n += len(row)
		}
	}
	return n
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
		return json.Number("1")
	}
	return json.Number("0")
}

// codes are categories that were numbers where they were learned, each by the writings that were met; nil: the column holds numbers.
type codes struct {
	levels []string
	known  map[json.Number]string
}

func (m *ready) codes(names []string) map[int]*codes {
	out := map[int]*codes{}
	for k, name := range names {
		if coding := m.about.Input.Coder.Of(name); coding != nil {
			out[k] = &codes{coding.Levels, map[json.Number]string{}}
		}
	}
	return out
}

// of is a number as it was sent, all its digits; of a category the one that is meant, however it is written.
func (c *codes) of(v json.Number) any {
	if c == nil {
		return v
	}
	level, met := c.known[v]
	if met {
		return level
	}
	sent, _ := v.Float64()
	level = v.String()
	if !slices.Contains(c.levels, level) && math.Abs(sent) < 1<<53 { // beyond, several codes are one number
		level = strconv.FormatFloat(sent, 'f', -1, 64) // 1e6 and 1000000.0 are 1000000
		same := func(known string) bool {
			number, err := strconv.ParseFloat(known, 64)
			return err == nil && number == sent
		}
		if at := slices.IndexFunc(c.levels, same); at >= 0 && !slices.Contains(c.levels, level) {
			level = c.levels[at]
		}
	}
	c.known[v] = level
	return level
}

// repeated is a name that comes twice; empty: there is none.
func repeated(names []string) string {
	sorted := slices.Sorted(slices.Values(names))
	for k := 1; k < len(sorted); k++ {
		if sorted[k] == sorted[k-1] {
			return sorted[k]
		}
	}
	return ""
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

// sent is what rows that came as JSON are called.
const sent = "rows"

// ofRows words an error about rows that came as JSON by their numbers, not by the lines of the table that was made of them, which texts of
// several lines would shift.
func ofRows(err error, shifted bool) error {
	var e *dataset.InputError
	if !errors.As(err, &e) || e.File != sent && e.File != "standard input" {
		return err
	}
	own := *e
	own.File = sent
	if own.Line > 1 && !shifted { // the first one has the names
		own.Row = own.Line - 1
	}
	own.Line = 0
	return &own
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
			case json.Number:
				fields[j] = tolerant.Unmistakable(v.String())
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
