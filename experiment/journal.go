package experiment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// journal keeps every finished run of one experiment as a line of JSON, written by one
// call when the run ends. Opened again, it knows what need not be run.
type journal struct {
	mu   sync.Mutex
	file *os.File
	done map[string]Record
}

// openJournal opens or creates the file. A line cut off by a crash is removed. An empty
// path keeps records in memory only.
func openJournal(path string) (*journal, error) {
	j := &journal{done: map[string]Record{}}
	if path == "" {
		return j, nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	whole := text[:bytes.LastIndexByte(text, '\n')+1]
	records, err := ReadRecords(bytes.NewReader(whole))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, r := range records {
		if r.Failure == "" { // what failed is tried again
			j.done[r.key()] = r
		}
	}
	if j.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644); err != nil {
		return nil, fmt.Errorf("experiment: %w", err)
	}
	if err = j.file.Truncate(int64(len(whole))); err == nil {
		_, err = j.file.Seek(int64(len(whole)), 0)
	}
	if err != nil {
		j.file.Close()
		return nil, fmt.Errorf("experiment: %w", err)
	}
	return j, nil
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
	defer j.mu.Unlock()
	j.done[r.key()] = kept
	if j.file == nil {
		return nil
	}
	if _, err := j.file.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("experiment: journal: %w", err)
	}
	return nil
}

func (j *journal) close() error {
	if j.file == nil {
		return nil
	}
	return j.file.Close()
}
