package experiment

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/given"
)

// Env is where an experiment runs: its data folder and its form.
type Env struct {
	Dir  string // folder of data sets; empty: none
	Full bool   // the papers' numbers of repeats
	// Faces lets pages show pictures of the people in the data folder, for one's own eyes;
	// published pages show invented people.
	Faces bool

	mu    sync.Mutex
	files map[string]*loaded
}

type loaded struct {
	once sync.Once
	set  *dataset.Set
	err  error
}

// Has tells whether a file or folder is there.
func (e *Env) Has(name string) bool {
	if e.Dir == "" {
		return false
	}
	_, err := os.Stat(filepath.Join(e.Dir, name))
	return err == nil
}

// nameless is a text whose files are named as they lie in the data folder: records say nothing of the machine.
func (e *Env) nameless(text string) string {
	if e == nil || e.Dir == "" {
		return text
	}
	return strings.ReplaceAll(text, filepath.Clean(e.Dir)+string(filepath.Separator), "")
}

// Missing lists which of the needed files are not there.
func (e *Env) Missing(needs []string) []string {
	var out []string
	for _, n := range needs {
		if !e.Has(n) {
			out = append(out, n)
		}
	}
	return out
}

// Read reads a file or folder below the data folder, once however often it is asked for.
// The set is shared: it must not be changed.
func (e *Env) Read(ctx context.Context, name string, opts file.Options) (*dataset.Set, error) {
	ctx = given.Context(ctx)
	if e.Dir == "" {
		return nil, fmt.Errorf("experiment: no data folder for %s", name)
	}
	key := fmt.Sprintf("%s %+v", name, opts)
	e.mu.Lock()
	if e.files == nil {
		e.files = map[string]*loaded{}
	}
	f, ok := e.files[key]
	if !ok {
		f = &loaded{}
		e.files[key] = f
	}
	e.mu.Unlock()
	f.once.Do(func() { f.set, f.err = file.Read(ctx, filepath.Join(e.Dir, name), opts) })
	return f.set, f.err
}

// Path is a file below the data folder.
func (e *Env) Path(name string) string { return filepath.Join(e.Dir, name) }

// Forget drops what was read, for the next experiment to have the memory.
func (e *Env) Forget() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.files = nil
}
