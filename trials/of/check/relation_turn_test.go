package check

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// A sum of many columns that stand one after the other is a law, also where two of them make one of their own: a wrong term is
// named and given its value.
func TestSumsOfColumnsInTurn(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for terms := 4; terms <= 9; terms++ {
		var names []string
		var rows [][]string
		text := "total = a"
		for k := range terms {
			names = append(names, string(rune('a'+k)))
			if k > 0 {
				text += " + " + names[k]
			}
		}
		for range 400 {
			var row []string
			sum, first := 0, 0
			for k := range terms {
				v := 20 + r.IntN(300)*(k+1)
				if k == 3 && terms%2 == 0 {
					v = 2 * first
				} else if k == 0 {
					first = v
				}
				row, sum = append(row, fmt.Sprint(v)), sum+v
			}
			rows = append(rows, append([]string{fmt.Sprint(r.IntN(5000)), fmt.Sprint(sum)}, row...))
		}
		names = append([]string{"noise", "total"}, names...)
		for _, row := range []int{50, 210} {
			var v int
			fmt.Sscan(rows[row][4], &v)
			rows[row][4] = fmt.Sprint(v + 111)
		}
		got, err := check.Run(context.Background(), tolerant.FromStrings(names, rows, tolerant.Options{}), check.Settings{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(got.Relations, func(r check.Relation) bool { return r.Text == text && len(r.Broken) == 2 }) {
			t.Errorf("%s is not found: %v", text, got.Relations)
		}
		if !got.Wrong[50] || !got.Wrong[210] {
			t.Errorf("%d terms: rows that break the sum are not wrong", terms)
		}
	}
}

// A year among few has no part in a law: beside area * rate it says nothing that rounding would not allow.
func TestIdleFactors(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	var rows [][]string
	for range 600 {
		area, rate, crop := float64(100+r.IntN(2500))/100, 90+r.IntN(120), 3+8*r.Float64()
		harvest := math.Round(10*area*crop) / 10
		rows = append(rows, []string{fmt.Sprint(2018 + r.IntN(7)), fmt.Sprintf("%.2f", area), fmt.Sprintf("%.1f", harvest), fmt.Sprintf("%.2f", harvest/area), fmt.Sprint(rate), fmt.Sprintf("%.0f", area*float64(rate))})
	}
	got, err := check.Run(context.Background(), tolerant.FromStrings([]string{"year", "area", "harvest", "yield", "rate", "amount"}, rows, tolerant.Options{}), check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range got.Relations {
		if slices.Contains(r.Columns, 0) {
			t.Errorf("%s", r.Text)
		}
	}
}
