package server

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/mat"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/report"
)

// rowsBody is what a model may be asked about as JSON.
type rowsBody struct {
	Columns []string `json:"columns"` // names of the numbers of a row; none: in the model's order
	Rows    []any    `json:"rows"`    // lists of numbers and texts, or objects by the names of columns
}

// mostJSON bounds rows as JSON, which are held in memory; larger tables come as files.
const mostJSON = 64 << 20

func (s *Server) routeRows(mux *http.ServeMux) {
	about := "Rows as JSON, {\"columns\": [...], \"rows\": [[...], ...]}, or the body is a file (CSV, NPY, Parquet ...), or the parameter upload names one. The answer is JSON, or CSV with Accept: text/csv."
	s.raw(mux, http.MethodPost, "/api/v1/models/{id}/predict", "predict", "Predict a number or a class for every row", about, s.ask(predictJSON, predictParts))
	s.raw(mux, http.MethodPost, "/api/v1/models/{id}/transform", "transform", "Reduce every row to its scores", about, s.ask(transformJSON, transformParts))
	s.raw(mux, http.MethodPost, "/api/v1/models/{id}/judge", "judge", "Which rows are outliers, of what kind, and why", about, s.ask(judgeJSON, judgeParts))
}

// whole answers about a table in memory, part by part of one that is read from a file.
type (
	whole func(ctx context.Context, m inlier.Model, d inlier.Data) (any, error)
	parts func(ctx context.Context, m inlier.Model, d inlier.Data, each func(*report.Table) error) error
)

func (s *Server) ask(inMemory whole, inParts parts) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		m, err := s.loaded.get(r.PathValue("id"))
		if err != nil {
			s.refuseError(w, err)
			return
		}
		kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
		if kind == "application/json" && !r.URL.Query().Has("upload") {
			s.askRows(w, r, m, inMemory)
			return
		}
		path, done, err := s.spool(w, r)
		if err != nil {
			s.refuseError(w, err)
			return
		}
		defer done()
		data := inlier.Data{Path: path, Memory: s.Memory, Target: r.URL.Query().Get("target")}
		out := &tableAnswer{w: w, json: !strings.Contains(r.Header.Get("Accept"), "text/csv")}
		err = inParts(r.Context(), m.model, data, func(t *report.Table) error {
			s.counts.rows.Add(int64(len(t.Rows)))
			return out.add(t)
		})
		if err == nil {
			err = out.end()
		}
		if err != nil && !out.begun {
			s.refuseError(w, renamed(err, &Upload{Name: "the file"}, path))
		} else if err != nil { // the client sees that the answer is cut off
			s.Log.Error("an answer was cut off", "error", err)
			panic(http.ErrAbortHandler)
		}
	}
}

// askRows answers about rows as JSON.
func (s *Server) askRows(w http.ResponseWriter, r *http.Request, m *ready, answer whole) {
	text, err := s.bodyOf(w, r)
	if err != nil {
		s.refuseError(w, err)
		return
	}
	var data inlier.Data
	var rows int
	if numbers, width, ok := numberRows(text); ok && m.about.Input.Coder == nil && width == m.about.About.Columns {
		rows, data = len(numbers)/width, inlier.Data{Set: m.table(numbers, width, nil)}
	} else {
		var in rowsBody
		if err := json.Unmarshal(text, &in); err != nil {
			refuse(w, http.StatusBadRequest, "the body is not the JSON that is expected: "+printable(err.Error()))
			return
		}
		rows = len(in.Rows)
		data, err = in.data(m)
	}
	if err == nil {
		s.counts.rows.Add(int64(rows))
		var made any
		if made, err = answer(r.Context(), m.model, data); err == nil {
			var text []byte
			if text, err = report.JSON(made); err == nil {
				w.Header().Set("Content-Type", "application/json")
				_, _ = w.Write(text)
				return
			}
		}
	}
	s.refuseError(w, err)
}

