package objects

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/inlier-ml/inlier/dataset"
)

// Object is an object as an opened file. The context that opened it ends its reading too. It is read in one version: where that is
// replaced, reading fails.
type Object struct {
	ctx   context.Context
	store *store
	request
	size  int64
	when  time.Time
	at    int64 // next byte of the stream
	body  io.ReadCloser
	fails int // of the stream without a byte between them
}

// Open looks at an object: its size and version. Nothing of it is read yet.
func Open(ctx context.Context, name string) (*Object, error) {
	s, err := environment(name)
	if err != nil {
		return nil, err
	}
	bucket, key, _ := strings.Cut(strings.TrimPrefix(name, Scheme), "/")
	if bucket == "" || key == "" || strings.HasSuffix(key, "/") {
		return nil, dataset.Problem(name, "this names no object").WithHint("names are s3://bucket/key; a pattern such as s3://bucket/prefix/*.parquet stands for several")
	}
	o := &Object{ctx: ctx, store: s, request: request{name: name, bucket: bucket, key: key}}
	first := o.request
	first.to = 1
	answer, err := s.do(ctx, &first)
	if err != nil {
		if errors.Is(err, errNoRange) { // there is no first byte
			return o, nil
		}
		return nil, err
	}
	answer.Body.Close()
	o.tag, o.size = answer.Header.Get("ETag"), answer.ContentLength
	o.when, _ = http.ParseTime(answer.Header.Get("Last-Modified")) // the version tells more
	if answer.StatusCode == http.StatusPartialContent {
		_, total, _ := strings.Cut(answer.Header.Get("Content-Range"), "/")
		if o.size, err = strconv.ParseInt(total, 10, 64); err != nil {
			return nil, dataset.Problem(name, "the store does not tell the size of the object")
		}
	}
	return o, nil
}

// span begins to read a range.
func (o *Object) span(from, to int64) (io.ReadCloser, error) {
	r := o.request
	r.from, r.to = from, to
	answer, err := o.store.do(o.ctx, &r)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusPartialContent && (from > 0 || to < o.size) {
		answer.Body.Close()
		return nil, dataset.Problem(o.name, "the store reads no ranges of objects")
	}
	return answer.Body, nil
}

// failed counts a reading that broke off, and waits before the next; an error where there were enough.
func (o *Object) failed(fails *int, err error) error {
	if wrong := o.ctx.Err(); wrong != nil {
		return wrong
	}
	if *fails++; *fails >= attempts {
		return &dataset.InputError{File: o.name, Problem: fmt.Sprintf("reading broke off %d times: %v", *fails, err), Err: err}
	}
	return wait(o.ctx, *fails)
}

// Read reads the object as a stream, and goes on where a connection broke.
func (o *Object) Read(p []byte) (n int, err error) {
	for len(p) > 0 {
		if o.at >= o.size {
			return 0, io.EOF
		}
		if o.body == nil {
			if o.body, err = o.span(o.at, o.size); err != nil {
				return 0, err
			}
		}
		n, err = o.body.Read(p)
		if n > 0 {
			o.at, o.fails = o.at+int64(n), 0
			return n, nil
		}
		o.leave()
		if err := o.failed(&o.fails, err); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// ReadAt reads a range by a request of its own; several may be under way.
func (o *Object) ReadAt(p []byte, at int64) (int, error) {
	want := int(max(0, min(int64(len(p)), o.size-at)))
	for done, fails := 0, 0; done < want; {
		in, err := o.span(at+int64(done), at+int64(want))
		if err != nil {
			return done, err
		}
		n, err := io.ReadFull(in, p[done:want])
		in.Close()
		if done += n; n > 0 {
			fails = 0
		}
		if done < want {
			if err := o.failed(&fails, err); err != nil {
				return done, err
			}
		}
	}
	if want < len(p) {
		return want, io.EOF
	}
	return want, nil
}

// Seek goes to another place of the stream.
func (o *Object) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += o.at
	case io.SeekEnd:
		offset += o.size
	}
	if offset < 0 {
		return 0, fs.ErrInvalid
	}
	o.leave()
	o.at = offset
	return offset, nil
}

func (o *Object) leave() {
	if o.body != nil {
		o.body.Close()
		o.body = nil
	}
}

// Close ends the stream.
func (o *Object) Close() error { o.leave(); return nil }

// Stat tells size and time; Sys is the version.
func (o *Object) Stat() (fs.FileInfo, error) { return info{o}, nil }

type info struct{ of *Object }

func (i info) Name() string       { return path.Base(i.of.key) }
func (i info) Size() int64        { return i.of.size }
func (i info) Mode() fs.FileMode  { return 0o444 }
func (i info) ModTime() time.Time { return i.of.when }
func (i info) IsDir() bool        { return false }
func (i info) Sys() any           { return i.of.tag }
