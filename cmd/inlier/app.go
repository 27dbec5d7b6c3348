package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/inlier-ml/inlier/internal/console"
	"github.com/inlier-ml/inlier/internal/output"
	"github.com/inlier-ml/inlier/internal/tempfile"
)

// app is what every command shares: the three streams and the global flags.
type app struct {
	in       io.Reader
	out, err io.Writer

	seed    uint64
	threads int
	json    bool
	quiet   bool
	noColor bool
	force   bool
	inUse   bool  // standard input has been read
	memory  int64 // bytes to stay within; 0: what is free

	files output.Guard    // what is read and written
	left  output.Leavings // what an interruption leaves

	serves atomic.Int64 // of a server, which a stop ends properly: nanoseconds that it gets for that
}

// grace is how long an interrupted command may take to notice before the program ends
// without it. Files appear whole or not at all, so nothing is lost then either.
const grace = 3 * time.Second

// run executes the command line and returns the exit code.
func run(args []string, in io.Reader, out, errs io.Writer) int {
	return runWith(newRoot, args, in, out, errs)
}

// runWith runs one command tree under the care of signals and panics.
func runWith(tree func(*app) *cobra.Command, args []string, in io.Reader, out, errs io.Writer) int {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 2)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) { // as nohup and background jobs of scripts have it
			signal.Notify(signals, s)
		}
	}
	defer signal.Stop(signals)
	defer tempfile.RemoveAll() // of a command that does not end
	if f, ok := out.(*os.File); ok {
		if _, ok := terminal(f); ok {
			out = &console.Screen{File: f}
		}
	}
	printed := &console.Watched{Writer: out}
	a := &app{in: &console.Interruptible{Context: ctx, In: in}, out: printed, err: errs}

	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- &internalError{value: p, stack: debug.Stack()}
			}
		}()
		root := tree(a)
		root.SetArgs(args)
		if err := strayWord(root, args); err != nil {
			done <- err
			return
		}
		done <- root.ExecuteContext(ctx)
	}()
	select {
	case err := <-done:
		if err == nil && printed.Err != nil { // what was printed did not all arrive
			err = fmt.Errorf("standard output: %w", printed.Err)
		}
		return a.fail(err)
	case <-signals:
	}
	cancel()
	wait := grace + time.Duration(a.serves.Load())
	select {
	case err := <-done:
		if a.serves.Load() > 0 {
			return a.fail(err)
		}
	case <-signals: // the second one ends the program at once
	case <-time.After(wait):
	}
	return a.fail(context.Canceled)
}

// colour tells whether escapes may be written to w.
func (a *app) colour(w io.Writer) bool {
	if a.noColor || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	_, ok := terminal(w)
	return ok
}

// note tells the user something that is not the result, on stderr, unless --quiet.
func (a *app) note(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintln(a.err, calm(fmt.Sprintf(format, args...)))
	}
}
