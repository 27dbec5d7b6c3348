package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/atomicfile"
	"github.com/inlier-ml/inlier/report"
)

// Outputs never destroy. Every command says with reads what it reads and with plans what
// it will write, before any work is done; plans and, once more, every writing refuse
//
//   - an output that is an input, by whatever name or link, or a file of an input folder;
//   - two outputs of one name;
//   - a file that is there and not an output of Inlier of the same kind, unless --force.
//
// What is of the same kind is told by content, see the kinds below. An empty file holds
// nothing to lose. Devices and pipes are written to, not replaced.
type outputs struct {
	inputs  []string
	planned map[string]string // file -> the flag that names it
}

const aboutOutputs = `An output never replaces an input. Any other file that is there is replaced when it is an output of the
same kind (a model by a model, a picture or page of Inlier by another, a table by one of the same
columns, data by the same data), and otherwise only with --force.`

// kind tells whether a file may be replaced without being asked: whether it is an output
// of Inlier of the same kind.
type kind struct {
	name string // what the file there is not: "a model"
	is   func(file *os.File, size int64) bool
}

// reads remembers what a command reads.
func (a *app) reads(paths ...string) {
	for _, p := range paths {
		if p != "" && p != "-" {
			a.files.inputs = append(a.files.inputs, p)
		}
	}
}

// plans refuses an output, before any work is done for it, that cannot or must not be
// written. The flag is what names it; "" and "-" are no files.
func (a *app) plans(flag, path string, k kind) error {
	if path == "" || path == "-" {
		return nil
	}
	if err := a.sparesInputs(flag, path); err != nil {
		return err
	}
	if err := atomicfile.Check(path); err != nil {
		return err
	}
	if a.files.planned == nil {
		a.files.planned = map[string]string{}
	}
	place := placeOf(path)
	if other, twice := a.files.planned[place]; twice && other != flag {
		return usage("give two names", "%s and %s both name %s", other, flag, path)
	}
	a.files.planned[place] = flag
	return a.mayReplace(path, k)
}

// mayReplace refuses a file that is there and not of the kind to be written.
func (a *app) mayReplace(path string, k kind) error {
	flag := a.files.planned[placeOf(path)]
	if err := a.sparesInputs(flag, path); err != nil {
		return err
	}
	info, err := os.Stat(path)
	if a.force || err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return nil // what is wrong with the place is for the writing to say
	}
	file, err := os.Open(path)
	if err == nil {
		defer file.Close()
		if k.is(file, info.Size()) {
			return nil
		}
	}
	return usage("give another name, or --force to replace it", "%s: there is already a file, and it is not %s", strings.TrimSpace(flag+" "+path), k.name)
}

// sparesInputs refuses an output that is an input or stands in an input folder.
func (a *app) sparesInputs(flag, path string) error {
	target, err := os.Stat(path)
	if err != nil {
		return nil // nothing is there, so nothing is lost
	}
	if mode := target.Mode(); !mode.IsRegular() && !mode.IsDir() {
		return nil
	}
	for _, input := range a.files.inputs {
		info, err := os.Stat(input)
		if err != nil {
			continue
		}
		name := strings.TrimSpace(flag + " " + path)
		switch {
		case os.SameFile(info, target):
			return usage("give another name", "%s: this is the input %s, which is never written to", name, input)
		case info.IsDir() && within(path, info), target.IsDir() && within(input, target):
			return usage("give another name", "%s: this belongs to the input %s, which is never written to", name, input)
		}
	}
	return nil
}

// within tells whether a path leads into a folder, links followed.
func within(path string, folder os.FileInfo) bool {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return false
	}
	if real, err = filepath.Abs(real); err != nil {
		return false
	}
	for {
		above := filepath.Dir(real)
		if above == real {
			return false
		}
		if info, err := os.Stat(above); err == nil && os.SameFile(info, folder) {
			return true
		}
		real = above
	}
}

