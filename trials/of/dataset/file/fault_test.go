package file

import (
	"context"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/file"
)

// Lines of tabs alone hold no field where blanks are the delimiter.
func TestBlankLinesOfTabs(t *testing.T) {
	for _, text := range []string{"\t\n1 2\n3 4\n5 6\n", "1 2\n\t \n3 4\n \t\r\n5 6\n\t"} {
		set, err := file.Read(context.Background(), "-", file.Options{Input: strings.NewReader(text)})
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if n, d := set.X.Dims(); n != 3 || d != 2 {
			t.Errorf("%q: %d x %d", text, n, d)
		}
	}
	_, err := file.Read(context.Background(), "-", file.Options{Input: strings.NewReader("\t\n \t\n"), Delimiter: "space"})
	complaint(t, err)
}
