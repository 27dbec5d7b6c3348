package worker

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier"
	checks "github.com/inlier-ml/inlier/check"
)

// column is one of a table with columns of any kind: numbers as an array, or texts as a JSON list in a frame, null where
// nothing is there.
type column struct {
	Name   string `json:"name"`
	Array  *array `json:"array"`
	Texts  int    `json:"texts"`  // frame of the list, where there is no array
	Absent *array `json:"absent"` // cells of an array of integers that are missing
}

// text writes the columns of a request as delimited text, which is what a check reads: numbers in the fewest digits
// that tell them, so that whole numbers of a column with gaps stay whole.
func (c *call) text() ([]byte, error) {
	rows := -1
	cells := make([]func(to []byte, i int) []byte, len(c.Columns))
	for k, column := range c.Columns {
		cell, n, err := column.cells(c.frames)
		if err != nil {
			return nil, err
		}
		if rows >= 0 && n != rows {
			return nil, fmt.Errorf("worker: column %q has %d rows, others %d", column.Name, n, rows)
		}
		rows, cells[k] = n, cell
	}
	var out []byte
	for k, column := range c.Columns {
		if k > 0 {
			out = append(out, ',')
		}
		out = quoted(out, column.Name)
	}
	out = append(out, '\n')
	for i := range max(rows, 0) {
		for k, cell := range cells {
			if k > 0 {
				out = append(out, ',')
			}
			before := len(out)
			if out = cell(out, i); len(cells) == 1 && len(out) == before {
				out = append(out, '"', '"') // an empty line would be no row
			}
		}
		out = append(out, '\n')
	}
	return out, nil
}

// cells writes the cells of the column, and counts them.
func (c *column) cells(frames [][]byte) (func(to []byte, i int) []byte, int, error) {
	if c.Array == nil {
		if c.Texts < 0 || c.Texts >= len(frames) {
			return nil, 0, fmt.Errorf("worker: column %q has no frame", c.Name)
		}
		var texts []*string
		if err := json.Unmarshal(frames[c.Texts], &texts); err != nil {
			return nil, 0, fmt.Errorf("worker: column %q: %w", c.Name, err)
		}
		return func(to []byte, i int) []byte {
			if texts[i] == nil {
				return to
			}
			return quoted(to, *texts[i])
		}, len(texts), nil
	}
	var absent []byte
	if c.Absent != nil {
		var err error
		if absent, err = c.Absent.bytes(frames); err != nil {
			return nil, 0, err
		}
	}
	gone := func(i int) bool { return absent != nil && i < len(absent) && absent[i] != 0 }
	b, err := c.Array.bytes(frames)
	if err != nil {
		return nil, 0, err
	}
	switch c.Array.Type {
	case "bool":
		return func(to []byte, i int) []byte {
			if gone(i) {
				return to
			}
			return strconv.AppendBool(to, b[i] != 0)
		}, len(b), nil
	case "int64":
		v := view[int64](b)
		return func(to []byte, i int) []byte {
			if gone(i) {
				return to
			}
			return strconv.AppendInt(to, v[i], 10)
		}, len(v), nil
	case "float32":
		v := view[float32](b)
		return func(to []byte, i int) []byte { return number(to, float64(v[i]), 32) }, len(v), nil
	}
	v, err := c.Array.floats(frames)
	return func(to []byte, i int) []byte { return number(to, v[i], 64) }, len(v), err
}

// number writes a number; nothing where there is none.
func number(to []byte, v float64, bits int) []byte {
	if math.IsNaN(v) {
		return to
	}
	form := byte('f')
	if size := math.Abs(v); size != 0 && (size < 1e-5 || size >= 1e17) {
		form = 'g'
	}
	return strconv.AppendFloat(to, v, form, -1, bits)
}

func quoted(to []byte, text string) []byte {
	if text != "" && !strings.ContainsAny(text, ",\"\r\n") && strings.TrimSpace(text) == text {
		return append(to, text...)
	}
	return append(append(append(to, '"'), strings.ReplaceAll(text, `"`, `""`)...), '"')
}

// check looks for what is wrong in a table or file.
func check(c *call) (*answer, error) {
	job := inlier.Check{}
	if err := c.decode(&job); err != nil {
		return nil, err
	}
	if c.Columns != nil {
		text, err := c.text()
		if err != nil {
			return nil, err
		}
		job.Paths, job.Reader = nil, bytes.NewReader(text)
		job.Header, job.Delimiter, job.Encoding = "yes", "comma", "utf-8"
	}
	if c.From != nil { // what an earlier check has learned
		learned, err := c.From.bytes(c.frames)
		if err != nil {
			return nil, err
		}
		if job.Learned, err = checks.Read(c, bytes.NewReader(learned)); err != nil {
			return nil, err
		}
	}
	done, err := job.Run(c, c.observer())
	if err != nil {
		return nil, err
	}
	if c.Columns != nil { // it stands nowhere
		done.Table.Names = nil
	}
	a := &answer{Result: map[string]any{"summary": done, "changes": done.Changes()}, Handle: c.keep(done)}
	for _, part := range []struct {
		name  string
		write func(io.Writer) error
	}{{"rows", done.WriteRows}, {"cells", done.WriteCells}} {
		var text bytes.Buffer
		if err := part.write(&text); err != nil {
			return nil, err
		}
		a.add(part.name, "uint8", text.Bytes(), text.Len())
	}
	return a, nil
}

// page draws the page of a check.
func page(c *call) (*answer, error) {
	done, err := thing[*inlier.CheckResult](c)
	if err != nil {
		return nil, err
	}
	html, err := done.Page(c).HTML()
	if err != nil {
		return nil, err
	}
	a := &answer{}
	a.add("page", "uint8", html, len(html))
	return a, nil
}

// checkModel is the file of what a check has learned.
func checkModel(c *call) (*answer, error) {
	done, err := thing[*inlier.CheckResult](c)
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	if _, err := done.Model.WriteTo(&file); err != nil {
		return nil, err
	}
	a := &answer{}
	a.add("model", "uint8", file.Bytes(), file.Len())
	return a, nil
}
