package dataset

import (
	"fmt"
	"strings"

	"github.com/inlier-ml/inlier/internal/words"
)

// InputError says what is wrong with what the user gave: a file, an option, a cell.
// A program should show it as it is and not as a fault of its own.
type InputError struct {
	// File is the file as the user named it.
	File string
	// Line is the line in a text file, from 1; 0 when there is none to name.
	Line int
	// Row is the row of the table, from 1, where files have no lines; or 0.
	Row int
	// Column is the name of the column, or empty.
	Column string
	// Problem says what is wrong.
	Problem string
	// Hint says what would be right, where that helps.
	Hint string
	// Err is the error below, if there is one.
	Err error
}

// Error is one line that starts with the package's name.
func (e *InputError) Error() string { return "dataset: " + e.Message() }

// Message is Error without the package's name.
func (e *InputError) Message() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File)
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d", e.Line)
		}
		b.WriteString(": ")
	}
	if e.Row > 0 {
		fmt.Fprintf(&b, "row %d: ", e.Row)
	}
	if e.Column != "" {
		fmt.Fprintf(&b, "column %q: ", words.Clip(e.Column))
	}
	b.WriteString(words.Clip(e.Problem))
	return strings.Join(strings.FieldsFunc(b.String(), func(r rune) bool { return r == '\n' || r == '\r' }), " ")
}

// Unwrap gives access to the error below.
func (e *InputError) Unwrap() error { return e.Err }

// Problem makes an InputError about a file.
func Problem(file, format string, args ...any) *InputError {
	return &InputError{File: file, Problem: fmt.Sprintf(format, args...)}
}

// WithHint adds a hint: what would be right.
func (e *InputError) WithHint(format string, args ...any) *InputError {
	e.Hint = words.Clip(fmt.Sprintf(format, args...))
	return e
}
