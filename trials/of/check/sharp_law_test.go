package check

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// A law whose right side is written in coarse steps has the coefficient with which it holds to the cent, and no rounder one; a payment of 0 was not
// exchanged with a weight, with which it would be next to 0 as well.
func TestCoefficientsAreSharp(t *testing.T) {
	r := random.New(6, "stays")
	var rows [][]string
	for range 700 {
		weight := math.Round(100*(0.4+0.6*r.ExpFloat64())) / 100
		rows = append(rows, []string{fmt.Sprintf("%.2f", weight), fmt.Sprintf("%.2f", cents(3810.5*weight)), fmt.Sprint(20 + r.IntN(70))})
	}
	meant := rows[200][1]
	rows[200][1] = "0.00"
	got, err := check.Run(context.Background(), tolerant.FromStrings([]string{"weight", "payment", "age"}, rows, tolerant.Options{}), check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(got.Relations, func(r check.Relation) bool { return r.Text == "payment = 3810.5 * weight" }) {
		t.Errorf("the law is not among %+v", got.Relations)
	}
	var want float64
	fmt.Sscan(meant, &want)
	for _, c := range got.CellsOf(200) {
		if c.Wrong && (c.Column != 1 || math.Abs(c.Expected-want) > 0.01) {
			t.Errorf("%s, where %s was meant", c.Why, meant)
		}
	}
}

// A wage that its law does not speak of is held against those of the others, also where the law speaks of most rows; and hours and wage that were
// exchanged, with which it holds as well, are wrong.
func TestFactorsAreJudgedBesideTheirLaw(t *testing.T) {
	r := random.New(7, "wages")
	var rows [][]string
	for i := range 800 {
		wage, hours, extra := cents(20*math.Exp(0.15*r.NormFloat64())), 140+float64(r.IntN(140))/4, 0.0
		if i%4 == 1 {
			extra = cents(40 + 60*r.ExpFloat64())
		}
		gross := cents(wage*hours + extra)
		tax, health := cents(gross*(0.12+0.00001*gross)*math.Exp(0.05*r.NormFloat64())), cents(0.0815*gross)
		row := []string{}
		for _, v := range []float64{wage, hours, extra, gross, tax, health, cents(gross - tax - health)} {
			row = append(row, fmt.Sprintf("%.2f", v))
		}
		rows = append(rows, row)
	}
	planted := map[int][]int{201: {0}, 330: {0, 1}}
	rows[201][0] = "0.21" // beside an extra, of which gross = wage * hours does not hold
	rows[330][0], rows[330][1] = rows[330][1], rows[330][0]
	blamed(t, []string{"wage", "hours", "extra", "gross", "tax", "health", "net"}, rows, planted)
}
