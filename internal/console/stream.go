package console

import (
	"context"
	"io"
	"os"

	"golang.org/x/term"
)

// Terminal tells whether w is a terminal, and how many columns it has.
func Terminal(w io.Writer) (width int, ok bool) {
	if stream, ok := w.(*Watched); ok {
		w = stream.Writer
	}
	if safe, ok := w.(*Screen); ok {
		w = safe.File
	}
	f, isFile := w.(*os.File)
	if !isFile || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 20 {
		width = 80
	}
	return width, true
}

// Interruptible is a stream that may wait for ever, such as a terminal, and whose reading
// ends nevertheless when the program is interrupted.
type Interruptible struct {
	Context context.Context
	In      io.Reader
	buffer  []byte
}

func (r *Interruptible) Read(p []byte) (int, error) {
	if err := r.Context.Err(); err != nil {
		return 0, err
	}
	if len(r.buffer) < len(p) {
		r.buffer = make([]byte, len(p))
	}
	type result struct {
		n   int
		err error
	}
	done, own := make(chan result, 1), r.buffer[:len(p)] // p must not be written to after we have returned
	go func() {
		n, err := r.In.Read(own)
		done <- result{n, err}
	}()
	select {
	case <-r.Context.Done():
		return 0, r.Context.Err()
	case got := <-done:
		return copy(p, own[:got.n]), got.err
	}
}

// Watched is a stream that remembers its first error, so that a full disk behind it does
// not go unnoticed.
type Watched struct {
	io.Writer
	Err error
}

func (w *Watched) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil && w.Err == nil {
		w.Err = err
	}
	return n, err
}
