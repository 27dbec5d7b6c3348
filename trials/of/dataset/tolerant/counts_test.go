package tolerant_test

import (
	"context"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Counts that are hardly ever above one, as goals before half-time are, are no truths because one cell holds a word: every count of two
// was called unreadable and emptied.
func TestCountsOfNoughtAndOneAreNoTruths(t *testing.T) {
	for text, want := range map[string]tolerant.Kind{
		"goals,n\n" + strings.Repeat("0,1\n1,2\n0,3\n1,4\n", 20) + "2,1\n2,3\nD,4\n3,4\n":   tolerant.Number,
		"goals,n\n" + strings.Repeat("0,1\n1,2\n", 40) + "see note,4\n":                     tolerant.Number,
		"paid,n\n" + strings.Repeat("yes,1\nno,2\n", 40) + "1,4\n0,4\nperhaps,4\n":          tolerant.Boolean,
		"paid,n\n" + strings.Repeat("yes,1\nno,2\n", 40) + "2,4\n":                          tolerant.Boolean,
		"paid,n\n" + strings.Repeat("0,1\n1,2\n", 40) + strings.Repeat("yes,1\nno,2\n", 40): tolerant.Boolean,
	} {
		table, err := tolerant.Open(context.Background(), []string{"-"}, tolerant.Options{Input: strings.NewReader(text)})
		if err != nil {
			t.Fatal(err)
		}
		if got := table.Columns[0].Kind; got != want {
			t.Errorf("%.20q ... is %v, not %v", text, got, want)
		}
	}
}
