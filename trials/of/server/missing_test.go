package server

import (
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/server"
)

// A row with a missing number has no answer, as JSON and as a file: a subspace would fill in what it has never learned to fill in, and
// call the row far out. A model that was fitted so answers, and columns that a model does not look at may be empty.
func TestMissingNumbersInRows(t *testing.T) {
	c := visit(t, server.Options{})
	upload := c.sends("t.csv", squares(200, false))
	for _, missing := range []string{"", "fit"} {
		parameters, want := map[string]any{"components": 1}, true
		if missing != "" {
			parameters["missing"], want = missing, false
		}
		j := c.waits("/api/v1/fits", map[string]any{"method": "pca-robust", "parameters": parameters, "data": map[string]any{"upload": upload}})
		for _, what := range []string{"judge", "transform"} {
			at := "/api/v1/models/" + j.Model + "/" + what
			for _, sent := range []any{
				"\"a, left\",\"b \"\"right\"\"\",c\n1,2,3\n1,2,\n",
				map[string]any{"rows": [][]any{{1, 2, 3}, {1, 2, nil}}},
				map[string]any{"columns": []string{"c", "a, left", `b "right"`}, "rows": [][]any{{3, 1, 2}, {nil, 1, 2}}},
				map[string]any{"rows": []map[string]any{{"c": 3, "a, left": 1, `b "right"`: 2}, {"c": nil, "a, left": 1, `b "right"`: 2}}},
			} {
				if status, _, text := c.asks("POST", at, sent, nil); status != 200 || strings.Contains(text, "null") != want {
					t.Errorf("missing=%s: %s: %v: %d: %s", missing, what, sent, status, text)
				}
			}
			extra := map[string]any{"columns": []string{"c", "a, left", `b "right"`, "note"}, "rows": [][]any{{3, 1, 2, nil}}}
			if status, _, text := c.asks("POST", at, extra, nil); status != 200 || strings.Contains(text, "null") {
				t.Errorf("missing=%s: %s: %d: %s", missing, what, status, text)
			}
		}
	}
}
