package check

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// exchangedCells are the wrong cells of rows by name of their column, with what is expected of them, and whether a repair leaves them.
func exchangedCells(t *testing.T, found *check.Result, table *tolerant.Table) map[int][]string {
	t.Helper()
	out := map[int][]string{}
	for _, c := range found.Cells {
		if c.Wrong {
			meant := c.Level
			if meant == "" {
				meant = fmt.Sprintf("%.2f", c.Expected)
			}
			out[c.Row] = append(out[c.Row], fmt.Sprintf("%s %s %t", table.Columns[c.Column].Name, meant, c.Doubt))
		}
	}
	for _, cells := range out {
		slices.Sort(cells)
	}
	return out
}

// Amount and balance that changed places are both given back, and the row behind, which no longer follows, is right.
func TestAmountAndBalanceChangedPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 7))
	var rows [][]string
	balance := 4000.0
	for i := range 500 {
		amount := -float64(100+r.IntN(9000)) / 100
		if r.IntN(10) == 0 {
			amount = 300 + float64(r.IntN(2000))/100
		}
		balance += amount
		rows = append(rows, []string{fmt.Sprintf("2024-%02d-%02d", 1+i/42, 1+i%42*2/3), fmt.Sprintf("%.2f", amount), fmt.Sprintf("%.2f", balance)})
	}
	want := map[int][]string{}
	for _, row := range []int{60, 200, 340} {
		want[row] = []string{"amount " + rows[row][1] + " false", "balance " + rows[row][2] + " false"}
		rows[row][1], rows[row][2] = rows[row][2], rows[row][1]
	}
	table := tolerant.FromStrings([]string{"date", "amount", "balance"}, rows, tolerant.Options{})
	_, found := wrongRows(t, table)
	if got := exchangedCells(t, found, table); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("wrong are %v, not %v", got, want)
	}
}

// Airports that changed places are given back: the number of the flight, which decides both, is right.
func TestFromAndToChangedPlaces(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 7))
	airports := []string{"LHR", "MAD", "JFK", "OSL", "ATH"}
	var rows [][]string
	for range 800 {
		flight := r.IntN(20)
		from, to := "FRA", airports[flight%5]
		if flight%2 == 1 {
			from, to = to, from
		}
		rows = append(rows, []string{fmt.Sprintf("LH%d", 400+7*flight), from, to, fmt.Sprint(100 + r.IntN(80))})
	}
	want := map[int][]string{}
	for _, row := range []int{50, 300, 700} {
		want[row] = []string{"from " + rows[row][1] + " false", "to " + rows[row][2] + " false"}
		rows[row][1], rows[row][2] = rows[row][2], rows[row][1]
	}
	table := tolerant.FromStrings([]string{"flight", "from", "to", "passengers"}, rows, tolerant.Options{})
	_, found := wrongRows(t, table)
	if got := exchangedCells(t, found, table); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("wrong are %v, not %v", got, want)
	}
	if why := found.Why(50); !strings.Contains(why, "exchanged with") {
		t.Error(why)
	}
}
