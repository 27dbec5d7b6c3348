package check

import (
	"context"
	"math"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// Tables that hardly are one: parts say nothing that is not there, and do not fail.
func TestPartsOfOddTables(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	ask := func(name string, table *tolerant.Table) {
		t.Helper()
		v := &view{table: table}
		for _, p := range parts {
			e, err := p(context.Background(), v)
			if err != nil {
				t.Fatal(name, err)
			}
			for _, s := range e.Cells {
				if !(s.P >= 0 && s.P <= 1) || s.Row < 0 || s.Row >= table.Rows || s.Column < 0 || s.Column >= len(table.Columns) {
					t.Errorf("%s: %+v", name, s)
				}
				if s.Certain || s.P < 1e-3 {
					t.Errorf("%s: %s", name, s.Why)
				}
			}
			for i, p := range e.Rows {
				if !(p > 1e-3) {
					t.Errorf("%s: row %d: %g", name, i, p)
				}
			}
		}
	}
	ask("empty", &tolerant.Table{})
	ask("no rows", numbersTable([]string{"a", "b"}, nil, nil))
	r := random.New(1, "odd")
	for _, n := range []int{1, 2, 3, 5, 8, 13, 20} {
		columns := make([][]float64, 5)
		for j := range columns {
			columns[j] = make([]float64, n)
			for i := range columns[j] {
				columns[j][i] = []float64{r.NormFloat64(), float64(r.IntN(3)), 7, nan, 1e300 * r.NormFloat64()}[j]
			}
		}
		ask("small", numbersTable([]string{"a", "b", "c", "d", "e"}, columns...))
	}
	far := cleanTable("normal", 300, 5, 1)
	for k, v := range []float64{1e300, -1e300, math.MaxFloat64, inf, -inf, nan, 5e-324} {
		far.Columns[k%5].Values[10*k+3] = v
	}
	ask("far", far)
	log := cleanTable("t3", 300, 8, 3)
	for c := range log.Columns {
		values := log.Columns[c].Values
		for i := range values[1:] {
			values[i+1] += values[i]
		}
		values[40+c] = nan
	}
	log.Columns = append([]tolerant.Column{hourly(300)}, log.Columns...)
	ask("log with missing cells", log)
}
