package file

import (
	"context"
	"io"
	"os"
	"slices"

	"github.com/inlier-ml/inlier/internal/tempfile"
	"github.com/inlier-ml/inlier/internal/words"
)

// spool copies what can be read only once to a temporary file, because data are read several
// times. What cannot be data is refused at its beginning, and what has no end at a limit.
func (f *content) spool(ctx context.Context, stream io.Reader, opts *Options) error {
	limit := opts.MaxBytes
	if limit <= 0 {
		limit = mostStreamed
	}
	out, err := os.CreateTemp("", "inlier-input-*")
	if err != nil {
		return err
	}
	f.path, f.temp, f.disk = out.Name(), true, disk{ctx: ctx}
	tempfile.Track(f.path)
	err = f.copy(out, &cancelled{ctx, stream}, limit, opts.Format == "")
	if closing := out.Close(); err == nil {
		err = closing
	}
	if err != nil {
		f.close()
	}
	return err
}

// copy stops where the beginning shows that it is no data, if that is to be told, and at the
// limit.
func (f *content) copy(out io.Writer, stream io.Reader, limit int64, tell bool) error {
	head, err := io.ReadAll(io.TeeReader(io.LimitReader(stream, min(headBytes, limit)), out))
	if err != nil {
		return err
	}
	if tell && len(head) == headBytes && !isPacked(head) && !slices.ContainsFunc(drivers(), func(d *driver) bool { return d.begins(head) }) {
		if what := foreign(head); what != "" {
			return notRead(f.name, what)
		}
	}
	n, err := io.Copy(out, io.LimitReader(stream, limit+1-int64(len(head))))
	if err == nil && n+int64(len(head)) > limit {
		err = problem(f.name, "the stream has not ended after %s, more than is allowed", words.Size(limit)).
			WithHint("write the data to a file first; or {trust} lifts the limit")
	}
	return err
}

// cancelled ends a stream with its context.
type cancelled struct {
	ctx context.Context
	in  io.Reader
}

func (c *cancelled) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.in.Read(b)
}
