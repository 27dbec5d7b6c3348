package server

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/inlier-ml/inlier/internal/atomicfile"
	"github.com/inlier-ml/inlier/internal/journal"
)

// identity is what uploads, jobs and models are called.
var identity = regexp.MustCompile(`^[0-9a-f]{16}$`)

// newIdentity draws one.
func newIdentity() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // which never fails
	return hex.EncodeToString(b[:])
}

// Upload is a file that was sent.
type Upload struct {
	ID      string    `json:"id"`
	Name    string    `json:"name" doc:"As the sender calls it"`
	Bytes   int64     `json:"bytes"`
	SHA256  string    `json:"sha256"`
	Created time.Time `json:"created"`
}

// StoredModel is a model that was fitted here or sent.
type StoredModel struct {
	ID      string    `json:"id"`
	Name    string    `json:"name"`
	Method  string    `json:"method"`
	Job     string    `json:"job,omitempty" doc:"The job that made it"`
	Bytes   int64     `json:"bytes"`
	Created time.Time `json:"created"`
}

// entry is a line of the journal.
type entry struct {
	Time   time.Time    `json:"time"`
	Upload *Upload      `json:"upload,omitempty"`
	Model  *StoredModel `json:"model,omitempty"`
	Job    *Job         `json:"job,omitempty"` // as it was asked for, or as it ended
	Chosen *Chosen      `json:"chosen,omitempty"`
	Turned *Turned      `json:"turned,omitempty"`
	Remove string       `json:"remove,omitempty"` // what is no more
}

// state is what the folder holds, and a copy of it in memory.
type state struct {
	folder  string
	writing sync.Mutex // of lines, one after the other: a disk takes its time, and readers do not wait for it
	file    *journal.File
	lock    sync.RWMutex // of what follows

	uploads map[string]*Upload
	models  map[string]*StoredModel
	jobs    map[string]*Job
	choices map[string]*chosen // of checks
}

// open reads the journal, marks what was under way as interrupted and removes files of the server's own that no line tells of.
func open(folder string) (*state, error) {
	for _, room := range []string{"uploads", "models", "jobs"} {
		if err := os.MkdirAll(filepath.Join(folder, room), 0o700); err != nil {
			return nil, err
		}
	}
	s := &state{folder: folder, uploads: map[string]*Upload{}, models: map[string]*StoredModel{}, jobs: map[string]*Job{}, choices: map[string]*chosen{}}
	var err error
	var lines history
	s.file, err = journal.Open(filepath.Join(folder, "journal.jsonl"), func(number int, line []byte) error {
		var e entry
		if err := json.Unmarshal(line, &e); err != nil {
			return fmt.Errorf("%s: line %d: %w", filepath.Join(folder, "journal.jsonl"), number, err)
		}
		s.apply(e)
		lines.add(&e, len(line))
		return nil
	}, nil)
	if err != nil {
		return nil, err
	}
	_ = os.Chmod(filepath.Join(folder, "journal.jsonl"), 0o600)  // the folder may have been made for all to read
	left, _ := fs.Glob(os.DirFS(folder), ".journal.jsonl.*.tmp") // by a crash amid what follows
	for _, name := range left {
		os.Remove(filepath.Join(folder, name))
	}
	if lines.long() {
		_ = s.file.Shorten(lines.tells) // on a full disk it goes on as it is
	}
	s.settle()
	if err := s.sweep(); err != nil {
		s.file.Close()
		return nil, err
	}
	atomicfile.SyncFolder(folder)
	return s, nil
}

// apply makes the copy in memory follow a line.
func (s *state) apply(e entry) {
	switch {
	case e.Upload != nil:
		s.uploads[e.Upload.ID] = e.Upload
	case e.Model != nil:
		s.models[e.Model.ID] = e.Model
	case e.Job != nil:
		if s.jobs[e.Job.ID] = e.Job; e.Job.Upload == "" {
			e.Job.Upload = about(e.Job.Request) // a line of an earlier version
		}
	case e.Chosen != nil:
		s.chosen(e.Chosen.Job).choose(e.Chosen)
	case e.Turned != nil:
		s.chosen(e.Turned.Job).turn(e.Turned.Forward)
	case e.Remove != "":
		delete(s.choices, e.Remove)
		delete(s.uploads, e.Remove)
		delete(s.models, e.Remove)
		delete(s.jobs, e.Remove)
	}
}

