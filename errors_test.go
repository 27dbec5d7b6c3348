package inlier

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/inlier-ml/inlier/catalog"
	"github.com/inlier-ml/inlier/dataset"
)

// Hints are data: each face words the parameters in its own way, and what a user's file
// holds is never taken for one.
func TestErrorsAreWordedByTheFace(t *testing.T) {
	flags := Words{Parameter: func(name string) string { return "--" + name }, Job: func(name string) string { return "inlier " + name }}
	for _, c := range []struct {
		err                      error
		parameter, problem, hint string
		plainProblem, plainHint  string
	}{
		{usage("--top is a number; inlier data info tells", "--top %d is not allowed", -1), "top", "--top -1 is not allowed", "--top is a number; inlier data info tells", "top -1 is not allowed", "top is a number; data info tells"},
		{usage("", "column %q is bad", "{target} --id"), "", `column "{target} --id" is bad`, "", `column "{target} --id" is bad`, ""},
		{&catalog.UsageError{Problem: "x: no {target} here", Hint: "--target names it"}, "target", "x: no {target} here", "--target names it", "x: no {target} here", "target names it"},
		{dataset.Problem("a.csv", "bad").WithHint("leave it out with {drop} %s", "{target} --id"), "drop", "a.csv: bad", "leave it out with --drop {target} --id", "a.csv: bad", "leave it out with drop {target} --id"},
		{fmt.Errorf("again: %w", usage("do", "--id %s", "7")), "id", "again: --id 7", "do", "again: id 7", "do"},
		{badInput(errors.New("loss: {p} --is wrong"), "inlier losses lists the losses"), "", "{p} --is wrong", "inlier losses lists the losses", "{p} --is wrong", "losses lists the losses"},
	} {
		e, ok := AsError(c.err)
		if !ok {
			t.Errorf("%v is no mistake of the user's", c.err)
			continue
		}
		if problem, hint := e.Word(flags); problem != c.problem || hint != c.hint || e.Parameter != c.parameter {
			t.Errorf("%q: parameter %q, problem %q, hint %q", c.problem, e.Parameter, problem, hint)
		}
		if problem, hint := e.Word(Plain); problem != c.plainProblem || hint != c.plainHint {
			t.Errorf("%q in plain words: %q, hint %q", c.problem, problem, hint)
		}
	}
	for _, err := range []error{nil, errors.New("broken"), fmt.Errorf("x: %w", context.Canceled), context.DeadlineExceeded} {
		if _, ok := AsError(err); ok {
			t.Errorf("%v is taken for a mistake of the user's", err)
		}
	}
}