// data makes a table of the rows: of numbers at once, of texts through the reader that knows the model's words.
func (b rowsBody) data(m *ready) (inlier.Data, error) {
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
	if texts || m.about.Input.Coder != nil {
		if unnamed {
			return bad("names of the columns are needed where there are texts")
		}
		return inlier.Data{Reader: table(names, cells), Header: "yes", Delimiter: ","}, nil
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

// bodyOf reads a body that is held in memory.
func (s *Server) bodyOf(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.ContentLength > mostJSON {
		return nil, fmt.Errorf("%d bytes of JSON; at most %d: %w", r.ContentLength, mostJSON, errLimit)
	}
	var text bytes.Buffer
	text.Grow(int(max(r.ContentLength, 0)) + bytes.MinRead)
	_, err := s.copyBody(&text, w, r, mostJSON)
	return text.Bytes(), err
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

// spool puts a body aside, since a table is read more than once; an upload lies there already.
func (s *Server) spool(w http.ResponseWriter, r *http.Request) (path string, done func(), err error) {
	if id := r.URL.Query().Get("upload"); id != "" {
		_, path, err = s.path(id)
		return path, func() {}, err
	}
	if r.ContentLength > s.Rows {
		return "", nil, fmt.Errorf("a table of %d bytes; at most %d: %w", r.ContentLength, s.Rows, errLimit)
	}
	f, err := os.CreateTemp(filepath.Join(s.state.folder, "jobs"), "rows-*")
	if err != nil {
		return "", nil, err
	}
	done = func() { os.Remove(f.Name()) }
	n, err := s.copyBody(f, w, r, s.Rows)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil && n == 0 {
		err = &inlier.Error{Problem: "the body is empty"}
	}
	if err != nil {
		done()
		return "", nil, err
	}
	return f.Name(), done, nil
}

func predictJSON(ctx context.Context, m inlier.Model, d inlier.Data) (any, error) {
	return inlier.Predict{Model: m, Data: d, Probabilities: true}.Run(ctx, nil)
}

func predictParts(ctx context.Context, m inlier.Model, d inlier.Data, each func(*report.Table) error) error {
	_, err := inlier.Predict{Model: m, Data: d, Probabilities: true}.Stream(ctx, nil, func(p *inlier.PredictResult) error { return each(p.Table()) })
	return err
}

func transformJSON(ctx context.Context, m inlier.Model, d inlier.Data) (any, error) {
	return inlier.Transform{Model: m, Data: d}.Run(ctx, nil)
}

func transformParts(ctx context.Context, m inlier.Model, d inlier.Data, each func(*report.Table) error) error {
	_, err := inlier.Transform{Model: m, Data: d}.Stream(ctx, nil, func(p *inlier.RowsResult) error { return each(p.Table()) })
	return err
}

func judgeJSON(ctx context.Context, m inlier.Model, d inlier.Data) (any, error) {
	return inlier.Judge{Model: m, Data: d, Why: true}.Run(ctx, nil)
}

func judgeParts(ctx context.Context, m inlier.Model, d inlier.Data, each func(*report.Table) error) error {
	_, err := inlier.Judge{Model: m, Data: d}.Stream(ctx, nil, func(v *inlier.JudgeResult) error { return each(v.Table(false)) })
	return err
}

// tableAnswer writes a table in parts, as CSV or as JSON with one object per row.
type tableAnswer struct {
	w     http.ResponseWriter
	json  bool
	begun bool
	rows  int
}

func (a *tableAnswer) add(t *report.Table) error {
	if !a.begun {
		a.begun = true
		kind, open := "text/csv; charset=utf-8", ""
		if a.json {
			kind, open = "application/json", "{\"rows\":["
		}
		a.w.Header().Set("Content-Type", kind)
		if _, err := io.WriteString(a.w, open); err != nil {
			return err
		}
	}
	if !a.json {
		text, err := t.CSV()
		if err != nil {
			return err
		}
		if a.rows > 0 {
			_, text, _ = bytes.Cut(text, []byte("\n")) // the header stands above already
		}
		a.rows += len(t.Rows)
		_, err = a.w.Write(text)
		return err
	}
	for _, row := range t.Objects() {
		text, err := report.JSON(row)
		if err != nil {
			return err
		}
		if a.rows++; a.rows > 1 {
			text = append([]byte(","), text...)
		}
		if _, err := a.w.Write(text); err != nil {
			return err
		}
	}
	return nil
}

func (a *tableAnswer) end() error {
	if !a.begun {
		if err := a.add(&report.Table{}); err != nil {
			return err
		}
	}
	if a.json {
		_, err := io.WriteString(a.w, "]}\n")
		return err
	}
	return nil
}
