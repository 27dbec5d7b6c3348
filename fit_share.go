package inlier

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/atomicfile"
	"github.com/inlier-ml/inlier/internal/checkpoint"
	"github.com/inlier-ml/inlier/internal/version"
	"github.com/inlier-ml/inlier/linalg"
)

// Share has a fit in blocks made by several processes or machines that see the same folder and the same data. A pass over
// the rows is cut into tasks, ranges of rows that follow from the size of the table alone, and what these find is merged in
// a tree of fixed order: so the model does not depend on who made what, nor how often.
//
// Everything that is found is a file in the folder. A [Helper] needs nothing else: it makes the fit anew from what
// earlier passes have found, as a fit with a checkpoint does, up to the pass of which a task is wanted. A fit that was
// interrupted goes on from the folder, if request, data and program are the same.
type Share struct {
	Folder string // each fit has one of its own in it
	// TaskBytes is about the size of a task's rows as numbers; 0: 32 MiB.
	TaskBytes int64
	// Make has every node of the tree of a pass made, those of a level after all of the level before.
	Make func(ctx context.Context, p SharedPass) error
	// Keep leaves the folder of the fit where it is.
	Keep bool
}

// SharedPass is a pass over all rows that is to be made.
type SharedPass struct {
	Folder string `json:"folder"` // of the fit
	Number int    `json:"number"` // from 0
	Tasks  int    `json:"tasks"`
}

// fanIn is how many nodes of the tree are merged into one.
const fanIn = 8

// Levels are the numbers of nodes: tasks, merges of tasks, merges of these, up to one.
func (p SharedPass) Levels() []int {
	levels := []int{p.Tasks}
	for n := p.Tasks; n > 1; {
		n = (n + fanIn - 1) / fanIn
		levels = append(levels, n)
	}
	return levels
}

// Parent is the node of the next level that takes in one of these.
func (p SharedPass) Parent(node int) int { return node / fanIn }

// Made tells whether a node is made.
func (p SharedPass) Made(level, node int) bool {
	_, err := os.Stat(p.path(level, node))
	return err == nil
}

// path is the file of a node; that of the last is what the whole pass has found.
func (p SharedPass) path(level, node int) string {
	if level == len(p.Levels())-1 {
		return p.found()
	}
	return filepath.Join(p.Folder, fmt.Sprintf("pass-%d-%d-%d", p.Number, level, node))
}

// found is the file of what the whole pass has found.
func (p SharedPass) found() string { return filepath.Join(p.Folder, fmt.Sprintf("pass-%d", p.Number)) }

// shared is what a folder is for.
type shared struct {
	Program string          `json:"program"`
	Backend string          `json:"backend"`
	Request json.RawMessage `json:"request"`
	Data    string          `json:"data"` // SHA-256 of names, sizes and times of the files
	Bound   int64           `json:"bound"`
	Rows    int             `json:"rows"`
	Task    int64           `json:"task_bytes"`
	Marks   []file.Mark     `json:"marks,omitempty"`
}

// others make passes.
type others interface {
	make(ctx context.Context, b *blockwise, w *linalg.Work) (linalg.Finding, error)
	recalled(linalg.Finding) error // of a pass that needs not be made
	marks() []file.Mark
}

// Elsewhere has others make a pass.
func (b *blockwise) Elsewhere(ctx context.Context, w *linalg.Work) (linalg.Finding, error) {
	if b.others == nil {
		return nil, nil
	}
	return b.others.make(ctx, b, w)
}

// Between are some of the rows.
func (b *blockwise) Between(first, last int) linalg.Source {
	b.count()
	return b.Source.Between(first, last, b.others.marks())
}

// shareable refuses data that others cannot read.
func (f *Fit) shareable(ctx context.Context) error {
	if f.Data.Set != nil || f.Data.Source != nil || f.Data.Reader != nil || f.Data.FS != nil || f.Data.Path == "-" || slices.Contains(f.Data.Paths, "-") || f.Data.Tolerant {
		return usage("write the data to a file that all machines see", "a fit is shared whose data are files")
	}
	if f.Weights != nil {
		return usage("leave them out", "a fit is shared whose rows count alike")
	}
	files, err := f.Data.files(ctx)
	if err != nil {
		return err
	}
	for k, path := range files {
		if files[k], err = filepath.Abs(path); err != nil {
			return err
		}
	}
	if f.Data.Labels != "" {
		if f.Data.Labels, err = filepath.Abs(f.Data.Labels); err != nil {
			return err
		}
	}
	f.Data.Path, f.Data.Paths = files[0], files[1:]
	return nil
}

