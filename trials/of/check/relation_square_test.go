package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Laws with a square are laws of the file, within what the written digits leave open: clean rows of a bent surface are not wrong, and
// the one cell that breaks it is found and given its value.
func TestLawsWithSquares(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for _, c := range []struct {
		law   string
		names []string
		guilt int
		row   func() []float64
		as    []string
	}{
		{"bmi = 10000 * weight / height^2", []string{"height", "weight", "bmi", "age"}, 1, func() []float64 {
			height, weight := math.Round(10*(170+10*r.NormFloat64()))/10, math.Round(10*math.Exp(4.3+0.2*r.NormFloat64()))/10
			return []float64{height, weight, 1e4 * weight / (height * height)}
		}, []string{"%.1f", "%.1f", "%.1f"}},
		{"ohm = voltage^2 / power", []string{"voltage", "ohm", "power", "age"}, 0, func() []float64 {
			voltage, ohm := math.Round(10*(180+60*r.Float64()))/10, math.Round(10*math.Exp(3+0.5*r.NormFloat64()))/10
			return []float64{voltage, ohm, voltage * voltage / ohm}
		}, []string{"%.1f", "%.1f", "%.1f"}},
		{"area = 0.78539 * diameter^2", []string{"diameter", "area", "lot", "age"}, 1, func() []float64 {
			diameter := math.Round(100*math.Exp(2+0.4*r.NormFloat64())) / 100
			return []float64{diameter, math.Pi / 4 * diameter * diameter, float64(r.IntN(1000))}
		}, []string{"%.2f", "%.2f", "%.0f"}},
	} {
		var rows [][]string
		for range 400 {
			cells := []string{}
			for k, v := range c.row() {
				cells = append(cells, fmt.Sprintf(c.as[k], v))
			}
			rows = append(rows, append(cells, strconv.Itoa(18+r.IntN(70))))
		}
		wrong, found := wrongRows(t, tolerant.FromStrings(c.names, rows, tolerant.Options{}))
		if !slices.Contains(texts(found.Relations), c.law) || len(wrong) > 0 {
			t.Errorf("%s: found the laws %q, and %v wrong", c.law, texts(found.Relations), wrong)
		}
		want, _ := strconv.ParseFloat(rows[200][c.guilt], 64)
		rows[200][c.guilt] = fmt.Sprintf(c.as[c.guilt], 10*want)
		wrong, found = wrongRows(t, tolerant.FromStrings(c.names, rows, tolerant.Options{}))
		if cells := found.CellsOf(200); !slices.Equal(wrong, []int{200}) || cells[0].Column != c.guilt || math.Abs(cells[0].Expected-want) > 0.02*want {
			t.Errorf("%s: rows %v, %+v, want %g", c.law, wrong, cells, want)
		}
	}
}
