package judge

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/judge"
)

// Where no row is flagged the list is empty, and not null in JSON.
func TestNoRowsAreAList(t *testing.T) {
	v := &judge.Verdict{Rows: []judge.Row{{Row: 1}, {Row: 2}}}
	for _, top := range []int{0, 3} {
		v := *v
		v.Rows = v.Select(true, top)
		text, err := json.Marshal(v)
		if err != nil || !strings.Contains(string(text), `"rows":[]`) {
			t.Errorf("top %d: %s %v", top, text, err)
		}
	}
}

// TestReasonsNameWholeNumbers: a date or a customer's number is named, not rounded.
func TestReasonsNameWholeNumbers(t *testing.T) {
	if got, want := judge.ReasonText([]judge.Reason{{Column: "date", Value: 20250131, Contribution: -19.43, Share: 0.95}}), "date=20250131 (-19.43, 95 %)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
