package dataset

import (
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset"
)

// Hints name options as each face calls them, and what a file holds is never taken for one.
func TestAdvice(t *testing.T) {
	e := dataset.Problem("a.csv", "bad").WithHint("use {decimal-comma}, or {drop} %s and %q", "{drop}", "}{")
	if got, want := e.Advice(nil), `use DecimalComma, or Drop {drop} and "}{"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := e.Advice(func(o string) string { return "--" + o }), `use --decimal-comma, or --drop {drop} and "}{"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	long := dataset.Problem("a.csv", "bad").WithHint("{drop} %s", strings.Repeat("x", 1<<20))
	if got := long.Advice(nil); len(got) > 1100 {
		t.Errorf("a hint of %d bytes", len(got))
	}
}
