package jobs

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier"
)

// Groups of rows go with the rows that are left of a table with gaps: the comparison is that of the table without those rows. It was
// said that the file changed while it was read.
func TestGroupsOfATableWithGaps(t *testing.T) {
	var whole, left strings.Builder
	for k := range 120 {
		line := fmt.Sprintf("g%d,%d,%d,%d\n", k*k%11, k%17, k*k%23, k%17+k*7%5)
		if k%9 == 4 {
			line = fmt.Sprintf("g%d,,%d,1\n", k%3, k)
		} else {
			left.WriteString(line)
		}
		whole.WriteString(line)
	}
	var said []string
	for _, rows := range []string{whole.String(), left.String()} {
		r, err := inlier.Compare{Group: "g", Repeats: 3, Seed: 1, Methods: []string{"linear-robust"}, Data: inlier.Data{Path: saved(t, "g,a,b,y\n"+rows), Target: "y", Tolerant: true}}.Run(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if gap := slices.IndexFunc(r.Standing.Remarks, func(text string) bool { return strings.HasPrefix(text, "13 rows with missing") }); (gap >= 0) != (len(said) == 0) {
			t.Errorf("remarks %q", r.Standing.Remarks)
		} else if gap >= 0 {
			r.Standing.Remarks = slices.Delete(r.Standing.Remarks, gap, gap+1)
		}
		r.Standing.Data = ""
		for k := range r.Standing.Methods {
			r.Standing.Methods[k].Seconds = 0
		}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		said = append(said, string(text))
	}
	if said[0] != said[1] {
		t.Errorf("%s\nnot %s", said[0], said[1])
	}
}
