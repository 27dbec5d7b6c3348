package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"
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
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	a := &app{in: in, out: out, err: errs}

	done := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				done <- &internalError{value: p, stack: debug.Stack()}
			}
		}()
		root := tree(a)
		root.SetArgs(args)
		done <- root.ExecuteContext(ctx)
	}()
	select {
	case err := <-done:
		return a.fail(err)
	case <-signals:
	}
	cancel()
	signal.Reset(os.Interrupt, syscall.SIGTERM) // the second one ends the program at once
	select {
	case <-done:
	case <-time.After(grace):
	}
	return a.fail(context.Canceled)
}

// terminal tells whether w is a terminal, and how many columns it has.
func terminal(w io.Writer) (width int, ok bool) {
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
		fmt.Fprintf(a.err, format+"\n", args...)
	}
}
