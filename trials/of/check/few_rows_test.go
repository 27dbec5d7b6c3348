package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A number 45 spreads from its column is wrong in a table of a few dozen rows too, also where other columns foretell it; the other
// rows, and tables without it, are left alone.
func TestFarCellsOfFewRows(t *testing.T) {
	const seeds = 4
	all, tables := 0, 0
	for _, size := range [][2]int{{30, 10}, {60, 10}} {
		rows, columns := size[0], size[1]
		for _, causes := range []int{0, 4} {
			found, others, clean := 0, 0, 0
			for seed := uint64(1); seed <= seeds; seed++ {
				r := rand.New(rand.NewPCG(seed, uint64(rows*100+columns)))
				loads := make([]float64, causes*columns)
				for k := range loads {
					loads[k] = r.NormFloat64()
				}
				names, values := make([]string, columns), make([][]float64, columns)
				for j := range columns {
					names[j], values[j] = fmt.Sprint("g", j), make([]float64, rows)
				}
				for i := range rows {
					cause := make([]float64, causes)
					for k := range cause {
						cause[k] = r.NormFloat64()
					}
					for j := range columns {
						v := r.NormFloat64()
						for k, c := range cause {
							v += c * loads[k*columns+j]
						}
						values[j][i] = math.Round(100*(v+8)) / 100
					}
				}
				none, _ := wrongRows(t, numbersTable(names, values...))
				clean += len(none)
				spread := 0.0
				for _, v := range values[2] {
					spread += (v - 8) * (v - 8)
				}
				values[2] = slices.Clone(values[2])
				values[2][rows/2] = 8 + 45*math.Round(100*math.Sqrt(spread/float64(rows)))/100
				wrong, _ := wrongRows(t, numbersTable(names, values...))
				for _, i := range wrong {
					if i == rows/2 {
						found++
					} else {
						others++
					}
				}
			}
			t.Logf("%d x %d, %d causes: %d of %d found, %d others, %d in clean tables", rows, columns, causes, found, seeds, others, clean)
			if others > seeds/2 || clean > seeds/2 {
				t.Errorf("%d x %d, %d causes: %d others, %d in clean tables", rows, columns, causes, others, clean)
			}
			all, tables = all+found, tables+seeds
		}
	}
	if 3*all < 2*tables { // 11 of 16; 4 where the tail of a table of so few rows was that of one or two
		t.Errorf("%d of %d found", all, tables)
	}
}
