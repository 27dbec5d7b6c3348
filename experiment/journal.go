package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/inlier-ml/inlier/internal/atomicfile"
	store "github.com/inlier-ml/inlier/internal/journal"
)

// journal keeps every finished run of one experiment as a line of JSON, written by one
// call when the run ends. Opened again, it knows what need not be run.
//
// Three files belong to an experiment. Its records proper, PATH, are what pages are made
// from. A run that begins anew (fresh) writes to a file of its own beside them, which takes
// their place when it is complete. The folder "earlier" has what was there before: records
// that the plan of a run does not know, such as those of another seed, where a later run
// finds them, and in a file of their own those that a fresh run has replaced.
type journal struct {
	path  string
	fresh bool
	file  *store.File
	mu    sync.Mutex
	done  map[string]Record
	old   []Record // all that the files held
	free  func()   // lets others use the records
}

// FreshPath is where a run that begins anew keeps its records until it is complete.
func FreshPath(path string) string { return strings.TrimSuffix(path, ".jsonl") + ".fresh.jsonl" }

// earlierPath is where records are kept that the last run did not know.
func earlierPath(path string) string {
	return filepath.Join(filepath.Dir(path), "earlier", filepath.Base(path))
}

// replacedPath is where records are kept that a fresh run has replaced.
func replacedPath(path string) string {
	return strings.TrimSuffix(earlierPath(path), ".jsonl") + ".replaced.jsonl"
}

// BusyError is a file of records that another run is using.
type BusyError = store.BusyError

// openJournal opens or creates the file; a fresh one does not know the records of earlier
// runs. A line cut off by a crash is left out. An empty path keeps records in memory only.
func openJournal(path string, fresh bool) (*journal, error) {
	j := &journal{path: path, fresh: fresh, done: map[string]Record{}}
	if path == "" {
		return j, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	name, err := path, error(nil)
	if fresh {
		name = FreshPath(path)
		if j.free, err = store.Hold(path); err != nil {
			return nil, fmt.Errorf("experiment: %w", err)
		}
	} else if err := j.load(earlierPath(path)); err != nil {
		return nil, err
	}
	j.file, err = store.Open(name, func(number int, line []byte) error {
		if len(bytes.TrimSpace(line)) == 0 {
			return nil
		}
		var r Record
		if err := json.Unmarshal(line, &r); err != nil {
			return fmt.Errorf("%s: %w", name, &RecordError{Line: number, Err: err})
		}
		j.know(r)
		return nil
	}, nil)
	if err == nil {
		return j, nil
	}
	if j.free != nil {
		j.free()
	}
	var damaged *RecordError
	if !errors.As(err, &damaged) {
		err = fmt.Errorf("experiment: %w", err)
	}
	return nil, err
}

// recorded reads a file of records that need not be there.
func recorded(path string) ([]Record, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	records, err := ReadRecords(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return records, nil
}

// load takes over the records of a file.
func (j *journal) load(path string) error {
	records, err := recorded(path)
	for _, r := range records {
		j.know(r)
	}
	return err
}

// know takes over a record of an earlier run.
func (j *journal) know(r Record) {
	j.old = append(j.old, r)
	if r.Failure == "" { // what failed is tried again
		j.done[r.key()] = r
	}
}

func (j *journal) find(key string) (Record, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	r, ok := j.done[key]
	return r, ok
}

func (j *journal) add(r Record) error {
	line, err := json.Marshal(&r)
	if err != nil {
		return fmt.Errorf("experiment: record of %s: %w", r.Method, err)
	}
	// What is kept is what would be read back, so that a run and a resumed one agree.
	var kept Record
	if err := json.Unmarshal(line, &kept); err != nil {
		return fmt.Errorf("experiment: record of %s: %w", r.Method, err)
	}
	j.mu.Lock()
	j.done[r.key()] = kept
	j.mu.Unlock()
	if j.file == nil {
		return nil
	}
	if err := j.file.Append(json.RawMessage(line)); err != nil {
		return fmt.Errorf("experiment: journal: %w", err)
	}
	return nil
}

// finish makes the given records those of the experiment. Others that were there before are
// put aside first, so that nothing is lost at any moment.
func (j *journal) finish(records []Record) error {
	if j.file == nil {
		return nil
	}
	current := map[string]bool{}
	for _, r := range records {
		current[r.key()] = true
	}
	var aside []Record
	for i := len(j.old) - 1; i >= 0; i-- { // of several with one key the last counts
		if key := j.old[i].key(); !current[key] {
			current[key] = true
			aside = append(aside, j.old[i])
		}
	}
	slices.Reverse(aside) // as they were
	if j.fresh {
		return j.replace(records, aside)
	}
	if len(aside) > 0 {
		if err := writeFile(earlierPath(j.path), aside); err != nil {
			return err
		}
	}
	if err := writeFile(j.path, records); err != nil {
		return err
	}
	if len(aside) == 0 { // all of them have come back
		if err := os.Remove(earlierPath(j.path)); err == nil {
			_ = os.Remove(filepath.Dir(earlierPath(j.path))) // only when it is empty
		}
	}
	return nil
}

// replace puts all old records aside. A damaged file, which cannot be read, is renamed.
func (j *journal) replace(records, aside []Record) error {
	before, err := recorded(replacedPath(j.path))
	if err != nil {
		return err
	}
	stood, err := recorded(j.path)
	var damaged *RecordError
	switch {
	case errors.As(err, &damaged):
		if err := os.Rename(j.path, j.path+".damaged"); err != nil {
			return fmt.Errorf("experiment: %w", err)
		}
	case err != nil:
		return err
	}
	if all := slices.Concat(before, stood, aside); len(all) > len(before) {
		if err := writeFile(replacedPath(j.path), all); err != nil {
			return err
		}
	}
	if err := writeFile(j.path, records); err != nil {
		return err
	}
	if err := os.Remove(FreshPath(j.path)); err != nil {
		return fmt.Errorf("experiment: %w", err)
	}
	return nil
}

// writeFile writes records to a file, whole or not at all.
func writeFile(path string, records []Record) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return fmt.Errorf("experiment: %w", err)
	}
	return atomicfile.Write(path, func(out io.Writer) error { return WriteRecords(out, records) })
}

func (j *journal) close() error {
	if j.file == nil {
		return nil
	}
	err := j.file.Close()
	if j.free != nil {
		j.free()
	}
	return err
}
