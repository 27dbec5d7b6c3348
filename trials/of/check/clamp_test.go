package check

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// What an insurance pays is the claim less the deductible, and nothing where that is more: small claims are no mistakes, a wrong
// payment is.
func TestLawsThatEndAtNought(t *testing.T) {
	r := random.New(3, "claims")
	const n = 162
	claimed, deductible, paid := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		claimed[i], deductible[i] = cents(math.Exp(7.2+0.9*r.NormFloat64())), []float64{150, 300, 500}[r.IntN(3)]
		if i%30 == 4 {
			claimed[i] = cents(deductible[i] * (0.3 + 0.6*r.Float64()))
		}
		paid[i] = max(0, cents(claimed[i]-deductible[i]))
	}
	paid[70] += 200
	rows, result := wrongRows(t, numbersTable([]string{"claimed", "deductible", "paid"}, claimed, deductible, paid))
	if !slices.Equal(rows, []int{70}) {
		t.Errorf("wrong are %v, want row 70 alone: %q", rows, texts(result.Relations))
	}
}

// A share that is written as 0.0 was rounded like any other.
func TestProductsOfRoundedNoughts(t *testing.T) {
	r := random.New(4, "budget")
	const n = 160
	plan, actual, variance, percent := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		plan[i] = 100 * float64(20+r.IntN(400))
		actual[i] = cents(plan[i] * (1 + 0.07*r.NormFloat64()))
		if i%40 == 9 {
			actual[i] = plan[i] + cents(0.0003*plan[i]*r.Float64()) + 0.13
		}
		variance[i] = cents(actual[i] - plan[i])
		percent[i] = math.Round(1000*variance[i]/plan[i]) / 10
	}
	if rows, result := wrongRows(t, numbersTable([]string{"plan", "actual", "variance", "percent"}, plan, actual, variance, percent)); len(rows) > 0 {
		t.Errorf("wrong are %v: %s", rows, result.Why(rows[0]))
	}
}

// Two columns that never agree together are a key, and a row that is there twice breaks it, however few values the others have.
func TestDuplicatesOfAKeyOfTwo(t *testing.T) {
	r := random.New(5, "calls")
	const n = 240
	day, offered, lost := make([]float64, n), make([]float64, n), make([]float64, n)
	agent := make([]string, n)
	for i := range n {
		day[i], agent[i] = float64(i/12), fmt.Sprintf("agent%02d", i%12)
		offered[i], lost[i] = float64(50+r.IntN(20)), float64(r.IntN(6))
	}
	table := numbersTable([]string{"day", "offered", "lost"}, day, offered, lost)
	agent[100] = "agetn04"
	table.Columns = append(table.Columns, categoryColumn("agent", agent))
	if rows, r := wrongRows(t, table); !slices.Equal(rows, []int{100}) {
		t.Errorf("wrong are %v, want the misspelt row 100", rows)
		for _, i := range rows {
			t.Log(r.Why(i))
		}
	}
	copyRow(table, 40, 43)
	if rows, _ := wrongRows(t, table); !slices.Equal(rows, []int{43, 100}) {
		t.Errorf("wrong are %v, want rows 43 and 100", rows)
	}
}

// What ends at a limit does so beside rows that have the same value for another reason: claims that were refused are paid 0, and so are small ones.
// Contributions stop at a greatest amount, fees at a least one; nobody is wrong for it, and who has the value without need is.
func TestLawsThatEndAtALimit(t *testing.T) {
	r := random.New(8, "limits")
	const n = 700
	claimed, deductible, paid, words := make([]float64, n), make([]float64, n), make([]float64, n), make([]string, n)
	base, bonus, social := make([]float64, n), make([]float64, n), make([]float64, n)
	volume, fee := make([]float64, n), make([]float64, n)
	gross, tax, net := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		claimed[i], deductible[i], words[i] = cents(math.Exp(7.2+0.7*r.NormFloat64())), []float64{150, 300, 500}[r.IntN(3)], "settled"
		paid[i] = max(0, cents(claimed[i]-deductible[i]))
		if r.IntN(9) == 0 {
			paid[i], words[i] = 0, "rejected"
		}
		base[i] = cents(3000 + 700*r.NormFloat64())
		if r.IntN(4) == 0 {
			bonus[i] = cents(base[i] * (0.05 + 0.2*r.Float64()))
		}
		social[i] = cents(0.0935 * min(base[i]+bonus[i], 4800))
		gross[i] = cents(base[i] + bonus[i])
		tax[i] = cents(0.3*gross[i] - 400*r.Float64())
		net[i] = cents(gross[i] - tax[i] - social[i])
		volume[i] = cents(math.Exp(9.5 + 0.8*r.NormFloat64()))
		fee[i] = cents(max(9.95, 0.0025*volume[i]))
	}
	social[80], fee[90] = social[80]+31, 2*fee[90]
	columns := []struct {
		name  string
		table func() *tolerant.Table
		want  []int
	}{
		{"refused and small", func() *tolerant.Table {
			table := numbersTable([]string{"claimed", "deductible", "paid"}, claimed, deductible, paid)
			table.Columns = append(table.Columns, categoryColumn("status", words))
			return table
		}, nil},
		{"greatest", func() *tolerant.Table { return numbersTable([]string{"base", "bonus", "social"}, base, bonus, social) }, []int{80}},
		{"what follows from laws", func() *tolerant.Table {
			return numbersTable([]string{"base", "bonus", "gross", "tax", "social", "net"}, base, bonus, gross, tax, social, net)
		}, []int{80}},
		{"least", func() *tolerant.Table { return numbersTable([]string{"volume", "fee"}, volume, fee) }, []int{90}},
	}
	for _, c := range columns {
		if rows, result := wrongRows(t, c.table()); !slices.Equal(rows, c.want) {
			t.Errorf("%s: wrong are %v, want %v: %q", c.name, rows, c.want, texts(result.Relations))
			for _, i := range rows {
				t.Log(result.Why(i))
			}
		}
	}
}
