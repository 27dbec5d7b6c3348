package report

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/report"
)

// An empty line is no row to those who read it: rows behind it would answer for the wrong ones.
func TestLonelyGapIsALine(t *testing.T) {
	for _, c := range []struct {
		gap  any
		want string
	}{{math.NaN(), "prediction\n1\n\"\"\n3\n"}, {"", "prediction\n1\n\"\"\n3\n"}, {nil, "prediction\n1\n\"\"\n3\n"}} {
		got, err := (&report.Table{Columns: []report.Column{{Name: "prediction"}}}).Add(1.0).Add(c.gap).Add(3.0).CSV()
		if err != nil || string(got) != c.want {
			t.Errorf("%v: %q, %v", c.gap, got, err)
		}
	}
}
