package jobs

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier"
	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// shares are days of four shares, one below the other; the third begins far above the others, and falls once.
func shares(days int) (names []string, rows [][]string) {
	r := rand.New(rand.NewPCG(14, 2))
	for k, price := range []float64{120, 34, 610, 8.5} {
		for day := range days {
			if k == 2 && day >= 56 && day < 59 {
				price *= 0.89
			}
			first := price * math.Exp(0.004*r.NormFloat64())
			last := first * math.Exp(0.012*r.NormFloat64())
			high, low := max(first, last)*(1+0.004*math.Abs(r.NormFloat64())), min(first, last)*(1-0.004*math.Abs(r.NormFloat64()))
			rows = append(rows, []string{time.Date(2022, 1, 3+day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), string(rune('A' + k)),
				fmt.Sprintf("%.2f", first), fmt.Sprintf("%.2f", high), fmt.Sprintf("%.2f", low), fmt.Sprintf("%.2f", last)})
			price = last
		}
	}
	return []string{"date", "share", "open", "high", "low", "close"}, rows
}

// Where one series ends and the next begins nothing has left its series: 48 of 2000 clean rows did.
func TestSeriesOneBelowTheOther(t *testing.T) {
	names, rows := shares(500)
	r, err := inlier.Check{Table: tolerant.FromStrings(names, rows, tolerant.Options{})}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.WrongRows) > len(rows)/100 {
		t.Errorf("%d of %d clean rows are wrong: %v", len(r.WrongRows), len(rows), r.WrongRows)
	}
	r.Found.EachCell(func(c *check.Cell) bool {
		told := strings.Contains(c.Why, "out of order")
		if told {
			t.Errorf("row %d: %s", c.Row+1, c.Why)
		}
		return !told
	})
}

// Two exchanged values break every order that they are in; those that they passed are innocent, and both are given back.
func TestExchangedAcrossOrders(t *testing.T) {
	names, rows := shares(500)
	planted := []int{100, 500, 700, 1300, 1500}
	for _, i := range planted {
		rows[i][3], rows[i][4] = rows[i][4], rows[i][3]
	}
	r, err := inlier.Check{Table: tolerant.FromStrings(names, rows, tolerant.Options{})}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range planted {
		if rows[i][2] == rows[i][3] || rows[i][2] == rows[i][4] || rows[i][5] == rows[i][3] || rows[i][5] == rows[i][4] {
			continue // hardly turned round
		}
		var changed []string
		for _, c := range r.Changes() {
			if c.Row == i+1 {
				changed = append(changed, c.Column+" "+c.Is)
			}
		}
		slices.Sort(changed)
		if want := []string{"high " + rows[i][4], "low " + rows[i][3]}; !slices.Equal(changed, want) {
			t.Errorf("row %d: changed %v, want %v", i+1, changed, want)
		}
	}
}

// A date that a law sets right puts others in order again: a booking is not wrong for an arrival whose day and month were exchanged.
func TestOrderThatALawSetsRight(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 3))
	var rows [][]string
	write := func(day int) string { return time.Date(2023, 1, 1+day, 0, 0, 0, 0, time.UTC).Format(time.DateOnly) }
	for range 900 {
		booked := r.IntN(500)
		arrival, nights := booked+int(30*r.ExpFloat64()), 1+r.IntN(12)
		rows = append(rows, []string{write(booked), write(arrival), write(arrival + nights), fmt.Sprint(nights), fmt.Sprintf("%.2f", 80+20*r.Float64())})
	}
	rows[400] = []string{"2024-05-02", "2024-04-05", "2024-05-07", "3", "91.20"} // the fourth of May
	result, err := inlier.Check{Table: tolerant.FromStrings([]string{"booked", "arrival", "departure", "nights", "rate"}, rows, tolerant.Options{})}.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range result.Changes() {
		if c.Row == 401 && (c.Column != "arrival" || c.Is != "2024-05-04") {
			t.Errorf("%s: %s became %q: %s", c.Column, c.Was, c.Is, c.Why)
		}
	}
	if !slices.Contains(result.WrongRows, 401) {
		t.Error("the row is not wrong")
	}
}