// sharing is a fit whose passes others make.
type sharing struct {
	share  *Share
	is     shared
	folder string
	passes int // so far
}

// begin makes the folder, or finds that of the same fit.
func (s *Share) begin(ctx context.Context, f Fit, b *blockwise) (*sharing, error) {
	out := &sharing{share: s, is: shared{Program: version.String(), Backend: linalg.Backend(), Bound: b.bound, Task: s.TaskBytes}}
	out.is.Rows, _ = b.Dims()
	if out.is.Task <= 0 {
		out.is.Task = 32 << 20
	}
	f.Checkpoint = ""
	var err error
	if out.is.Request, err = json.Marshal(f); err != nil {
		return nil, err
	}
	if out.is.Data, err = f.Data.identity(ctx); err != nil {
		return nil, err
	}
	name, err := json.Marshal(out.is)
	if err != nil {
		return nil, err
	}
	folder, err := filepath.Abs(s.Folder)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(name)
	out.folder = filepath.Join(folder, "fit-"+hex.EncodeToString(sum[:8]))
	there, err := readShared(out.folder)
	switch {
	case err == nil:
		out.is.Marks = there.Marks
		return out, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	const apart = 1 << 14
	if out.is.Marks, err = b.Source.Marks(ctx, apart); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(out.folder, 0o777); err != nil {
		return nil, err
	}
	text, err := json.Marshal(out.is)
	if err != nil {
		return nil, err
	}
	return out, writeWhole(filepath.Join(out.folder, "fit.json"), text)
}

func readShared(folder string) (is shared, err error) {
	text, err := os.ReadFile(filepath.Join(folder, "fit.json"))
	if err == nil {
		err = json.Unmarshal(text, &is)
	}
	return is, err
}

// pass is the next one, of so many stripes.
func (s shared) pass(folder string, number int, w *linalg.Work, columns int) (p SharedPass, each int) {
	const most = 4096 // tasks
	from, to := w.Rows(0, 1)
	each = max(int(s.Task/int64(8*max(columns, 1)*(to-from))), (w.Stripes+most-1)/most, 1)
	return SharedPass{Folder: folder, Number: number, Tasks: (w.Stripes + each - 1) / each}, each
}

// load reads what a pass has found.
func (s shared) load(path string, w *linalg.Work, columns int) (linalg.Finding, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	found := w.Fresh()
	if err := checkpoint.Decode(data, found.Parts(), w.Fresh().Parts(), s.Rows, columns); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return found, nil
}

// store writes what was found, whole or not at all.
func store(path string, found linalg.Finding, w *linalg.Work) error {
	data, err := checkpoint.Encode(found.Parts(), w.Fresh().Parts())
	if err != nil {
		return err
	}
	return writeWhole(path, data)
}

func writeWhole(path string, data []byte) error {
	return atomicfile.Write(path, func(w io.Writer) error { _, err := w.Write(data); return err })
}

// make has a pass made.
func (s *sharing) make(ctx context.Context, b *blockwise, w *linalg.Work) (linalg.Finding, error) {
	_, columns := b.Dims()
	p, _ := s.is.pass(s.folder, s.passes, w, columns)
	s.passes++
	if _, err := os.Stat(p.found()); err != nil {
		b.count()
		if err := s.share.Make(ctx, p); err != nil {
			return nil, err
		}
	}
	return s.is.load(p.found(), w, columns)
}

// recalled is a pass that a checkpoint knows, which helpers need as well.
func (s *sharing) recalled(found linalg.Finding) error {
	path := SharedPass{Folder: s.folder, Number: s.passes}.found()
	s.passes++
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	data, err := checkpoint.Encode(found.Parts(), nil)
	if err != nil {
		return err
	}
	return writeWhole(path, data)
}

func (s *sharing) marks() []file.Mark { return s.is.Marks }

// end removes the folder of a fit that is made. It is given another name first, so that no late helper writes into it.
func (s *sharing) end() error {
	if s.share.Keep {
		return nil
	}
	gone := s.folder + ".ended"
	if err := os.Rename(s.folder, gone); err != nil {
		return err
	}
	err := os.RemoveAll(gone)
	for k := 0; err != nil && k < 20; k++ { // of a write under way
		time.Sleep(50 * time.Millisecond)
		err = os.RemoveAll(gone)
	}
	return err
}
