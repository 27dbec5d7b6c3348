package synthetic

import (
	"math"
	"strings"
	"testing"
)

// The truth names exactly the cells that differ from the clean table, and clean rows obey the laws.
func TestMistakesAreWhereTheTruthSays(t *testing.T) {
	orders, log := DefaultOrders(), DefaultSensorLog()
	orders.Words = 0
	europe := orders
	europe.Writing = "europe"
	for _, recipe := range []Recipe{&orders, &europe, &log} {
		g := generate(t, recipe, 5)
		wrong := 0
		for i, outlier := range g.Truth.Outlier {
			guilty := "+" + strings.ReplaceAll(g.Truth.Guilty[i], "date (2)", "shipped") + "+"
			for j, name := range g.Set.Columns {
				v, clean := g.Set.X.At(i, j), g.Truth.CleanX.At(i, j)
				if v == clean || math.IsNaN(v) {
					continue // missing, or a run of one channel that begins with its own value
				}
				if !strings.Contains(guilty, "+"+name+"+") {
					t.Fatalf("%s: row %d: %s changed from %g to %g, guilty is %s", g.Set.Name, i+1, name, clean, v, guilty)
				}
			}
			if outlier != (g.Truth.Note[i] != "") {
				t.Fatalf("%s: row %d: mark and note disagree", g.Set.Name, i+1)
			}
			if outlier {
				wrong++
			}
			if g.Set.Name == "orders" && !outlier {
				row := g.Truth.CleanX.RawRowView(i)
				if math.Abs(row[orderNet]+row[orderVAT]-row[orderTotal]) > 0.0101 || row[orderShipped] < row[orderOrdered] {
					t.Fatalf("row %d breaks a law: %v", i+1, row)
				}
			}
		}
		if want := map[string]int{"orders": 48, "sensor-log": 78}[g.Set.Name]; wrong != want {
			t.Errorf("%s: %d wrong rows, want %d", g.Set.Name, wrong, want)
		}
	}
}

func TestCleanShapes(t *testing.T) {
	means := map[string][2]float64{"uniform": {0.5, 0.02}, "lognormal": {math.Exp(0.5), 0.15}, "exponential": {1, 0.08}, "poisson": {4, 0.15}}
	for _, shape := range cleanShapes {
		for _, factors := range []int{0, 2} {
			c := Clean{N: 4000, D: 4, Shape: shape, Factors: factors}
			g := generate(t, &c, 3)
			mean, ones := 0.0, 0
			for i := range c.N {
				v := g.Set.X.At(i, 1)
				if mean += v / float64(c.N); v == 0 || v == 1 {
					ones++
				}
			}
			if want, ok := means[shape]; ok && math.Abs(mean-want[0]) > want[1] {
				t.Errorf("%s: mean %g, want about %g", shape, mean, want[0])
			}
			if shape == "binary" && ones != c.N {
				t.Errorf("binary: %d of %d values are 0 or 1", ones, c.N)
			}
			if share := float64(ones) / float64(c.N); shape == "zero-inflated" && math.Abs(share-0.6) > 0.03 {
				t.Errorf("zero-inflated: %g are 0, want 0.6", share)
			}
		}
	}
}