// placeOf names a file the same whichever way it is written.
func placeOf(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	} else if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(folder, filepath.Base(path))
	}
	if whole, err := filepath.Abs(path); err == nil {
		return whole
	}
	return path
}

// write puts content into the file at path, whole or not at all, or onto standard
// output for "-". After an interruption nothing is written any more.
func (a *app) write(ctx context.Context, path string, k kind, content func(io.Writer) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if path == "-" {
		return content(a.out)
	}
	if err := a.mayReplace(path, k); err != nil {
		return err
	}
	return a.wrote(path, atomicfile.Write(path, func(w io.Writer) error { return content(&breakable{ctx, w}) }))
}

// writeBytes writes a picture or page that was made beforehand; no path: nothing.
func (a *app) writeBytes(ctx context.Context, path string, data []byte) error {
	if path == "" {
		return nil
	}
	return a.write(ctx, path, pictureFile(path), func(w io.Writer) error { _, err := w.Write(data); return err })
}

// wrote remembers what an interruption leaves behind.
func (a *app) wrote(path string, err error) error {
	if err == nil {
		a.left.add(path)
	}
	return err
}

// breakable ends a writing when the program is interrupted.
type breakable struct {
	ctx context.Context
	io.Writer
}

func (b *breakable) Write(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	return b.Writer.Write(p)
}

// printJSON prints a result for programs.
func (a *app) printJSON(v any) error { return encodeJSON(a.out, v) }

func encodeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// modelFile: an archive whose meta.json says so.
var modelFile = kind{"a model that inlier has made", func(file *os.File, size int64) bool {
	archive, err := zip.NewReader(file, size)
	if err != nil {
		return false
	}
	meta, err := archive.Open("meta.json")
	if err != nil {
		return false
	}
	defer meta.Close()
	head := make([]byte, 1<<12)
	n, _ := io.ReadFull(meta, head)
	return bytes.Contains(head[:n], []byte(`"inlier-model"`))
}}

// pictureFile: a picture or page, of any of their formats, that says who made it.
func pictureFile(string) kind {
	return kind{"a picture or page that inlier has made", func(file *os.File, size int64) bool { return report.Made(file, size) != "" }}
}

// perhapsTable: what could be a table of results in the format that the name tells; the
// columns are compared when they are known.
func perhapsTable(path string) kind {
	return kind{"a table", func(file *os.File, _ int64) bool {
		head := make([]byte, 512)
		n, _ := io.ReadFull(file, head)
		head = head[:n]
		switch {
		case hasAnyEnding(path, ".parquet"):
			return bytes.HasPrefix(head, []byte("PAR1"))
		case hasAnyEnding(path, ".npz"):
			return bytes.HasPrefix(head, []byte("PK"))
		case hasAnyEnding(path, ".json"):
			head = bytes.TrimSpace(head)
			return len(head) > 0 && (head[0] == '{' || head[0] == '[')
		}
		return !bytes.ContainsRune(head, 0) && utf8.Valid(bytes.ToValidUTF8(head, nil))
	}}
}

// optionalColumns may be there or not in tables of one kind.
var optionalColumns = []string{"id", "given", "suggested", "why"}

// tableFile: a table of the same columns in the format that the name tells.
func tableFile(path string, columns []string) kind {
	return kind{"a table of these columns", func(file *os.File, size int64) bool {
		return sameKind(columns, columnsOf(path, file, size))
	}}
}

func sameKind(ours, theirs []string) bool {
	essential := func(names []string) []string {
		return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(optionalColumns, n) })
	}
	return len(theirs) > 0 && slices.Equal(essential(ours), essential(theirs))
}

