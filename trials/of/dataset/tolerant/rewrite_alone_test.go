package tolerant_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// A cell that is emptied in a table of one column leaves a row behind.
func TestRewriteKeepsRowsOfOneCell(t *testing.T) {
	opened, err := tolerant.Open(context.Background(), []string{"-"}, tolerant.Options{Input: strings.NewReader("a\n1\n2\n3\n4\n")})
	if err != nil {
		t.Fatal(err)
	}
	for name, table := range map[string]*tolerant.Table{
		"of a file":    opened,
		"of a program": tolerant.FromStrings([]string{"a"}, [][]string{{"1"}, {"2"}, {"3"}, {"4"}}, tolerant.Options{}),
	} {
		var out bytes.Buffer
		if err := table.Rewrite(&out, map[[2]int]string{{1, 0}: ""}, nil); err != nil || out.String() != "a\n1\n\"\"\n3\n4\n" {
			t.Errorf("%s: %q, %v", name, out.String(), err)
		}
	}
}
