package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/internal/words"
)

// The exit codes.
const (
	exitDone        = 0
	exitFailed      = 1   // anything that is not the user's doing
	exitUsage       = 2   // wrong usage or bad input
	exitAbove       = 3   // a check found more wrong rows than --fail-above allows
	exitInterrupted = 130 // 128 + SIGINT
)

// usageError is a mistake in what was asked for, found by the command line itself.
type usageError struct{ problem, hint string }

func (e *usageError) Error() string { return e.problem }

// badInput marks an error of a library as the user's doing.
func badInput(err error, hint string) error {
	if err == nil {
		return nil
	}
	return &usageError{problem: err.Error(), hint: hint}
}

// usage makes a usageError.
func usage(hint, format string, args ...any) error {
	return &usageError{problem: fmt.Sprintf(format, args...), hint: hint}
}

// internalError is a panic: a bug of this program.
type internalError struct {
	value any
	stack []byte
}

func (e *internalError) Error() string { return fmt.Sprintf("internal error: %v", e.value) }

// fail prints err, if there is one, as one line and perhaps a hint, and returns the
// exit code that belongs to it.
func (a *app) fail(err error) int {
	if err == nil {
		return exitDone
	}
	line, hint, code := explain(err)
	if code == exitInterrupted {
		line = "interrupted; " + a.left.Text()
	}
	fmt.Fprintf(a.err, "inlier: %s\n", calm(line))
	if hint != "" {
		fmt.Fprintf(a.err, "hint: %s\n", calm(hint))
	}
	var bug *internalError
	if errors.As(err, &bug) && os.Getenv("INLIER_TRACE") != "" {
		fmt.Fprintf(a.err, "%s", bug.stack)
	}
	return code
}

// flags are how the command line calls parameters and jobs.
var flags = inlier.Words{
	Parameter: func(name string) string {
		if name == "journal" { // a file that a search goes on from
			name = "resume"
		}
		return "--" + name
	},
	Job: func(name string) string { return "inlier " + name },
}

// explain finds the words and the exit code for an error.
func explain(err error) (line, hint string, code int) {
	var (
		own   *usageError
		bug   *internalError
		above *failedCheck
	)
	switch {
	case errors.Is(err, context.Canceled):
		return "interrupted", "", exitInterrupted
	case errors.As(err, &bug):
		return words.OneLine(bug.Error()), "this is a bug; INLIER_TRACE=1 shows where, please report it", exitFailed
	case errors.As(err, &above):
		return above.Error(), "", exitAbove
	case errors.As(err, &own):
		return words.OneLine(err.Error()), words.OneLine(own.hint), exitUsage
	}
	if mistake, ok := inlier.AsError(err); ok {
		line, hint = mistake.Word(flags)
		return words.OneLine(line), words.OneLine(hint), exitUsage
	}
	return words.OneLine(err.Error()), "", exitFailed
}