// columnsOf are the names of the columns of a table; nil when it is none.
func columnsOf(path string, file *os.File, size int64) []string {
	switch {
	case hasAnyEnding(path, ".parquet"):
		source, err := dataset.Open(path, dataset.Options{Format: dataset.Parquet, Categorical: dataset.Ordinal, Missing: dataset.MissingKeep, Limit: 1})
		if err != nil {
			return nil
		}
		defer source.Close()
		var names []string
		for _, c := range source.Info().Columns {
			names = append(names, c.Name)
		}
		return names
	case hasAnyEnding(path, ".npz"):
		archive, err := zip.NewReader(file, size)
		if err != nil {
			return nil
		}
		var names []string
		for _, f := range archive.File {
			names = append(names, strings.TrimSuffix(f.Name, ".npy"))
		}
		return names
	}
	in := csv.NewReader(io.LimitReader(file, 1<<20))
	if hasAnyEnding(path, ".tsv", ".tab") {
		in.Comma = '\t'
	}
	names, err := in.Read()
	if err != nil {
		return nil
	}
	return names
}

// jsonFile: JSON whose first object begins with the same keys.
func jsonFile(v any) kind {
	return kind{"a result of this command", func(file *os.File, _ int64) bool {
		var text bytes.Buffer
		if encodeJSON(&text, v) != nil {
			return false
		}
		ours, theirs := firstKeys(&text), firstKeys(file)
		n := min(2, len(ours), len(theirs))
		return n > 0 && slices.Equal(ours[:n], theirs[:n])
	}}
}

// firstKeys are the keys of the outermost object, or of the first one of a list, as far
// as they stand before an inner object.
func firstKeys(in io.Reader) []string {
	d := json.NewDecoder(in)
	var keys []string
	for depth, name := 0, true; ; {
		token, err := d.Token()
		if err != nil {
			return keys
		}
		switch t := token.(type) {
		case json.Delim:
			if depth++; t != '{' && (t != '[' || depth > 1) || len(keys) > 0 {
				return keys
			}
		case string:
			if name {
				keys = append(keys, t)
			}
			name = !name
		default:
			name = true
		}
	}
}

// sameContent: a file that holds already what is to be written. Data carry no mark, so
// nothing else can be told from data of the user's own.
func sameContent(path string, content func(io.Writer) error) kind {
	return kind{"what would be written", func(file *os.File, _ int64) bool {
		var there io.Reader = file
		if hasAnyEnding(path, ".gz") {
			unpacked, err := gzip.NewReader(file)
			if err != nil {
				return false
			}
			there = unpacked
		}
		c := &differ{there: there}
		if content(c) != nil {
			return false
		}
		n, _ := io.ReadFull(there, make([]byte, 1))
		return n == 0
	}}
}

// differ is an io.Writer that fails at the first byte that is not there already.
type differ struct{ there io.Reader }

var errDiffers = errors.New("the content differs")

func (c *differ) Write(p []byte) (int, error) {
	b := make([]byte, len(p))
	if _, err := io.ReadFull(c.there, b); err != nil || !bytes.Equal(b, p) {
		return 0, errDiffers
	}
	return len(p), nil
}

// anyFile is for data whose content is compared when it is known.
var anyFile = kind{"", func(*os.File, int64) bool { return true }}

// leavings are what a command leaves behind when it is interrupted.
type leavings struct {
	lock  sync.Mutex
	files []string
	note  string // of work that can be gone on with
}

func (l *leavings) add(file string) {
	l.lock.Lock()
	defer l.lock.Unlock()
	if !slices.Contains(l.files, file) {
		l.files = append(l.files, file)
	}
}

func (l *leavings) say(format string, args ...any) {
	l.lock.Lock()
	defer l.lock.Unlock()
	l.note = fmt.Sprintf(format, args...)
}

func (l *leavings) text() string {
	l.lock.Lock()
	defer l.lock.Unlock()
	switch {
	case l.note != "":
		return l.note
	case len(l.files) == 0:
		return "nothing was written"
	case len(l.files) == 1:
		return l.files[0] + " was written whole"
	}
	return strings.Join(l.files, ", ") + " were written whole"
}
