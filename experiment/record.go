package experiment

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"sort"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset/file"
)

// Record is one finished run of one method on one draw of the data.
type Record struct {
	Experiment string               `json:"experiment"`
	Data       string               `json:"data"`
	Method     string               `json:"method"`
	Parameters catalog.Parameters   `json:"parameters,omitempty"`
	Repeat     int                  `json:"repeat"` // from 0
	Seed       uint64               `json:"seed"`
	Scores     map[string]Number    `json:"scores,omitempty"`
	Series     map[string][]float64 `json:"series,omitempty"` // curves, for figures
	Seconds    float64              `json:"seconds"`          // of the fits, by the wall clock, to four digits
	Steps      int                  `json:"steps"`
	Status     string               `json:"status,omitempty"` // how the last fit ended
	Failure    string               `json:"failure,omitempty"`
	Version    string               `json:"version,omitempty"` // of the program that ran it
}

// Number is a score. JSON has no word for what is not finite; null stands for it.
type Number float64

// MarshalJSON writes six significant digits: more than any table shows, and files stay small.
func (n Number) MarshalJSON() ([]byte, error) {
	if v := float64(n); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte("null"), nil
	}
	return fmt.Appendf(nil, "%.6g", float64(n)), nil
}

// UnmarshalJSON reads null as NaN.
func (n *Number) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	return json.Unmarshal(data, (*float64)(n))
}

// key is what a run is known by when an experiment is resumed.
func (r *Record) key() string {
	p, _ := json.Marshal(r.Parameters) // a map of texts; keys are sorted
	return fmt.Sprintf("%s\x00%s\x00%s\x00%d\x00%d", r.Data, r.Method, p, r.Repeat, r.Seed)
}

// sortRecords brings records into the order of the plan, whichever ended first.
func sortRecords(records []Record, order map[string]int) {
	sort.SliceStable(records, func(i, j int) bool {
		return order[records[i].key()] < order[records[j].key()]
	})
}

// WriteRecords writes JSON Lines.
func WriteRecords(w io.Writer, records []Record) error {
	out := bufio.NewWriter(w)
	for i := range records {
		line, err := json.Marshal(&records[i])
		if err != nil {
			return fmt.Errorf("experiment: record: %w", err)
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

// RecordError says that a line of a file of records, counted from 1, is damaged.
type RecordError struct {
	Line int
	Err  error
}

// Error names the line.
func (e *RecordError) Error() string {
	return fmt.Sprintf("line %d is not a record: %v", e.Line, e.Err)
}

// Unwrap is what is wrong with it.
func (e *RecordError) Unwrap() error { return e.Err }

// ReadRecords reads JSON Lines. A last line that was cut off by a crash is left out.
func ReadRecords(r io.Reader) ([]Record, error) {
	var out []Record
	in := bufio.NewReaderSize(r, 1<<20)
	for number := 1; ; number++ {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var one Record
		if err := json.Unmarshal(line, &one); err != nil {
			return nil, &RecordError{Line: number, Err: err}
		}
		out = append(out, one)
	}
}

// Columns lays records out as a table with one row per score, for Parquet and CSV.
func Columns(records []Record) []file.Column {
	c := []file.Column{
		{Name: "experiment"}, {Name: "data"}, {Name: "method"}, {Name: "parameters"}, {Name: "repeat"}, {Name: "seed"},
		{Name: "score"}, {Name: "value"}, {Name: "seconds"}, {Name: "steps"}, {Name: "status"}, {Name: "failure"}, {Name: "version"},
	}
	for _, r := range records {
		names := make([]string, 0, len(r.Scores))
		for name := range r.Scores {
			names = append(names, name)
		}
		sort.Strings(names)
		if len(names) == 0 {
			names = []string{""} // a failure has no score but keeps its line
		}
		p, _ := json.Marshal(r.Parameters)
		for _, name := range names {
			value := math.NaN()
			if v, ok := r.Scores[name]; ok {
				value = float64(v)
			}
			for i, text := range []string{r.Experiment, r.Data, r.Method, string(p)} {
				c[i].Texts = append(c[i].Texts, text)
			}
			c[4].Integers = append(c[4].Integers, r.Repeat)
			c[5].Integers = append(c[5].Integers, int(r.Seed))
			c[6].Texts = append(c[6].Texts, name)
			c[7].Numbers = append(c[7].Numbers, value)
			c[8].Numbers = append(c[8].Numbers, r.Seconds)
			c[9].Integers = append(c[9].Integers, r.Steps)
			c[10].Texts = append(c[10].Texts, r.Status)
			c[11].Texts = append(c[11].Texts, r.Failure)
			c[12].Texts = append(c[12].Texts, r.Version)
		}
	}
	return c
}
