package server

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/words"
)

// mostPointColumns is how many columns of points there can be.
const mostPointColumns = 100

// column answers with one column of the points.
func (s *Server) column(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	j, err := s.job(id)
	k, bad := strconv.Atoi(r.PathValue("column"))
	if err == nil && (!slices.Contains(j.Files, pointsFile) || bad != nil || k < 0 || k > mostPointColumns) {
		err = fmt.Errorf("column %q of job %s: %w", printable(r.PathValue("column")), id, errUnknown)
	}
	var f *os.File
	if err == nil {
		f, err = os.Open(filepath.Join(s.state.jobFolder(id), pointsFile))
	}
	if err != nil {
		s.refuseError(w, err)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	size := 4 * int64(j.Rows)
	if err == nil && (int64(k)+1)*size > info.Size() {
		err = fmt.Errorf("column %d of job %s: %w", k, id, errUnknown)
	}
	if err != nil {
		s.refuseError(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Cache-Control", "private, max-age=3600") // a job's files never change
	http.ServeContent(w, r, "", time.Time{}, io.NewSectionReader(f, int64(k)*size, size))
}

// Files of a job that pictures draw: numbers of the rows, and their votes along the scale of a loss.
const (
	pointsFile = "points.bin"
	votesFile  = "votes.bin"
)

// mostRowsAsked bounds the rows that are told at a time.
const mostRowsAsked = 200

// verdicts answers with the lines of rows.csv for some rows, such as ?rows=3,17.
func (s *Server) verdicts(w http.ResponseWriter, r *http.Request) {
	id := r.PathValue("id")
	j, err := s.job(id)
	if err == nil && !slices.Contains(j.Files, "rows.csv") {
		err = fmt.Errorf("rows of job %s: %w", id, errUnknown)
	}
	wanted := map[int]bool{}
	for _, text := range strings.Split(r.URL.Query().Get("rows"), ",") {
		n, bad := strconv.Atoi(text)
		if err == nil && (bad != nil || n < 1 || len(wanted) >= mostRowsAsked) {
			err = &inlier.Error{Parameter: "rows", Problem: fmt.Sprintf("up to %d numbers of rows are expected, such as 3,17", mostRowsAsked)}
		}
		wanted[n] = true
	}
	var found []map[string]string
	if err == nil {
		found, err = linesOf(filepath.Join(s.state.jobFolder(id), "rows.csv"), wanted)
	}
	if err != nil {
		s.refuseError(w, err)
		return
	}
	answerJSON(w, http.StatusOK, found)
}

// selected answers with rows of the file that was checked.
func (s *Server) selected(w http.ResponseWriter, r *http.Request) {
	var text bytes.Buffer
	var rows []int
	j, err := s.job(r.PathValue("id"))
	if err == nil && !slices.Contains(j.Files, "rows.csv") {
		err = fmt.Errorf("rows of job %s: %w", j.ID, errUnknown)
	}
	if err == nil && (r.ContentLength < 0 || r.ContentLength > largeRows) {
		var read func()
		if read, err = s.tables.take(r.Context(), s.Silence); err == nil {
			defer read()
		}
	}
	if err == nil { // all rows of the file, with some blanks around their numbers
		_, err = s.copyBody(&text, w, r, min(mostJSON, 1<<16+24*int64(j.Rows)))
	}
	if err == nil && json.Unmarshal(text.Bytes(), &rows) != nil {
		err = &bodyError{fmt.Errorf("%w: such as [3, 17]", errNotJSON)}
	}
	if at := slices.IndexFunc(rows, func(n int) bool { return n < 1 || n > j.Rows }); err == nil && (at >= 0 || len(rows) == 0) {
		err = &inlier.Error{Parameter: "rows", Problem: fmt.Sprintf("numbers of rows from 1 to %d are expected", j.Rows)}
	}
	if err == nil {
		err = performed(&j, func(c CheckRequest) error { return s.writeRows(w, r, &j, c, rows) })
	}
	if err != nil {
		s.refuseError(w, err)
	}
}

func (s *Server) writeRows(w http.ResponseWriter, r *http.Request, j *Job, c CheckRequest, rows []int) error {
	u, path, err := s.source(j)
	if err != nil {
		return err
	}
	turn, err := s.large.take(r.Context(), s.Silence)
	if err != nil {
		return err
	}
	defer turn()
	defer release()
	against := ""
	if c.Against != "" { // the check has kept the model, whatever became of the earlier one
		against = filepath.Join(s.state.jobFolder(j.ID), "model.npz")
	}
	out := &started{Writer: w}
	if strings.Contains(r.Header.Get("Accept"), "application/json") {
		err = tellRows(w, r, c.job(path, against), rows)
	} else {
		w.Header().Set("Content-Type", "text/csv")
		if err = c.job(path, against).WriteRows(r.Context(), out, rows); err != nil && out.is {
			panic(http.ErrAbortHandler) // the client sees that the answer is cut off
		}
	}
	return renamed(renamed(err, u, path), &Upload{Name: "the model"}, against)
}

// tellRows answers with rows as people see them in a table: glimpses of their cells, of so many columns as fit there.
func tellRows(w http.ResponseWriter, r *http.Request, c inlier.Check, rows []int) (err error) {
	defer spill.Caught(&err)
	if len(rows) > mostRowsAsked {
		return &inlier.Error{Parameter: "rows", Problem: fmt.Sprintf("at most %d rows are told as JSON", mostRowsAsked)}
	}
	t, err := c.ReadOnly(r.Context())
	if err != nil {
		return err
	}
	defer t.Room().Close()
	var told struct {
		Columns []string   `json:"columns"`
		Rows    [][]string `json:"rows"`
	}
	for _, column := range t.Columns[:min(len(t.Columns), mostRowsAsked)] {
		told.Columns = append(told.Columns, column.Name)
	}
	for _, n := range rows {
		cells := make([]string, len(told.Columns))
		for k := range cells {
			if n <= t.Rows {
				cells[k] = words.Glimpse(t.Text(n-1, k))
			}
		}
		told.Rows = append(told.Rows, cells)
	}
	answerJSON(w, http.StatusOK, told)
	return nil
}

// started tells whether something was written.
type started struct {
	io.Writer
	is bool
}

func (s *started) Write(b []byte) (int, error) {
	s.is = true
	return s.Writer.Write(b)
}

// linesOf finds rows in rows.csv, which holds them in order. Lines that are not wanted are passed over as bytes.
func linesOf(path string, wanted map[int]bool) ([]map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 1<<18)
	var kept, names []string
	var record []byte
	out := []map[string]string{}
	for row := 0; row == 0 || len(out) < len(wanted); row++ {
		record = record[:0]
		quotes := 0
		for open := true; open; { // a record ends where no quotation mark is open
			line, err := in.ReadSlice('\n')
			if errors.Is(err, io.EOF) && len(line) == 0 {
				return out, nil
			}
			if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, bufio.ErrBufferFull) {
				return nil, err
			}
			record, quotes = append(record, line...), quotes+bytes.Count(line, []byte{'"'})
			open = errors.Is(err, bufio.ErrBufferFull) || err == nil && quotes%2 == 1
		}
		if row > 0 && !wanted[row] {
			continue
		}
		if kept, err = csv.NewReader(bytes.NewReader(record)).Read(); err != nil {
			return nil, err
		}
		if row == 0 {
			names = kept
			continue
		}
		line := map[string]string{}
		for k, name := range names[:min(len(names), len(kept))] {
			line[name] = kept[k]
		}
		out = append(out, line)
	}
	return out, nil
}
