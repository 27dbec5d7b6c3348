package tolerant

import (
	"archive/zip"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"

	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/dataset/file"
	"github.com/inlier-ml/inlier/internal/memory"
	"github.com/inlier-ml/inlier/internal/spill"
	"github.com/inlier-ml/inlier/internal/words"
)

// What a packed file may unpack to, and a line be long: everything but files made to do harm.
const (
	freeBytes    = 64 << 20
	unpackedMost = 100
	longestLine  = 32 << 20
	mostStreamed = 1 << 32
)

const lift = "if the file can be trusted, and there is memory for it, {trust} lifts the limit"

// document is a whole file in memory, unpacked.
type document struct {
	name string
	data []byte
}

// load reads a file, or standard input, and what is packed in it.
func load(ctx context.Context, name string, o *Options) ([]document, error) {
	data, err := readAll(ctx, name, o)
	if name == "-" {
		name = o.inputName()
	}
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
		if data, err = unpack(ctx, name, data, o); err != nil {
			return nil, err
		}
	}
	if bytes.HasPrefix(data, []byte("PK\x03\x04")) {
		return members(ctx, name, data, o)
	}
	return []document{{name, data}}, nil
}

func (o *Options) inputName() string { return cmp.Or(o.InputName, "standard input") }

func readAll(ctx context.Context, name string, o *Options) ([]byte, error) {
	if name == "-" {
		in := o.Input
		if in == nil {
			in = os.Stdin
		}
		return o.bounded(ctx, o.inputName(), in, 0, mostStreamed)
	}
	in, err := file.OpenFile(ctx, o.FS, name)
	if err != nil {
		return nil, unopened(name, err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, dataset.Problem(name, "this is a folder where a file is meant")
	}
	if size := info.Size(); info.Mode().IsRegular() {
		if free := memory.Free(); size > free/2 && o.Room == nil {
			return nil, dataset.Problem(name, "the file has %s, and only %s of memory are free", words.Size(size), words.Size(free)).
				WithHint("a table is held in memory as a whole; use a part of the file")
		}
		return o.bounded(ctx, name, in, size, size)
	}
	return o.bounded(ctx, name, in, 0, mostStreamed)
}

// unopened says in plain words why a file cannot be opened.
func unopened(name string, err error) error {
	e := &dataset.InputError{File: name, Err: err, Problem: "it cannot be opened"}
	if errors.As(err, new(*dataset.InputError)) { // of a store, which says more
		return err
	}
	var of *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Problem = "there is no such file"
	case errors.Is(err, fs.ErrPermission):
		e.Problem = "no permission to read it"
	case errors.As(err, &of):
		e.Problem += ": " + of.Err.Error()
	}
	return e
}

// bounded reads to the end, which is expected at a size and must come at a limit; the context ends it.
func (o *Options) bounded(ctx context.Context, name string, in io.Reader, size, limit int64) ([]byte, error) {
	over := func() error {
		return dataset.Problem(name, "it has not ended after %s, more than is allowed", words.Size(limit)).WithHint(lift)
	}
	if o.Room != nil {
		data, more, err := o.Room.ReadAll(&ended{ctx, in}, limit)
		if more {
			return nil, over()
		}
		var full *spill.Error
		if err != nil && ctx.Err() == nil && !errors.As(err, &full) && !errors.As(err, new(*dataset.InputError)) {
			return nil, &dataset.InputError{File: name, Problem: "it cannot be read: " + err.Error(), Err: err}
		}
		return data, err
	}
	limit = min(limit, memory.Free()/2)
	data := make([]byte, 0, size+512)
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if cap(data)-len(data) < 256 {
			data = slices.Grow(data, len(data)+1<<16)
		}
		n, err := in.Read(data[len(data):min(cap(data), len(data)+4<<20)])
		data = data[:len(data)+n]
		if int64(len(data)) > limit {
			return nil, over()
		}
		if err == io.EOF {
			return data, nil
		}
		if errors.As(err, new(*dataset.InputError)) {
			return nil, err
		}
		if err != nil {
			return nil, &dataset.InputError{File: name, Problem: "it cannot be read: " + err.Error(), Err: err}
		}
	}
}

// ended is a stream that a context ends.
type ended struct {
	ctx context.Context
	io.Reader
}

func (e *ended) Read(p []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	return e.Reader.Read(p)
}

// growth bounds what a packed file may become.
func (o *Options) growth(size int) int64 {
	if o.Trust {
		return 1 << 50
	}
	return max(freeBytes, unpackedMost*int64(size))
}

func unpack(ctx context.Context, name string, data []byte, o *Options) ([]byte, error) {
	in, err := gzip.NewReader(bytes.NewReader(data))
	if err == nil {
		var text []byte
		if text, err = o.bounded(ctx, name, in, int64(len(data)), o.growth(len(data))); err == nil {
			return text, nil
		}
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return nil, dataset.Problem(name, "the compressed file is cut off")
		}
		var input *dataset.InputError
		if ctx.Err() != nil || errors.As(err, &input) && input.Err == nil {
			return nil, err
		}
	}
	return nil, &dataset.InputError{File: name, Problem: "the compressed file is damaged", Err: err}
}

// members unpacks the tables of a zip archive; workbooks and arrays stay as they are.
func members(ctx context.Context, name string, data []byte, o *Options) ([]document, error) {
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, &dataset.InputError{File: name, Problem: "the zip archive is damaged or cut off", Err: err}
	}
	var tables, texts []*zip.File
	for _, f := range archive.File {
		ending := strings.ToLower(path.Ext(f.Name))
		if f.Name == "xl/workbook.xml" || ending == ".npy" {
			return []document{{name, data}}, nil
		}
		base := path.Base(f.Name)
		if strings.HasSuffix(f.Name, "/") || strings.HasPrefix(base, ".") || strings.HasPrefix(f.Name, "__MACOSX") {
			continue
		}
		switch ending {
		case ".csv", ".tsv", ".tab", ".json", ".jsonl", ".ndjson", ".xlsx", ".xlsm":
			tables = append(tables, f)
		case ".txt", ".dat", ".data":
			texts = append(texts, f)
		}
	}
	if len(tables) == 0 { // beside tables a text tells about them
		tables = texts
	}
	if len(tables) == 0 {
		return nil, dataset.Problem(name, "the zip archive holds no table").WithHint("it may hold CSV, TSV, text or JSON files, or workbooks")
	}
	var all []document
	left := o.growth(len(data))
	for _, f := range tables {
		in, err := f.Open()
		if err != nil {
			return nil, &dataset.InputError{File: name + "/" + f.Name, Problem: "it cannot be unpacked: " + err.Error(), Err: err}
		}
		text, err := o.bounded(ctx, name+"/"+f.Name, in, min(int64(f.UncompressedSize64), left), left)
		in.Close()
		if err != nil {
			return nil, err
		}
		left -= int64(len(text))
		all = append(all, document{name + "/" + f.Name, text})
	}
	return all, nil
}