// settle marks what was under way as interrupted, and leaves out what has lost its files.
func (s *state) settle() {
	gone := func(path string) bool { _, err := os.Stat(path); return errors.Is(err, os.ErrNotExist) }
	for _, j := range s.jobs {
		if !j.State.Ended() || j.State == Done && gone(s.jobFolder(j.ID)) {
			j.State, j.Files = Interrupted, nil
		}
	}
	maps.DeleteFunc(s.uploads, func(_ string, u *Upload) bool { return gone(s.uploadPath(u)) })
	maps.DeleteFunc(s.models, func(id string, _ *StoredModel) bool { return gone(s.modelPath(id)) })
}

// leftOver are names of files that a crash may leave beside those that are called by an identity.
var leftOver = regexp.MustCompile(`^(\.[0-9a-f]{16}\.npz\.[0-9a-f]{16}\.tmp|rows-[0-9]+)$`)

// sweep removes what a crash has left: files whose line was never written. The folder may hold files of others, which stay.
func (s *state) sweep() error {
	for room, known := range map[string]func(id string) bool{
		"uploads": func(id string) bool { return s.uploads[id] != nil },
		"models":  func(id string) bool { return s.models[id] != nil },
		"jobs":    func(id string) bool { return s.jobs[id] != nil && s.jobs[id].State == Done },
	} {
		files, err := os.ReadDir(filepath.Join(s.folder, room))
		if err != nil {
			return err
		}
		for _, f := range files {
			id, name := f.Name(), f.Name()
			if room == "models" {
				id = strings.TrimSuffix(name, ".npz")
			}
			rest := leftOver.MatchString(name) && strings.HasPrefix(name, "rows-") == (room == "jobs")
			if rest || identity.MatchString(id) && !known(id) {
				if err := os.RemoveAll(filepath.Join(s.folder, room, name)); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// remove takes something and its files out of the folder. The line comes first, so that nothing is listed without its files;
// where the disk is too full for a line, the files make room for it.
func (s *state) remove(id, path string) error {
	written := s.add(entry{Remove: id})
	if written != nil && !errors.Is(written, syscall.ENOSPC) {
		return written
	}
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	if written != nil {
		return s.add(entry{Remove: id})
	}
	return nil
}

// add writes lines, then follows them.
func (s *state) add(entries ...entry) error {
	lines := make([]any, len(entries))
	for k := range entries {
		entries[k].Time = time.Now().UTC()
		lines[k] = entries[k]
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.file.Keep(lines...); err != nil {
		return err
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	for _, e := range entries {
		s.apply(e)
	}
	return nil
}

func (s *state) close() error { return s.file.Close() }

// uploadPath is where an upload lies. Its extension is the sender's where that is a plain word, since it may tell the format.
func (s *state) uploadPath(u *Upload) string {
	return filepath.Join(s.folder, "uploads", u.ID, "data"+extension(u.Name))
}

var plainExtension = regexp.MustCompile(`(?i)(\.[a-z0-9]{1,8}){1,2}$`)

func extension(name string) string { return plainExtension.FindString(filepath.Base(name)) }

func (s *state) modelPath(id string) string { return filepath.Join(s.folder, "models", id+".npz") }

func (s *state) jobFolder(id string) string { return filepath.Join(s.folder, "jobs", id) }

// errUnknown is answered with 404.
var errUnknown = errors.New("there is nothing of this name")

func (s *state) upload(id string) (*Upload, error) {
	s.lock.RLock()
	defer s.lock.RUnlock()
	if u := s.uploads[id]; u != nil {
		return u, nil
	}
	return nil, fmt.Errorf("upload %q: %w", id, errUnknown)
}

func (s *state) model(id string) (*StoredModel, error) {
	s.lock.RLock()
	defer s.lock.RUnlock()
	if m := s.models[id]; m != nil {
		return m, nil
	}
	return nil, fmt.Errorf("model %q: %w", id, errUnknown)
}

// newest is what a map holds, the newest first.
func newest[T any](s *state, in map[string]*T, created func(*T) time.Time) []T {
	s.lock.RLock()
	defer s.lock.RUnlock()
	out := make([]T, 0, len(in))
	for _, v := range in {
		out = append(out, *v)
	}
	slices.SortFunc(out, func(a, b T) int { return created(&b).Compare(created(&a)) })
	return out
}

// jobList are all jobs, the newest first.
func (s *state) jobList() []Job {
	return newest(s, s.jobs, func(j *Job) time.Time { return j.Created })
}
