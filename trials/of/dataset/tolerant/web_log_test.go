package tolerant

import (
	"fmt"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Lines of a web server: blanks part them, times stand in brackets, requests in quotes, and a few lines lack a field.
func TestWebLog(t *testing.T) {
	text := rowsOf(200, func(i int) string {
		user := map[bool]string{true: "anna ", false: ""}[i%40 != 7]
		return fmt.Sprintf(`10.0.0.%d - %s[10/Oct/2024:06:%02d:%02d +0200] "GET /a%d HTTP/1.1" %d %d "-" "Mozilla/5.0 (X11; Linux)"`, i%9, user, i/60, i%60, i%5, 200+4*(i%2), 5000+i)
	})
	table := open(t, tolerant.Options{}, save(t, "access.log", text))
	if len(table.Columns) != 9 || table.Columns[3].Kind != tolerant.Date || table.Columns[5].Kind != tolerant.Number || table.Rows != 200 {
		t.Fatalf("%d rows of %s; %s", table.Rows, kindsOf(table), remarksOf(table))
	}
	if got := table.Text(1, 3); got != "[10/Oct/2024:06:00:01 +0200]" || !strings.HasPrefix(table.Columns[3].Layout, "[02/Jan/2006:15:04:05") {
		t.Errorf("%q, layout %q", got, table.Columns[3].Layout)
	}
	var same, changed strings.Builder
	if err := table.Rewrite(&same, nil, nil); err != nil || same.String() != text {
		t.Errorf("%v: not the same", err)
	}
	if err := table.Rewrite(&changed, map[[2]int]string{{1, 3}: "[11/Oct/2024:06:00:01 +0200]", {1, 6}: "7"}, nil); err != nil ||
		!strings.Contains(changed.String(), "\n10.0.0.1 - anna [11/Oct/2024:06:00:01 +0200] \"GET /a1 HTTP/1.1\" 204 7 ") {
		t.Errorf("%v: %s", err, changed.String()[:300])
	}
}

// Between blanks nothing is no field: what is emptied becomes a mark, or the cells behind would move.
func TestEmptiedBetweenBlanks(t *testing.T) {
	table := open(t, tolerant.Options{}, save(t, "a.txt", "a b c\n1 2 3\n4 5 6\n7 8 9\n"))
	var out strings.Builder
	if err := table.Rewrite(&out, map[[2]int]string{{1, 1}: ""}, nil); err != nil || out.String() != "a b c\n1 2 3\n4 NA 6\n7 8 9\n" {
		t.Errorf("%v %q", err, out.String())
	}
}
