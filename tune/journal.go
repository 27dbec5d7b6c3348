package tune

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"github.com/inlier-ml/inlier/dataset"
	store "github.com/inlier-ml/inlier/internal/journal"
)

// A journal is a file of JSON lines with the outcome of every fit that a search has
// finished. The first line tells what the search is about; its key is a hash of data,
// method, folds, seed and program version, and a journal with another key is refused.
// Each further line is one fit: candidate, partition, number of training rows, and the
// outcomes of the validation rows as base64 of little-endian float64. Lines name their
// candidate, so a wider grid uses what a narrower one has left behind.
type journal struct {
	file *store.File
	done map[unitKey]outcome
}

// unitKey names a fit: candidate, partition, training rows.
type unitKey struct {
	candidate  string
	part, rows int
}

// outcome is what a fit gave: one number per validation row, or what went wrong.
type outcome struct {
	values  []float64
	failure string
	seconds float64
}

type journalHead struct {
	Format string `json:"inlier_tune"`
	Key    string `json:"key"`
	Method string `json:"method"`
	Data   string `json:"data"`
}

type journalLine struct {
	Candidate string  `json:"candidate"`
	Part      int     `json:"part"`
	Rows      int     `json:"rows"`
	Seconds   float64 `json:"seconds"`
	Failure   string  `json:"failure,omitempty"`
	Values    string  `json:"values,omitempty"`
}

const journalFormat = "1"

// openJournal opens or creates the file and reads what is there.
func openJournal(path string, head journalHead) (*journal, error) {
	head.Format = journalFormat
	j := &journal{done: map[unitKey]outcome{}}
	file, err := store.Open(path,
		func(number int, line []byte) error { return j.read(path, head, number, line) },
		func(line []byte) error { // a head that was cut off; a file that starts with something else is not ours
			if start := []byte(`{"inlier_tune"`); !bytes.HasPrefix(line, start) && !bytes.HasPrefix(start, line) {
				return notJournal(path)
			}
			return nil
		})
	if err != nil {
		return nil, explainJournal(path, err)
	}
	j.file = file
	if file.Empty() {
		if err := file.Append(head); err != nil {
			file.Close()
			return nil, fmt.Errorf("tune: journal: %w", err)
		}
	}
	return j, nil
}

// explainJournal makes of what keeps a journal from being opened an error that is the user's
// to mend.
func explainJournal(path string, err error) error {
	var busy *store.BusyError
	var system *fs.PathError
	switch {
	case errors.As(err, &busy):
		return wrongIn("journal", "wait for it, or give another file", "--journal %s: another run is using it", path)
	case errors.As(err, &system):
		return wrongIn("journal", "", "--journal %s: %v", path, system.Err)
	}
	return err
}

// read takes over one line.
func (j *journal) read(path string, head journalHead, number int, line []byte) error {
	if number > 1 {
		key, o, ok := parseLine(line)
		if !ok {
			return wrongIn("journal", "remove the file to begin anew", "--journal %s: line %d is damaged", path, number)
		}
		j.done[key] = o
		return nil
	}
	var found journalHead
	if json.Unmarshal(line, &found) != nil || found.Format == "" {
		return notJournal(path)
	}
	if found.Key != head.Key || found.Format != head.Format {
		return wrongIn("journal", "give another file, or remove this one to begin anew", "--journal %s belongs to another search: %s on %s with other data, folds, repeats, seed, metric or version of this program", path, found.Method, found.Data)
	}
	return nil
}

func notJournal(path string) error {
	return wrongIn("journal", "give a new name, or a file that tune has written", "--journal %s is not the journal of a search", path)
}

func parseLine(line []byte) (unitKey, outcome, bool) {
	var l journalLine
	if json.Unmarshal(line, &l) != nil || l.Candidate == "" && l.Values == "" && l.Failure == "" {
		return unitKey{}, outcome{}, false
	}
	o := outcome{failure: l.Failure, seconds: l.Seconds}
	raw, err := base64.StdEncoding.DecodeString(l.Values)
	if err != nil || len(raw)%8 != 0 {
		return unitKey{}, outcome{}, false
	}
	for k := 0; k < len(raw); k += 8 {
		o.values = append(o.values, math.Float64frombits(binary.LittleEndian.Uint64(raw[k:])))
	}
	return unitKey{l.Candidate, l.Part, l.Rows}, o, true
}

// add keeps a finished fit. A nil journal keeps nothing.
func (j *journal) add(k unitKey, o outcome) error {
	if j == nil {
		return nil
	}
	raw := make([]byte, 0, 8*len(o.values))
	for _, v := range o.values {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
	}
	if err := j.file.Append(journalLine{Candidate: k.candidate, Part: k.part, Rows: k.rows, Seconds: o.seconds, Failure: o.failure, Values: base64.StdEncoding.EncodeToString(raw)}); err != nil {
		return fmt.Errorf("tune: journal: %w", err)
	}
	return nil
}

// find returns a finished fit with as many outcomes as the partition has test rows.
func (j *journal) find(k unitKey, rows int) (outcome, bool) {
	if j == nil {
		return outcome{}, false
	}
	o, ok := j.done[k]
	return o, ok && (o.failure != "" || len(o.values) == rows)
}

// discard closes the journal and removes it if it did not exist before this search.
func (j *journal) discard() {
	if j != nil {
		j.file.Discard()
	}
}

func (j *journal) close() error {
	if j == nil {
		return nil
	}
	if err := j.file.Close(); err != nil {
		return fmt.Errorf("tune: journal: %w", err)
	}
	return nil
}

// fingerprint is a hash of a set's numbers, target and groups, and of what else decides
// the outcome of a fit.
func fingerprint(set *dataset.Set, groups []int, rest ...any) string {
	h := sha256.New()
	put := func(v ...uint64) {
		for _, x := range v {
			var b [8]byte
			binary.LittleEndian.PutUint64(b[:], x)
			h.Write(b[:])
		}
	}
	n, d := set.X.Dims()
	put(uint64(n), uint64(d))
	for i := range n {
		for _, v := range set.X.RawRowView(i) {
			put(math.Float64bits(v))
		}
	}
	for _, v := range set.Target.Values {
		put(math.Float64bits(v))
	}
	for _, k := range set.Target.Labels {
		put(uint64(k))
	}
	for _, g := range groups {
		put(uint64(g))
	}
	fmt.Fprintf(h, "%q %q %v %v", set.Columns, set.Target.Classes, set.Shape, rest)
	return hex.EncodeToString(h.Sum(nil))
}
