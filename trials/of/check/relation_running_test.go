package check

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// statement is an account: each row has a debit or a credit, and the balance after it. Salaries come in now and then, so that
// the balance jumps.
func statement(n int, seed uint64, newestFirst bool) *tolerant.Table {
	r := random.New(seed, "statement")
	debit, credit, balance := make([]float64, n), make([]float64, n), make([]float64, n)
	cents, last := func(v float64) float64 { return math.Round(100*v) / 100 }, 5000.0
	for i := range n {
		if debit[i], credit[i] = cents(10+60*r.ExpFloat64()), math.NaN(); i%24 == 11 {
			debit[i], credit[i] = math.NaN(), cents(1500+100*r.Float64())
			last += credit[i]
		} else {
			last -= debit[i]
		}
		last = cents(last)
		balance[i] = last
	}
	if newestFirst {
		slices.Reverse(debit)
		slices.Reverse(credit)
		slices.Reverse(balance)
	}
	return numbersTable([]string{"debit", "credit", "balance"}, debit, credit, balance)
}

// A sum that starts anew, with another account or another meter, is no mistake of the row that it starts with.
func TestRunningSumsStartAnew(t *testing.T) {
	clean := func(what string, table *tolerant.Table) {
		t.Helper()
		got, err := check.Run(context.Background(), table, check.Settings{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(got.Relations, func(r check.Relation) bool { return strings.Contains(r.Text, "of the row") && len(r.Broken) == 0 }) {
			t.Errorf("%s: relations %q", what, texts(got.Relations))
		}
		for i, wrong := range got.Wrong {
			if wrong {
				t.Errorf("%s: row %d is called wrong", what, i)
			}
		}
	}
	for _, newestFirst := range []bool{false, true} {
		table := statement(300, 5, newestFirst)
		account := make([]float64, 300)
		for i := range account {
			if account[i] = 4711; i >= 200 {
				account[i] = 4712
				table.Columns[2].Values[i] = math.Round(100*(table.Columns[2].Values[i]-900)) / 100
			}
		}
		clean("two accounts", numbersTable([]string{"account", "debit", "credit", "balance"}, account,
			table.Columns[0].Values, table.Columns[1].Values, table.Columns[2].Values))
	}
	r := random.New(6, "meter")
	used, reading := make([]float64, 300), make([]float64, 300)
	last := 88321.0
	for i := range used {
		if used[i] = math.Round(10*(9+3*r.NormFloat64())) / 10; i == 180 {
			last = 0
		}
		last = math.Round(10*(last+used[i])) / 10
		reading[i] = last
	}
	reading[180] = 0
	for i := 181; i < 300; i++ {
		reading[i] = math.Round(10*(reading[i-1]+used[i])) / 10
	}
	clean("exchanged meter", numbersTable([]string{"reading", "used"}, reading, used))
}

// Credits that come one after the other are no stretch in which the amounts go wrong, where the balance bears them out.
func TestRunningSumsAcquitStretches(t *testing.T) {
	r := random.New(8, "credits")
	n := 300
	day, amount, balance := make([]float64, n), make([]float64, n), make([]float64, n)
	last := 2500.0
	for i := range n {
		day[i] = float64(i)
		if amount[i] = -math.Round(100*(5+50*r.ExpFloat64())) / 100; r.Float64() < 0.1 {
			amount[i] = math.Round(100*(700+200*r.NormFloat64())) / 100
		}
		last = math.Round(100*(last+amount[i])) / 100
		balance[i] = last
	}
	got, err := check.Run(context.Background(), numbersTable([]string{"day", "amount", "balance"}, day, amount, balance), check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := countTrue(got.Wrong); n > 0 {
		t.Errorf("%d clean rows are wrong", n)
	}
}

// Accounts that are mixed row by row have a balance each: the row before is that of the same account.
func TestRunningSumsMixed(t *testing.T) {
	r := random.New(8, "accounts")
	const n = 500
	amount, balance, account := make([]float64, n), make([]float64, n), make([]string, n)
	last := map[string]float64{"giro": 1500, "savings": 9000, "depot": 20000}
	for i := range n {
		account[i] = []string{"giro", "giro", "giro", "savings", "depot"}[r.IntN(5)]
		amount[i] = -cents(1 + 60*r.ExpFloat64())
		if r.IntN(12) == 0 {
			amount[i] = cents(700 + 200*r.Float64())
		}
		last[account[i]] = cents(last[account[i]] + amount[i])
		balance[i] = last[account[i]]
	}
	table := numbersTable([]string{"amount", "balance"}, amount, balance)
	table.Columns = append(table.Columns, categoryColumn("account", account))
	want := "balance = balance of the row with the same account before + amount"
	rows, result := wrongRows(t, table)
	if got := texts(result.Relations); !slices.Contains(got, want) || len(rows) > 0 {
		t.Errorf("relations %q, wrong are %v", got, rows)
	}
	amount[200] *= 10
	balance[300] += 50
	if rows, _ = wrongRows(t, table); !slices.Equal(rows, []int{200, 300}) {
		t.Errorf("wrong are %v", rows)
	}
}

// Counts are exact: a stock by item is a law although its steps are hardly larger than one.
func TestRunningCounts(t *testing.T) {
	r := random.New(9, "stock")
	const n = 500
	in, out, stock, item := make([]float64, n), make([]float64, n), make([]float64, n), make([]string, n)
	last := map[string]float64{"bolt": 90, "nut": 150, "gear": 60, "belt": 120}
	for i := range n {
		item[i] = []string{"bolt", "nut", "gear", "belt"}[r.IntN(4)]
		if out[i] = float64(3 + r.IntN(8)); last[item[i]] < 30 {
			in[i] = float64(60 + r.IntN(80))
		}
		last[item[i]] += in[i] - out[i]
		stock[i] = last[item[i]]
	}
	table := numbersTable([]string{"in", "out", "stock"}, in, out, stock)
	table.Columns = append(table.Columns, categoryColumn("item", item))
	stock[300]++
	rows, result := wrongRows(t, table)
	if got := texts(result.Relations); !slices.Contains(got, "stock = stock of the row with the same item before + in - out") || !slices.Equal(rows, []int{300}) {
		t.Errorf("relations %q, wrong are %v", got, rows)
	}
}

// A balance that follows from the row before is a law: it names a wrong amount and a wrong balance by themselves and acquits the rest.
func TestRunningSums(t *testing.T) {
	for _, newestFirst := range []bool{false, true} {
		text := "balance = balance of the row before - debit + credit"
		if newestFirst {
			text = "balance = balance of the row behind - debit + credit"
		}
		table := statement(380, 3, newestFirst)
		debit, balance := table.Columns[0].Values, table.Columns[2].Values
		got, err := check.Run(context.Background(), table, check.Settings{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(got.Relations, func(r check.Relation) bool { return r.Text == text && len(r.Broken) == 0 }) {
			t.Errorf("newest first %v: relations %q", newestFirst, texts(got.Relations))
		}
		if n := countTrue(got.Wrong); n > 0 {
			t.Errorf("newest first %v: %d clean rows are wrong", newestFirst, n)
		}
		was := []float64{debit[210], balance[100]}
		debit[210] *= 100
		balance[100] += 90
		if got, err = check.Run(context.Background(), table, check.Settings{}, nil); err != nil {
			t.Fatal(err)
		}
		var named [][2]int
		for _, c := range got.Cells {
			if !c.Wrong {
				continue
			}
			named = append(named, [2]int{c.Row, c.Column})
			if want := was[map[bool]int{true: 0, false: 1}[c.Row == 210]]; math.Abs(c.Expected-want) > 0.01 {
				t.Errorf("newest first %v, row %d: expected %g, was %g", newestFirst, c.Row, c.Expected, want)
			}
		}
		if want := [][2]int{{100, 2}, {210, 0}}; !slices.Equal(named, want) {
			t.Errorf("newest first %v: wrong cells %v, want %v", newestFirst, named, want)
		}
	}
}
