package server

import (
	"bufio"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Points are what pictures of a check draw: for every row its number, suspicion, verdict and values, column by column as
// 4-byte numbers. Values are centred and scaled before, since so few digits do not tell 1e9 from 1e9 + 1.
type Points struct {
	Rows    int           `json:"rows"`
	Columns []PointColumn `json:"columns"`
}

// PointColumn is one number per row: value = centre + scale * what the file holds.
type PointColumn struct {
	Name   string   `json:"name"`
	Kind   string   `json:"kind" doc:"score, verdict, or what the column was taken for"`
	Centre float64  `json:"centre"`
	Scale  float64  `json:"scale"`
	Levels []string `json:"levels,omitempty" doc:"Words that the numbers stand for"`
}

// Numbers of the verdict column.
const (
	fineRow    = 0
	wrongRow   = 1
	extremeRow = 2
)

// mostPointColumns is how many columns of a table pictures know, and mostLevels how many words of one.
const (
	mostPointColumns = 60
	mostLevels       = 50
)

// points writes the columns behind one another.
func points(w io.Writer, r *inlier.CheckResult) (Points, error) {
	p := Points{Rows: r.Rows}
	out := bufio.NewWriterSize(w, 1<<16)
	add := func(c PointColumn, at func(i int) float64) {
		p.Columns = append(p.Columns, c)
		var b [4]byte
		for i := range r.Rows {
			binary.LittleEndian.PutUint32(b[:], math.Float32bits(float32((at(i)-c.Centre)/c.Scale)))
			_, _ = out.Write(b[:]) // the first error stays with the writer
		}
	}
	f := r.Found
	add(PointColumn{Name: "suspicion", Kind: "score", Scale: 1}, func(i int) float64 { return f.Score[i] })
	add(PointColumn{Name: "verdict", Kind: "verdict", Scale: 1}, func(i int) float64 {
		switch {
		case f.Wrong[i]:
			return wrongRow
		case f.Part[i] == check.PartExtreme:
			return extremeRow
		}
		return fineRow
	})
	for k := range r.Table.Columns {
		c := &r.Table.Columns[k]
		if c.Values == nil || len(p.Columns) >= mostPointColumns {
			continue
		}
		about := PointColumn{Name: c.Name, Kind: c.Kind.String(), Scale: 1}
		switch {
		case c.Kind != tolerant.Category && c.Kind != tolerant.Boolean:
			about.Centre, about.Scale = middle(c.Values)
		case len(c.Levels) <= mostLevels:
			about.Levels = c.Levels
		}
		add(about, func(i int) float64 { return c.Values[i] })
	}
	return p, out.Flush()
}

// middle is the median of a column and half of the range of its inner nine tenths, or what comes nearest to that.
func middle(values []float64) (centre, scale float64) {
	kept := make([]float64, 0, len(values))
	for _, v := range values {
		if !math.IsNaN(v) {
			kept = append(kept, v)
		}
	}
	if len(kept) == 0 {
		return 0, 1
	}
	slices.Sort(kept)
	at := func(share float64) float64 { return kept[int(share*float64(len(kept)-1))] }
	centre = at(0.5)
	for _, tail := range []float64{0.05, 0.01, 0} {
		if scale = at(1-tail)/2 - at(tail)/2; scale > 0 && !math.IsInf(scale, 0) {
			return centre, scale
		}
	}
	return centre, 1
}

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

const pointsFile = "points.bin"

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

// linesOf finds rows in rows.csv, which holds them in order.
func linesOf(path string, wanted map[int]bool) ([]map[string]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := csv.NewReader(bufio.NewReaderSize(f, 1<<18))
	lines.ReuseRecord = true
	head, err := lines.Read()
	if err != nil {
		return nil, err
	}
	names := slices.Clone(head)
	out := []map[string]string{}
	for row := 1; len(out) < len(wanted); row++ {
		fields, err := lines.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if wanted[row] {
			line := map[string]string{}
			for k, name := range names {
				line[name] = fields[k]
			}
			out = append(out, line)
		}
	}
	return out, nil
}
