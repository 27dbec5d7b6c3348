package inlier

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/inlier-ml/inlier/archive"
	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
	"github.com/inlier-ml/inlier/internal/atomicfile"
	"github.com/inlier-ml/inlier/internal/words"
	"github.com/inlier-ml/inlier/refusal"
)

// Error is a mistake in what was asked for or in the data: something that the user, not
// the program, has to mend.
//
// Problem and Hint may refer to parameters, as {target}, and to other jobs, as {job data
// info}; a brace of the text itself is doubled. Each face of the program words these in
// its own way with Word: the command line as flags and commands, a page as fields.
type Error struct {
	// Parameter is the field of the request that is meant, by its JSON name with dashes
	// for underscores: "target", "method", "parameters.components", "params.grid". Fields of the data have no
	// other before them; a file that cannot be read is "path", "paths", "model" or "models". Empty where it is
	// the content of the data, or none of the fields alone.
	Parameter string
	// Problem says what is wrong, in one line.
	Problem string
	// Hint says what would be right, where that helps.
	Hint string
	// Err is the error below, if there is one: a *dataset.InputError, a *catalog.UsageError.
	Err error
}

// Words say how a face of the program calls parameters and jobs.
type Words struct {
	Parameter func(name string) string
	Job       func(name string) string
}

// Plain calls everything by its name.
var Plain = Words{
	Parameter: func(name string) string { return name },
	Job:       func(name string) string { return name },
}

// Error is the problem in plain words.
func (e *Error) Error() string { problem, _ := e.Word(Plain); return problem }

// Unwrap is the error below.
func (e *Error) Unwrap() error { return e.Err }

// Word writes the problem and the hint in the words of a face.
func (e *Error) Word(w Words) (problem, hint string) { return w.text(e.Problem), w.text(e.Hint) }

// mark is a reference in a text, or a doubled brace.
var mark = regexp.MustCompile(`\{\{|\}\}|\{job [a-zA-Z -]+\}|\{[a-z][a-z-]*\}`)

func (w Words) text(text string) string {
	return mark.ReplaceAllStringFunc(text, func(m string) string {
		if m == "{{" || m == "}}" {
			return m[:1]
		}
		name := m[1 : len(m)-1]
		if job, ok := strings.CutPrefix(name, "job "); ok {
			return w.Job(job)
		}
		return w.Parameter(name)
	})
}

// spelled is how our texts spell references: --target, inlier data info.
var spelled = regexp.MustCompile(`--[a-z][a-z-]*[a-z]|\binlier (?:data (?:info|head|convert|generate|corrupt)|replicate list|plot list|check|fit|transform|reconstruct|outliers|predict|score|inspect|compare|tune|plot|methods|losses|demo|bench|replicate)\b`)

// marked turns the references of a text into marks.
func marked(text string) string {
	return spelled.ReplaceAllStringFunc(escaped(text), func(m string) string {
		if name, ok := strings.CutPrefix(m, "--"); ok {
			return "{" + name + "}"
		}
		return "{job " + strings.TrimPrefix(m, "inlier ") + "}"
	})
}

func escaped(text string) string {
	return strings.NewReplacer("{", "{{", "}", "}}").Replace(text)
}

// usage makes an Error. References are marked in the format and in the hint; what the
// arguments hold is taken literally.
func usage(hint, format string, args ...any) error {
	for i, a := range args {
		switch a := a.(type) {
		case string:
			args[i] = escaped(a)
		case error:
			args[i] = escaped(a.Error())
		case fmt.Stringer:
			args[i] = escaped(a.String())
		}
	}
	e := &Error{Problem: fmt.Sprintf(marked(format), args...), Hint: marked(hint)}
	e.Parameter = parameterOf(e.Problem, e.Hint)
	return e
}

// parameterOf is the first parameter that the texts refer to.
func parameterOf(texts ...string) string {
	for _, text := range texts {
		for _, m := range mark.FindAllString(text, -1) {
			if !strings.HasPrefix(m, "{{") && !strings.HasPrefix(m, "}}") && !strings.HasPrefix(m, "{job ") {
				return m[1 : len(m)-1]
			}
		}
	}
	return ""
}

// badInput marks an error of a library as the user's to mend.
func badInput(err error, hint string) error {
	if err == nil {
		return nil
	}
	e := &Error{Problem: escaped(words.OneLine(err.Error())), Hint: marked(hint), Err: err}
	e.Parameter = parameterOf(e.Hint)
	return e
}

// AsError finds the mistake of the user's behind an error, whichever package found it.
// It is false for nil, for cancellations and for faults of the program.
func AsError(err error) (*Error, bool) {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return nil, false
	}
	var (
		own     *Error
		request *catalog.UsageError
		input   *dataset.InputError
		target  *atomicfile.Error
		file    *archive.FileError
		refused refusal.Refusal
		hint    string
	)
	switch {
	case errors.As(err, &own):
		whole, inner := err.Error(), own.Error()
		if whole == inner {
			return own, true
		}
		e := *own
		if before, after, ok := strings.Cut(whole, inner); ok {
			e.Problem = escaped(before) + own.Problem + escaped(after)
		}
		return &e, true
	case errors.As(err, &request):
		hint = request.Hint
	case errors.As(err, &file):
		hint = file.Hint
	case errors.As(err, &target):
	case errors.As(err, &input): // whose references are marked already
	case errors.As(err, &refused):
		hint = refused.Hint()
	default:
		return nil, false
	}
	e := &Error{Problem: marked(words.OneLine(err.Error())), Hint: marked(words.OneLine(hint)), Err: err}
	if input != nil && hint == "" {
		e.Hint = words.OneLine(input.Hint)
	}
	var (
		setting *refusal.ParameterError
		rank    *refusal.RankError
		answers *refusal.TargetError
	)
	switch {
	case request != nil && request.Parameter != "":
		e.Parameter = request.Parameter
	case input != nil && input.Option != "":
		e.Parameter = input.Option
	case file != nil: // whose hint is how such a file is made
		e.Parameter = "model"
	case errors.As(err, &setting) && setting.Name != "":
		e.Parameter = catalog.ParametersField + setting.Name
	case errors.As(err, &rank) && rank.Name != "":
		e.Parameter = catalog.ParametersField + rank.Name
	case errors.As(err, &answers):
		e.Parameter = "target"
	default:
		e.Parameter = parameterOf(e.Problem, e.Hint)
	}
	return e, true
}

// about is the same mistake, said of the field of the request that is meant.
func about(parameter string, err error) error {
	e, ok := AsError(err)
	if !ok {
		return err
	}
	named := *e
	named.Parameter = parameter
	if named.Err == nil {
		named.Err = err
	}
	return &named
}
