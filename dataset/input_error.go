package dataset

import (
	"fmt"
	"regexp"
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
	// Hint says what would be right, where that helps. It refers to options of reading by
	// their names in braces, as {decimal-comma}, because each face of a program calls them in
	// its own way; a brace of the text itself is doubled. Advice words it.
	Hint string
	// Option is the option of reading that is meant, by its name in hints ("target"), or the parameter of a
	// generator or corruption; empty where it is none.
	Option string
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

// In tells the option of reading that an error is about, where it is an InputError that does not
// tell one yet. The error is returned.
func In(option string, err error) error {
	if e, ok := err.(*InputError); ok && e != nil && e.Option == "" {
		e.Option = option
	}
	return err
}

// WithHint adds a hint: what would be right. Options that the format refers to stand in braces;
// what the arguments hold is taken literally.
func (e *InputError) WithHint(format string, args ...any) *InputError {
	for i, a := range args {
		switch a := a.(type) {
		case string:
			args[i] = literally.Replace(words.Clip(a))
		case fmt.Stringer:
			args[i] = literally.Replace(a.String())
		}
	}
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// literally doubles braces, which have a meaning in hints.
var literally = strings.NewReplacer("{", "{{", "}", "}}")

// reference is an option in a hint, or a doubled brace.
var reference = regexp.MustCompile(`\{\{|\}\}|\{[a-z][a-z-]*\}`)

// Advice is the hint with options named as the function says: as flags on a command line, say.
// Nil names them as the fields of Options in dataset/file: DecimalComma.
func (e *InputError) Advice(option func(name string) string) string {
	if option == nil {
		option = fieldName
	}
	return reference.ReplaceAllStringFunc(e.Hint, func(m string) string {
		if m == "{{" || m == "}}" {
			return m[:1]
		}
		return option(m[1 : len(m)-1])
	})
}

// fieldName turns decimal-comma into DecimalComma.
func fieldName(option string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(option, "-") {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}
