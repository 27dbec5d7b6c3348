package jobs

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
)

// TestHeadNamesRows: the column that names the rows is shown, under a name that is free.
func TestHeadNamesRows(t *testing.T) {
	for text, want := range map[string]string{
		"who,a,b\nx,1,2\ny,3,4\n":  `{"columns":["row","id","a","b"],"rows":[{"a":1,"b":2,"id":"x","row":1}]}`,
		"who,a,id\nx,1,2\ny,3,4\n": `{"columns":["row","row_id","a","id"],"rows":[{"a":1,"id":2,"row":1,"row_id":"x"}]}`,
	} {
		head, err := inlier.Head{Data: inlier.Data{Path: "t", Reader: strings.NewReader(text), ID: "who"}, Rows: 1}.Run(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(head); err != nil || string(got) != want {
			t.Errorf("%s %v, want %s", got, err, want)
		}
	}
}
