package tolerant_test

import (
	"context"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// In a list of few values 99 stands for a missing one where it is far from the others, as among grades, and is a price among 0, 9 and 29: the dearest plan
// of every eighth row was taken for missing.
func TestNinesInListsOfFewValues(t *testing.T) {
	for text, want := range map[string]int{
		"price,n\n" + strings.Repeat("0,1\n9,2\n9,3\n29,4\n29,1\n9,5\n29,8\n99,3\n", 20):             0,
		"grade,n\n" + strings.Repeat("1,1\n2,2\n3,3\n4,4\n5,1\n3,5\n2,8\n99,3\n", 20):                20,
		"smokes,n\n" + strings.Repeat("0,1\n1,2\n0,3\n1,4\n0,1\n1,5\n0,8\n-999,3\n", 20):             20,
		"level,n\n" + strings.Repeat("7.25,1\n8.5,2\n9.1,3\n8.75,4\n7.9,1\n8.8,5\n999,8\n", 20):      20,
		"points,n\n" + strings.Repeat("0,1\n1,2\n2,3\n3,4\n4,1\n5,5\n6,8\n7,3\n8,9\n9,4\n99,4\n", 9): 9,
	} {
		table, err := tolerant.Open(context.Background(), []string{"-"}, tolerant.Options{Input: strings.NewReader(text)})
		if err != nil {
			t.Fatal(err)
		}
		if got := table.Columns[0].Missing; got != want {
			t.Errorf("%.12q ...: %d cells are taken for missing, not %d", text, got, want)
		}
	}
}
