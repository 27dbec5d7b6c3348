package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/report"
)

// mostJSON bounds rows as JSON, which are held in memory; larger tables come as files.
const mostJSON = 64 << 20

func (s *Server) routeRows(mux *http.ServeMux) {
	about := "Rows as JSON, {\"columns\": [...], \"rows\": [[...], ...]}, or the body is a file of any format that can be read, or the parameter upload names one. The answer is JSON, or CSV with Accept: text/csv."
	for _, o := range []struct {
		name, summary string
		handle        http.HandlerFunc
	}{
		{"predict", "Predict a number or a class for every row", s.ask(predictJSON, predictParts)},
		{"transform", "Reduce every row to its scores", s.ask(transformJSON, transformParts)},
		{"judge", "Which rows are outliers, of what kind, and why", s.ask(judgeJSON, judgeParts)},
	} {
		parameters := map[string]string{"upload": "A file that was sent before, in place of a body", "target": "Column that holds what is to be told", "tolerant": "There at all: read any writing of numbers and dates, workbooks, JSON, as a check does; the whole file comes into memory. A model that was learned so reads so by itself"}
		maps.Copy(parameters, readings)
		s.raw(mux, http.MethodPost, "/api/v1/models/{id}/"+o.name, o.name, o.summary, about, o.handle, parameters,
			"application/json", "text/csv", "application/octet-stream")
	}
}

// whole answers about a table in memory, part by part of one that is read from a file.
type (
	whole func(ctx context.Context, m inlier.Model, d inlier.Data) (any, error)
	parts func(ctx context.Context, m inlier.Model, d inlier.Data, each func(*part) error) (remarks []string, err error)
)

func (s *Server) ask(inMemory whole, inParts parts) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		m, err := s.loaded.get(r.PathValue("id"))
		if err != nil {
			s.refuseError(w, err)
			return
		}
		kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
		lines := strings.Contains(r.Header.Get("Accept"), "text/csv")
		if kind == "application/json" && !r.URL.Query().Has("upload") {
			text, err := s.askRows(w, r, m, inMemory, inParts, lines)
			if err != nil {
				s.refuseError(w, &rowsError{err})
			} else if !lines {
				w.Header().Set("Content-Type", "application/json")
				w.Header().Set("Content-Length", strconv.Itoa(len(text)))
				_, _ = w.Write(text)
			}
			return
		}
		path, done, err := s.spool(w, r)
		if err != nil {
			s.refuseError(w, err)
			return
		}
		defer done()
		data := readAs(r.URL.Query(), path)
		data.Memory, data.Tolerant = s.Memory, data.Tolerant || m.about.Input.Dressed()
		turns, tolerant := s.tables, data.Tolerant
		if tolerant {
			turns = s.large
			defer release()
		}
		turn, err := turns.take(r.Context(), s.Silence)
		if err != nil {
			s.refuseError(w, err)
			return
		}
		defer turn()
		if info, err := os.Stat(path); err == nil && tolerant {
			if err := affords(&Upload{Name: "the file"}, perByte*info.Size()); err != nil {
				s.refuseError(w, err)
				return
			}
		}
		s.inParts(w, r, m, data, inParts, lines, func(err error) error { return renamed(err, &Upload{Name: "the file"}, path) })
	}
}

// readings are the parameters that say how a file is read where that should not be found out.
var readings = map[string]string{
	"header": "Whether a text file starts with column names: yes or no; a line that holds those of the model always does", "delimiter": "What separates the fields of a text file",
	"sheet": "Of a workbook, by its name or number from 1", "decimal": "Mark before decimals: comma or point", "encoding": "Of a text file",
}

// readAs is the request to read a file as the parameters say.
func readAs(q url.Values, path string) inlier.Data {
	d := inlier.Data{Path: path, Target: q.Get("target"), Header: q.Get("header"), Delimiter: q.Get("delimiter"), Sheet: q.Get("sheet"), Decimal: q.Get("decimal"), Encoding: q.Get("encoding")}
	d.Tolerant = q.Has("tolerant") || d.Sheet+d.Decimal+d.Encoding != ""
	return d
}

// inParts answers about a table as it is read.
func (s *Server) inParts(w http.ResponseWriter, r *http.Request, m *ready, data inlier.Data, answer parts, lines bool, worded func(error) error) {
	out := &tableAnswer{w: w, json: !lines}
	remarks, err := answer(r.Context(), m.model, data, func(p *part) error {
		s.counts.rows.Add(int64(p.rows))
		return out.add(p)
	})
	if err == nil {
		err = out.end(remarks)
	}
	if err != nil && !out.begun() {
		s.refuseError(w, &rowsError{worded(err)})
	} else if err != nil { // the client sees that the answer is cut off
		s.Log.Error("an answer was cut off", "error", err)
		panic(http.ErrAbortHandler)
	}
}

