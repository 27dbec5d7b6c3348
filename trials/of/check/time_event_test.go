package check

import (
	"math"
	"testing"

	"github.com/inlier-ml/inlier/internal/random"
)

// A flood raises gauge and flow, and nobody is wrong for it; a gauge that rises alone is.
func TestSeriesThatRiseTogether(t *testing.T) {
	found := 0
	for seed := range uint64(3) {
		for _, alone := range []bool{false, true} {
			r := random.New(seed+20, "flood")
			const n = 2000
			gauge, flow, heat, acid := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
			calm := 110.0
			for i := range n {
				calm = 0.9*calm + 0.1*(110+15*math.Sin(float64(i)/223)) + 0.6*r.NormFloat64()
				flood := 0.0
				for _, f := range [][2]float64{{500, 180}, {1300, 150}} {
					if k := float64(i) - f[0]; k > 0 && alone && k < 60 {
						flood = f[1]
					} else if k > 0 && !alone {
						flood += f[1] * min(1, k/6) * math.Exp(-max(0, k-6)/65)
					}
				}
				gauge[i], flow[i] = calm+flood, 0.0021*math.Pow(calm+flood-40, 1.7)*(1+0.01*r.NormFloat64())
				if alone {
					flow[i] = 0.0021 * math.Pow(calm-40, 1.7) * (1 + 0.01*r.NormFloat64())
				}
				heat[i], acid[i] = 9+0.8*math.Sin(float64(i)/7.6)+0.1*r.NormFloat64(), 7.6+0.1*math.Sin(float64(i)/300)+0.03*r.NormFloat64()
			}
			table := numbersTable([]string{"gauge", "flow", "heat", "acid"}, gauge, flow, heat, acid)
			table.Columns = append(table.Columns, hourly(n))
			rows, result := wrongRows(t, table)
			if alone {
				found += len(rows)
			} else if len(rows) > 2 {
				t.Errorf("seed %d: %d rows are wrong", seed, len(rows))
				for _, i := range rows[:min(3, len(rows))] {
					t.Log(result.Why(i))
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("%d of 360 rows of gauges that rise alone are wrong", found)
	}
}
