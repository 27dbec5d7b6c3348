package check

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// A word that comes again and again in a column of numbers is its mark of missing values, which the column's remarks say, and no row is wrong for it; what
// was typed once still is. A batch knows the marks that were learned.
func TestWordsThatMarkMissingValues(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	grades := func(n int) (rows [][]string) {
		for range n {
			g := 60 + 12*r.NormFloat64()
			row := []string{}
			for range 3 {
				row = append(row, fmt.Sprintf("%.0f", min(100, max(5, g+6*r.NormFloat64()))))
			}
			if rows = append(rows, row); r.IntN(28) == 0 {
				row[r.IntN(2)] = []string{"absent", "Absent"}[r.IntN(2)]
			}
		}
		return rows
	}
	names := []string{"algebra", "biology", "chemistry"}
	rows := grades(500)
	rows[20] = []string{"61", "absent", "64"}
	rows[30] = []string{"61", "63", "oops"}
	table := tolerant.FromStrings(names, rows, tolerant.Options{})
	wrong, found := wrongRows(t, table)
	if !slices.Equal(wrong, []int{30}) {
		t.Errorf("rows %v: %s", wrong, found.Why(wrong[0]))
	}
	if c := &table.Columns[1]; !slices.Equal(c.Marks, []string{"absent"}) || !slices.ContainsFunc(c.Remarks, func(s string) bool {
		return strings.Contains(strings.ToLower(s), `"absent" in `) && strings.Contains(s, "missing values")
	}) || c.Missing < 5 || len(c.Misfits) > 0 {
		t.Errorf("marks %q, %d missing, misfits %v, remarks %q", c.Marks, c.Missing, c.Misfits, c.Remarks)
	}
	m, err := check.Learn(context.Background(), table, check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if m, err = check.Restore(context.Background(), m.State()); err != nil {
		t.Fatal(err)
	}
	batch := tolerant.FromStrings(names, [][]string{{"61", "absent", "58"}, {"70", "66", "oops"}}, tolerant.Options{Usual: m.Kinds(), Like: m.Table().Columns})
	judged, err := m.Judge(context.Background(), batch)
	if err != nil || judged.Wrong[0] || !judged.Wrong[1] {
		t.Errorf("batch: %v, %v", judged.Wrong, err)
	}
}