// room is what reading a body takes: kept for the next one, since single rows come by the thousand.
type room struct {
	text    bytes.Buffer
	numbers []float64
}

var rooms = sync.Pool{New: func() any { return new(room) }}

// leave gives a room back, unless it is so large that it is better forgotten.
func (r *room) leave() {
	const most = 1 << 20 // bytes
	if r.text.Cap() <= most && 8*cap(r.numbers) <= most {
		r.text.Reset()
		rooms.Put(r)
	}
}

// askRows makes the answer about rows as JSON; lines of CSV are written at once. Turns end before a client takes the rest.
func (s *Server) askRows(w http.ResponseWriter, r *http.Request, m *ready, answer whole, inParts parts, lines bool) (text []byte, err error) {
	own := rooms.Get().(*room)
	done, err := s.body(w, r, own)
	defer done()
	var data sentRows
	if err == nil {
		data, err = rowsOf(r, m, own)
	}
	worded := func(err error) error { return ofRows(err, data.shifted) }
	if err == nil && lines {
		s.inParts(w, r, m, data.Data, inParts, true, worded)
	} else if err == nil {
		s.counts.rows.Add(int64(data.rows))
		var made any
		if made, err = answer(r.Context(), m.model, data.Data); err == nil {
			text, err = textOf(made)
		} else {
			err = worded(err)
		}
	}
	own.leave() // the answer shares nothing with it
	return text, err
}

// textOf writes a result; what writes itself is not looked through once more.
func textOf(made any) ([]byte, error) {
	if own, ok := made.(json.Marshaler); ok {
		return own.MarshalJSON()
	}
	return report.JSON(made)
}

// sentRows are rows that came as JSON.
type sentRows struct {
	inlier.Data
	rows    int
	shifted bool // a text may have several lines
}

// largeRows is from how many bytes on rows as JSON take turns, and perRowByte the memory that a byte of them takes: rows of objects, or
// of few numbers with a longer answer to each.
const (
	largeRows  = 256 << 10
	perRowByte = 100
)

// body reads rows as JSON into a room. Few large ones are read at a time, and fewer answered; done gives the turns back.
func (s *Server) body(w http.ResponseWriter, r *http.Request, own *room) (done func(), err error) {
	done = func() {}
	if r.ContentLength > mostJSON {
		return done, fmt.Errorf("%d bytes of JSON; at most %d: %w", r.ContentLength, mostJSON, errLimit)
	}
	if done, err = s.gather(&own.text, w, r, mostJSON, largeRows); err != nil || own.text.Len() <= largeRows {
		return done, err
	}
	turn, err := s.large.take(r.Context(), s.Silence)
	if err != nil {
		return done, err
	}
	read := done
	return func() { turn(); read() }, affords(&Upload{Name: "the rows"}, perRowByte*int64(own.text.Len()))
}

// gather brings a body into memory. One that may be large is put aside until it is whole and takes a turn then, which done gives back: those
// who send slowly have none, and keep nobody waiting.
func (s *Server) gather(text *bytes.Buffer, w http.ResponseWriter, r *http.Request, most, small int64) (done func(), err error) {
	done = func() {}
	if r.ContentLength >= 0 && r.ContentLength <= small {
		text.Grow(int(r.ContentLength) + bytes.MinRead)
		_, err = s.copyBody(text, w, r, most)
		return done, err
	}
	f, err := os.CreateTemp(filepath.Join(s.state.folder, "jobs"), "rows-*")
	if err != nil {
		return done, err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	if _, err := s.copyBody(f, w, r, most); err != nil {
		return done, err
	}
	turn, err := s.tables.take(r.Context(), s.Silence)
	if err != nil {
		return done, err
	}
	if _, err = f.Seek(0, io.SeekStart); err == nil {
		_, err = text.ReadFrom(f)
	}
	return turn, err
}

// rowsOf are the rows of a body: numbers alone at once, all else by way of values of any kind.
func rowsOf(r *http.Request, m *ready, own *room) (sentRows, error) {
	text := own.text.Bytes()
	numbers, width, ok := numberRows(text, own.numbers[:0])
	own.numbers = numbers
	target := r.URL.Query().Get("target")
	if ok && target == "" && m.about.Input.Coder == nil && !m.about.Input.Dressed() && width == m.about.About.Columns {
		return sentRows{inlier.Data{Set: m.table(numbers, width, nil)}, len(numbers) / width, false}, nil
	}
	var in rowsBody
	if err := in.read(text); err != nil {
		var other *json.UnmarshalTypeError
		if errors.As(err, &other) { // well-formed, but something else
			err = errors.New(`such as {"rows": [[1, 2], [3, 4]]}`)
		}
		return sentRows{}, &bodyError{fmt.Errorf("%w: %w", errNotJSON, err)}
	}
	data, err := in.data(m, target, r.URL.Query().Has("tolerant"))
	return sentRows{data, len(in.Rows), bytes.IndexByte(text, '\\') >= 0}, err
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
