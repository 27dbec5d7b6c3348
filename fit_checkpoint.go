package inlier

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/atomicfile"
	"github.com/inlier-ml/inlier/internal/checkpoint"
	"github.com/inlier-ml/inlier/internal/journal"
	"github.com/inlier-ml/inlier/internal/version"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/linalg"
)

// belongs is what the findings of passes hold for: they would be others with another request, other data or other arithmetic.
type belongs struct {
	Program string          `json:"program"`
	Backend string          `json:"backend"`
	Request json.RawMessage `json:"request"`
	Data    string          `json:"data"`  // SHA-256 of names, sizes and times of the files
	Bound   int64           `json:"bound"` // on memory, in bytes, also one that was found out
	Rows    int             `json:"rows"`
}

// kept is the checkpoint of a fit.
type kept struct {
	file  *checkpoint.File
	own   belongs
	known bool // the file is there
}

// resume opens the checkpoint of a fit; nil where none is asked for.
func (f Fit) resume(ctx context.Context) (*kept, error) {
	if f.Checkpoint == "" {
		return nil, nil
	}
	if f.Data.Set != nil || f.Data.Source != nil {
		return nil, usage("leave it out", "--checkpoint is of fits to files, and these rows are in memory")
	}
	if f.Checkpoint == "-" {
		return nil, usage("give the name of a file", "--checkpoint - is no file")
	}
	if f.Data.Reader != nil || f.Data.Path == "-" || slices.Contains(f.Data.Paths, "-") {
		return nil, usage("write the data to a file first", "--checkpoint needs data that can be read again, which standard input cannot")
	}
	p := &kept{own: belongs{Program: version.String(), Backend: linalg.Backend()}}
	path := f.Checkpoint
	f.Checkpoint = ""
	var err error
	if p.own.Request, err = json.Marshal(f); err != nil {
		return nil, err
	}
	if p.own.Data, err = f.Data.identity(ctx); err != nil {
		return nil, err
	}
	var there belongs
	p.file, p.known, err = checkpoint.Open(path, &there)
	hint := fmt.Sprintf("remove %s to begin anew, or give --checkpoint another name", path)
	var bad *checkpoint.Error
	var busy *journal.BusyError
	var unwritable *atomicfile.Error
	switch {
	case errors.As(err, &bad):
		return nil, about("checkpoint", badInput(err, hint))
	case errors.As(err, &busy), errors.As(err, &unwritable), errors.Is(err, fs.ErrPermission):
		return nil, about("checkpoint", badInput(err, "give --checkpoint another name"))
	case err != nil || !p.known:
		return p, err
	}
	other := ""
	switch {
	case string(there.Request) != string(p.own.Request):
		other = "of another request: method, parameters or how the data are read differ"
	case there.Data != p.own.Data:
		other = "of other data: a file was changed since"
	case there.Program != p.own.Program:
		other = "of another version of the program, " + there.Program
	case there.Backend != p.own.Backend:
		other = "of another processor: " + there.Backend
	case there.Rows < 1 || there.Bound < 1:
		other = "damaged"
	}
	if other != "" {
		p.close()
		return nil, about("checkpoint", usage(hint, "%s is %s", path, other))
	}
	p.own = there
	return p, nil
}

// Readings tells how often a table that was fitted in blocks was read.
func (r *FitResult) Readings() string {
	text := fmt.Sprintf("%s, to stay within %s", words.Plural(r.Reads, "time"), words.Size(r.Memory))
	if r.Recalled > 0 {
		text += fmt.Sprintf("; %s taken from the checkpoint", words.Plural(r.Recalled, "reading"))
	}
	return text
}

// identity is a digest of which files the data are.
func (d Data) identity(ctx context.Context) (string, error) {
	files, err := d.files(ctx)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	note := func(path string) error {
		info, err := file.StatFile(ctx, d.FS, path)
		if err == nil {
			fmt.Fprintf(hash, "%q %d %d\n", path, info.Size(), info.ModTime().UnixNano())
			if version, object := info.Sys().(string); object {
				fmt.Fprintln(hash, version)
			}
		}
		return err
	}
	if d.Labels != "" {
		files = append(files, d.Labels)
	}
	for _, path := range files {
		if err := note(path); err != nil {
			return "", nil // which reading will tell
		}
		if info, err := os.Stat(path); d.FS == nil && err == nil && info.IsDir() {
			err = filepath.WalkDir(path, func(path string, _ fs.DirEntry, err error) error {
				if err == nil {
					err = note(path)
				}
				return err
			})
			if err != nil {
				return "", err
			}
		}
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// begin makes the file, as soon as it is known that passes will be made.
func (p *kept) begin(b *blockwise) error {
	if p.known {
		return nil
	}
	p.own.Bound = b.bound
	p.own.Rows, _ = b.Dims()
	return p.file.Begin(p.own)
}

func (p *kept) close() {
	if p != nil {
		p.file.Close()
	}
}

// Recall takes what a pass has found from the checkpoint.
func (b *blockwise) Recall(f linalg.Finding) (bool, error) {
	if b.kept == nil {
		return false, nil
	}
	rows, columns := b.Dims()
	known, err := b.kept.file.Recall(f.Parts(), rows, columns)
	var bad *checkpoint.Error
	if errors.As(err, &bad) {
		err = about("checkpoint", badInput(err, fmt.Sprintf("remove %s to begin anew", bad.Path)))
	}
	if known && err == nil && b.others != nil {
		err = b.others.recalled(f)
	}
	return known, err
}

// Keep puts what a pass has found into the checkpoint.
func (b *blockwise) Keep(f linalg.Finding) error {
	if b.kept == nil {
		return nil
	}
	return b.kept.file.Keep(f.Parts())
}
