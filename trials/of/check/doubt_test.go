package check

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/synthetic"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// blamed checks a table in which cells of some rows were changed: those are named, and what a repair would replace is one of them.
func blamed(t *testing.T, names []string, rows [][]string, planted map[int][]int) {
	t.Helper()
	got, err := check.Run(context.Background(), tolerant.FromStrings(names, rows, tolerant.Options{}), check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	named := map[int]bool{}
	for _, c := range got.Cells {
		guilty := slices.Contains(planted[c.Row], c.Column)
		if c.Wrong && guilty {
			named[c.Row] = true
		}
		if c.Wrong && !c.Doubt && !guilty {
			t.Errorf("row %d, %v: %s is to be repaired: %s", c.Row, rows[c.Row], names[c.Column], c.Why)
		}
	}
	for row := range planted {
		if !named[row] {
			t.Errorf("row %d, %v: not named: %s", row, rows[row], got.Why(row))
		}
	}
}

// A wrong word that decides other columns is wrong, and not these; of two that decide each other nobody knows, unless a third or an equation
// speaks for one.
func TestTheWordThatDecidesIsGuilty(t *testing.T) {
	r := random.New(2, "flights")
	flights := [][]string{{"LH1", "FRA", "LHR", "655", "95"}, {"LH2", "FRA", "JFK", "6200", "510"}, {"BA1", "LHR", "JFK", "5540", "475"}, {"AF1", "CDG", "MAD", "1060", "130"}, {"IB1", "MUC", "MAD", "1480", "160"}}
	var rows [][]string
	for i := range 500 {
		f := slices.Clone(flights[i%5]) // in turn
		var minutes float64
		fmt.Sscan(f[4], &minutes)
		f[4] = fmt.Sprint(math.Round(minutes * math.Exp(0.03*r.NormFloat64())))
		rows = append(rows, f)
	}
	planted := map[int][]int{}
	for k := range 5 {
		row := 17 + 90*k
		rows[row][0], planted[row] = flights[(row+1+k%3)%5][0], []int{0}
	}
	blamed(t, []string{"flight", "from", "to", "km", "minutes"}, rows, planted)

	rows, planted = nil, map[int][]int{}
	for i := range 600 {
		k, kg := r.IntN(4), cents(math.Exp(1+0.7*r.NormFloat64()))
		fee := []float64{4.9, 6.9, 9.9, 14.9}[k]
		zone := "ABCD"[k : k+1]
		if i%100 == 7 {
			other := (k + 1 + i/100%3) % 4
			zone, planted[i] = "ABCD"[other:other+1], []int{0}
		}
		rows = append(rows, []string{zone, fmt.Sprint(fee), fmt.Sprintf("%.2f", kg), fmt.Sprintf("%.2f", cents(fee+1.2*kg))})
	}
	blamed(t, []string{"zone", "fee", "kg", "charge"}, rows, planted)
}

// A day and a month that were exchanged, and a term that is another of the few, are told by the value that mends the law; two dates a day off
// do not keep it.
func TestTheSlipOfADateIsGuilty(t *testing.T) {
	r := random.New(3, "invoices")
	var rows [][]string
	planted := map[int][]int{}
	const form = "02.01.2006"
	for i := range 600 {
		from := time.Date(2023, 1, 1+r.IntN(400), 0, 0, 0, 0, time.UTC)
		terms := []int{14, 30, 60}[r.IntN(3)]
		due := from.AddDate(0, 0, terms)
		turned := func(d time.Time) time.Time {
			return time.Date(d.Year(), time.Month(d.Day()), int(d.Month()), 0, 0, 0, 0, time.UTC)
		}
		slips := func(d time.Time) bool { return d.Day() <= 12 && math.Abs(float64(d.Day()-int(d.Month()))) > 2 }
		switch {
		case len(planted) < 6 && i > 50 && slips(due):
			due, planted[i] = turned(due), []int{2}
		case len(planted) >= 6 && len(planted) < 12 && slips(from):
			from, planted[i] = turned(from), []int{0}
		case i > 400 && i%40 == 3:
			terms, planted[i] = 44-terms+30*(terms/60), []int{1}
		}
		rows = append(rows, []string{from.Format(form), fmt.Sprint(terms), due.Format(form), fmt.Sprintf("%.2f", 100*math.Exp(r.NormFloat64()))})
	}
	blamed(t, []string{"from", "terms", "due", "net"}, rows, planted)
}

// Where too little of one goes with too much of another, and the one may not exceed the other, a repair replaces neither that is right.
func TestOrdersEmptyNoInnocentCell(t *testing.T) {
	r := random.New(4, "fleet")
	var rows [][]string
	planted := map[int][]int{}
	for i := range 600 {
		km := math.Exp(5 + 0.5*r.NormFloat64())
		fuel := 0.3 * km * math.Exp(0.08*r.NormFloat64())
		switch i % 75 {
		case 10:
			km, planted[i] = km/10, []int{0}
		case 40:
			km, fuel, planted[i] = fuel, km, []int{0, 1}
		case 70:
			fuel, planted[i] = 10*fuel, []int{1}
		}
		rows = append(rows, []string{fmt.Sprintf("%.1f", km), fmt.Sprintf("%.2f", fuel), fmt.Sprint(100 + r.IntN(900))})
	}
	blamed(t, []string{"km", "fuel_kg", "load"}, rows, planted)
}

// A cell of a law that was exchanged with one outside it is given back to it.
func TestExchangedWithAColumnOutsideTheLaw(t *testing.T) {
	r := random.New(5, "parts")
	var rows [][]string
	planted := map[int][]int{}
	for i := range 500 {
		net, weight := cents(50+math.Exp(5+0.6*r.NormFloat64())), cents(math.Exp(1+0.4*r.NormFloat64()))
		vat := cents(0.19 * net)
		total := cents(net + vat)
		if i%200 == 20 {
			net, weight, planted[i] = weight, net, []int{1, 0}
		}
		rows = append(rows, []string{fmt.Sprintf("%.2f", weight), fmt.Sprintf("%.2f", net), fmt.Sprintf("%.2f", vat), fmt.Sprintf("%.2f", total)})
	}
	blamed(t, []string{"weight", "net", "vat", "total"}, rows, planted)
}

// Of two columns that are copies the one that differs is named; where it is as likely the other, both are, and neither is replaced.
func TestCopiesOfAColumn(t *testing.T) {
	r := random.New(6, "copies")
	var rows [][]string
	planted := map[int][]int{}
	for i := range 500 {
		total := math.Round(math.Exp(5 + 0.5*r.NormFloat64()))
		one, other := total, total
		switch i % 100 {
		case 30:
			one, planted[i] = 10*total, []int{0}
		case 60:
			other, planted[i] = 10*total, []int{1}
		case 90:
			other, planted[i] = total+3, []int{1}
		}
		rows = append(rows, []string{fmt.Sprint(one), fmt.Sprint(other), fmt.Sprint(r.IntN(40))})
	}
	blamed(t, []string{"total", "total again", "desk"}, rows, planted)
}

// A word that comes four times in a list of which all others come a hundred times is none of it, and is named; what it should be nobody knows. Two
// genders and a third one that is rare are no such list. Of codes one that lacks a digit is told by the others.
func TestAStrayWordAmongFew(t *testing.T) {
	r := random.New(7, "staff")
	var rows [][]string
	planted := map[int][]int{}
	for i := range 600 {
		dept, gender, status := []string{"Sales", "Finance", "Legal", "Research", "Support"}[r.IntN(5)], []string{"f", "m"}[r.IntN(2)], []string{"200", "200", "200", "304", "404", "301"}[r.IntN(6)]
		switch {
		case i%150 == 20:
			dept, planted[i] = "Xyz", []int{0}
		case i%200 == 33:
			gender = "d"
		case i == 70 || i == 400:
			status, planted[i] = "20", []int{2}
		}
		rows = append(rows, []string{dept, gender, status, fmt.Sprintf("%.1f", 40+5*r.NormFloat64()), fmt.Sprintf("%.1f", 9+r.NormFloat64())})
	}
	blamed(t, []string{"dept", "gender", "status", "hours", "score"}, rows, planted)
}

// A law that holds in a row speaks against two of its cells having been exchanged: a repair would break it, and the next one give the first
// cell back. The order has a wrong weight of 3 kg, and net is the price of one piece.
func TestALawSpeaksAgainstAnExchange(t *testing.T) {
	made, err := synthetic.Generate("orders", map[string]string{"writing": "us"}, 5)
	if err != nil {
		t.Fatal(err)
	}
	table := tolerant.FromStrings(made.Sheet.Columns, made.Sheet.Rows, tolerant.Options{})
	_, found := wrongRows(t, table)
	named := false
	for _, c := range found.Cells {
		if name := table.Columns[c.Column].Name; c.Row == 216 {
			named = named || name == "weight"
			if name == "quantity" || strings.HasPrefix(c.Slip, "exchanged") {
				t.Errorf("%s: %s", name, c.Why)
			}
		}
	}
	if !named {
		t.Error("the weight is not named")
	}
}

// A mark that was typed twice is the decimal one, also where it is not the column's.
func TestMarkTypedTwice(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 5))
	rows := make([][]string, 200)
	for i := range rows {
		rows[i] = []string{strings.Replace(fmt.Sprintf("%.2f", 10+3*r.Float64()), ".", ",", 1), fmt.Sprint(r.IntN(90))}
	}
	rows[70][0], rows[90][0] = "12..5", "11,,25"
	_, found := wrongRows(t, tolerant.FromStrings([]string{"shipping", "x"}, rows, tolerant.Options{}))
	got := map[int]float64{}
	for _, c := range found.Cells {
		got[c.Row] = c.Expected
	}
	if got[70] != 12.5 || got[90] != 11.25 {
		t.Errorf("12..5 and 11,,25 are taken for %v", got)
	}
}
