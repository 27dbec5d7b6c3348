package worker

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/inlier-ml/inlier"
	checks "github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/words"
)

// column is one of a table with columns of any kind: numbers as an array, or texts as a JSON list in a frame, null where
// nothing is there.
type column struct {
	Name   string `json:"name"`
	Array  *array `json:"array"`
	Texts  int    `json:"texts"`  // frame of the list, where there is no array
	Absent *array `json:"absent"` // cells of an array of integers that are missing
}

// rename calls the columns as a reader of text would, each by a name of its own, and tells these names.
func (c *call) rename(job *inlier.Check) []string {
	names, taken, now := make([]string, len(c.Columns)), map[string]bool{}, map[string]string{}
	for k := range c.Columns {
		given := c.Columns[k].Name
		name := words.Clip(words.OneLine(strings.TrimSpace(plain(given))))
		if name == "" {
			name = fmt.Sprintf("column %d", k+1)
		}
		for again, one := 1, name; taken[name]; {
			again++
			name = fmt.Sprintf("%s (%d)", one, again)
		}
		taken[name], now[given], names[k], c.Columns[k].Name = true, name, name, name
	}
	for _, field := range []*string{&job.Target, &job.ID} {
		if name, ok := now[*field]; ok {
			*field = name
		}
	}
	as := map[string]string{}
	for given, kind := range job.As { // one that is renamed may have the name that another was given
		as[cmp.Or(now[given], given)] = kind
	}
	job.As = as
	return names
}

// columnCells are what a column writes into a row, and how many rows it has.
func (c *call) columnCells(limit int, text func(to []byte, text string) []byte) (cells []func(to []byte, i int) []byte, rows int, err error) {
	cells = make([]func(to []byte, i int) []byte, len(c.Columns))
	for k, column := range c.Columns {
		cell, n, err := column.cells(c.frames, text)
		if err != nil {
			return nil, 0, err
		}
		if k > 0 && n != rows {
			return nil, 0, &inlier.Error{Parameter: "data", Problem: fmt.Sprintf("column %q has %d rows, others %d", plain(column.Name), n, rows)}
		}
		rows, cells[k] = n, cell
	}
	if limit > 0 {
		rows = min(rows, limit)
	}
	return cells, rows, nil
}

// text writes the columns of a request as delimited text, which is what a check reads: numbers in the fewest digits
// that tell them, so that whole numbers of a column with gaps stay whole. Names are in quotation marks, so that no file of
// another kind begins like them and hardly a row repeats them.
func (c *call) text(limit int) (out []byte, rows int, err error) {
	cells, rows, err := c.columnCells(limit, quoted)
	if err != nil {
		return nil, 0, err
	}
	for k, column := range c.Columns {
		if k > 0 {
			out = append(out, ',')
		}
		out = inQuotes(out, column.Name)
	}
	out = append(out, '\n')
	for i := range rows {
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
	return out, rows, nil
}

// table makes a table of the columns cell by cell: every row is one, also those that in a file would be a second line of
// names, units, a repeated header, sums or remarks.
func (c *call) table(job *inlier.Check) (*tolerant.Table, error) {
	cells, rows, err := c.columnCells(job.Limit, func(to []byte, text string) []byte { return append(to, text...) })
	if err != nil {
		return nil, err
	}
	names, texts := make([]string, len(cells)), make([][]string, rows)
	for k, column := range c.Columns {
		names[k] = column.Name
	}
	for i := range texts {
		texts[i] = make([]string, len(cells))
		for k, cell := range cells {
			texts[i][k] = strings.TrimSpace(string(cell(nil, i)))
		}
	}
	o := tolerant.Options{Missing: job.Missing, Sentinels: job.Sentinels, NoSentinels: job.NoSentinels, Decimal: job.Decimal, DateOrder: job.DateOrder, As: map[string]tolerant.Kind{}}
	for name, kind := range job.As {
		if o.As[name], err = tolerant.ParseKind(kind); err != nil {
			return nil, err
		}
	}
	if job.Learned == nil && job.Against != "" {
		if job.Learned, err = checks.Load(c, job.Against); err != nil {
			return nil, err
		}
	}
	if job.Learned != nil {
		o.Usual, o.Like = job.Learned.Kinds(), job.Learned.Table().Columns
	}
	return tolerant.FromStrings(names, texts, o), nil
}

// cells writes the cells of the column, texts as they are to be written, and counts them.
func (c *column) cells(frames [][]byte, text func(to []byte, text string) []byte) (func(to []byte, i int) []byte, int, error) {
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
			return text(to, *texts[i])
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
	case "uint64":
		v := view[uint64](b)
		return func(to []byte, i int) []byte {
			if gone(i) {
				return to
			}
			return strconv.AppendUint(to, v[i], 10)
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

// plain is text without bytes that no text has.
func plain(text string) string { return strings.ReplaceAll(text, "\x00", "\uFFFD") }

// quoted writes a text, in quotation marks where it needs them.
func quoted(to []byte, text string) []byte {
	if text != "" && text[0] != '#' && !strings.ContainsAny(text, ",\"\r\n\x00") && strings.TrimSpace(text) == text {
		return append(to, text...)
	}
	return inQuotes(to, text)
}

func inQuotes(to []byte, text string) []byte {
	return append(append(append(to, '"'), strings.ReplaceAll(plain(text), `"`, `""`)...), '"')
}

// check looks for what is wrong in a table or file.
func check(c *call) (*answer, error) {
	job := inlier.Check{}
	if err := c.decode(&job); err != nil {
		return nil, err
	}
	rows := 0
	var names []string
	if c.Columns != nil {
		names = c.rename(&job)
		var text []byte
		var err error
		if text, rows, err = c.text(job.Limit); err != nil {
			return nil, err
		}
		if rows == 0 || len(c.Columns) == 0 {
			return nil, &inlier.Error{Parameter: "data", Problem: "the table has no rows"}
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
	if c.Columns != nil && done.Table.Rows != rows { // the reader took a row for something else: its numbers would be those of other rows
		_ = done.Close()
		if job.Table, err = c.table(&job); err != nil {
			return nil, err
		}
		if done, err = job.Run(c, c.observer()); err != nil {
			return nil, err
		}
	}
	if c.Columns != nil { // it stands nowhere
		done.Table.Names = nil
	}
	a := &answer{Result: map[string]any{"summary": done, "changes": done.Changes(), "names": names}}
	for _, part := range []struct {
		name  string
		write func(io.Writer) error
	}{{"rows", done.WriteRows}, {"cells", done.WriteCells}} {
		var text bytes.Buffer
		if err := part.write(&text); err != nil {
			_ = done.Close()
			return nil, err
		}
		a.add(part.name, "uint8", text.Bytes(), text.Len())
	}
	a.Handle = c.keep(done)
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
