package server

import (
	"context"
	"errors"
	"slices"
	"strings"
	"syscall"

	"github.com/danielgtaylor/huma/v2"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/internal/journal"
)

// Problem is a mistake in what was asked for or in the data.
type Problem struct {
	Detail    string `json:"detail"`
	Hint      string `json:"hint,omitempty"`
	Parameter string `json:"parameter,omitempty"`
}

// problemOf words an error for people; ours tells that the fault is the program's.
func problemOf(err error) (p *Problem, ours bool) {
	if errors.Is(err, syscall.ENOSPC) {
		return &Problem{Detail: "the disk is full", Hint: "remove uploads, jobs or models that are no longer needed"}, false
	}
	var sent *bodyError
	if errors.As(err, &sent) {
		_, detail := sent.told()
		return &Problem{Detail: detail}, false
	}
	if e, ok := inlier.AsError(err); ok {
		say := spoken
		if errors.As(err, new(*rowsError)) {
			say = spokenOfRows
		}
		detail, hint := e.Word(say)
		return &Problem{detail, hint, e.Parameter}, false
	}
	switch {
	case slices.ContainsFunc(told, func(known error) bool { return errors.Is(err, known) }):
		return &Problem{Detail: err.Error()}, false
	case errors.Is(err, context.DeadlineExceeded):
		return &Problem{Detail: "the job took longer than jobs may", Hint: "try it with fewer rows"}, false
	case errors.Is(err, context.Canceled):
		return &Problem{Detail: "it was cancelled"}, false
	}
	return &Problem{Detail: "the program has a fault; the server's log tells more"}, true
}

// spoken calls parameters as requests do, with what the page calls them where that is another word; those that no request has
// are named for what they are, a way out at the command line.
var spoken = inlier.Words{
	Parameter: func(name string) string {
		switch name {
		case "categorical":
			return `categorical ("Text columns" on the page)`
		case "header":
			return `header ("The first line holds names" on the page)`
		case "trust", "memory", "labels", "allow-outside":
			return "--" + name + " at the command line"
		}
		return strings.ReplaceAll(name, "-", "_")
	},
	Job: inlier.Plain.Job,
}

// rowsError is a mistake in rows that a model was asked about, whose request has other parameters.
type rowsError struct{ err error }

func (e *rowsError) Error() string { return e.err.Error() }
func (e *rowsError) Unwrap() error { return e.err }

// spokenOfRows calls parameters as questions to models do.
var spokenOfRows = inlier.Words{
	Parameter: func(name string) string {
		switch name {
		case "decimal-comma":
			return "decimal=comma"
		case "header":
			return "header"
		}
		return spoken.Parameter(name)
	},
	Job: inlier.Plain.Job,
}

// What a server refuses although the request is well made.
var (
	errLimit    = errors.New("more than is allowed")           // of a body
	errBusy     = errors.New("ask again when some have ended") // of jobs
	errMemory   = errors.New("try again when there is more")   // of memory
	errPages    = errors.New("close some")                     // of streams
	errGone     = errors.New("send it again")                  // of a file that was removed
	errStopping = errors.New("the server is stopping")

	told = []error{errUnknown, errLimit, errBusy, errMemory, errPages, errGone, errStopping, journal.ErrGone} // as they are
)

// worded has the detail of a refusal say what is wrong, where the check of a request's form says no more than that it failed.
func worded(_ huma.Context, _ string, answer any) (any, error) {
	m, ok := answer.(*huma.ErrorModel)
	if !ok {
		return answer, nil
	}
	m.Errors = m.Errors[:min(len(m.Errors), 10)] // there may be 100,000
	for _, e := range m.Errors {
		switch v := e.Value.(type) { // what was sent need not all come back
		case string:
			e.Value = printable(v)
		case []any, map[string]any:
			e.Value = nil
		}
	}
	if m.Detail == "validation failed" {
		var said []string
		for _, e := range m.Errors[:min(len(m.Errors), 3)] {
			said = append(said, strings.TrimPrefix(strings.TrimPrefix(e.Location, "body."), "body")+": "+e.Message)
		}
		m.Detail = strings.TrimPrefix(strings.Join(said, "; "), ": ")
	}
	return answer, nil
}
