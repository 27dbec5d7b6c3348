package check

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
	"github.com/inlier-ml/inlier/internal/random"
)

// mends checks a table and asks of planted cells, by row and column, what a repair makes of them; no others are replaced.
func mends(t *testing.T, names []string, rows [][]string, planted map[[2]int]string) {
	t.Helper()
	table := tolerant.FromStrings(names, rows, tolerant.Options{})
	got, err := check.Run(context.Background(), table, check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range got.Cells {
		if !c.Wrong || c.Doubt {
			continue
		}
		at := [2]int{c.Row, c.Column}
		meant, is := planted[at]
		delete(planted, at)
		value := c.Repaired(&table.Columns[c.Column], table.Columns[c.Column].Values[c.Row])
		asWritten := fmt.Sprint(value)
		if table.Columns[c.Column].Kind == tolerant.Date {
			asWritten = time.Unix(int64(value), 0).UTC().Format("2006-01-02 15:04")
		}
		if !is || asWritten != meant {
			t.Errorf("row %d, %v: %s becomes %s, meant was %q: %s", c.Row, rows[c.Row], names[c.Column], asWritten, meant, c.Why)
		}
	}
	for at := range planted {
		t.Errorf("row %d, %v: %s is not replaced: %s", at[0], rows[at[0]], names[at[1]], got.Why(at[0]))
	}
}

// A date with a wrong month beside one that it follows within the hour gets its own hour back, and a negative age its sign, though others are
// nearer to what the row suggests.
func TestSlipsGiveBackWhatWasWritten(t *testing.T) {
	r := random.New(3, "samples")
	const form = "2006-01-02 15:04"
	var rows [][]string
	for i := range 600 {
		taken := time.Date(2024, 2, 1, 7, 0, 0, 0, time.UTC).Add(time.Duration(i*97+r.IntN(60)) * time.Minute)
		age := min(97, max(18, math.Round(62+15*r.NormFloat64())))
		rows = append(rows, []string{taken.Format(form), taken.Add(time.Duration(25+r.IntN(50)) * time.Minute).Format(form), fmt.Sprint(age), fmt.Sprintf("%.1f", 120+0.4*age+9*r.NormFloat64())})
	}
	planted := map[[2]int]string{{200, 1}: rows[200][1], {301, 2}: "95"}
	at, _ := time.Parse(form, rows[200][1])
	rows[200][1], rows[301][2] = at.AddDate(0, 5, 0).Format(form), "-95"
	mends(t, []string{"taken", "read", "age", "pressure"}, rows, planted)
}

// A stamp that is out of order lies between those beside it, whatever the rest of its row suggests.
func TestStampsLieBetweenTheirNeighbours(t *testing.T) {
	r := random.New(4, "fuel")
	var rows [][]string
	day := func(i int) time.Time { return time.Date(2022, 1, 3+i/3, 0, 0, 0, 0, time.UTC) }
	for i := range 900 {
		rows = append(rows, []string{day(i).Format("2006-01-02"), fmt.Sprintf("%.2f", 1.5+0.0004*float64(i)+0.02*r.NormFloat64()), fmt.Sprintf("%.1f", 40+6*r.NormFloat64())})
	}
	planted := map[[2]int]string{{400, 0}: day(400).Format("2006-01-02 15:04")}
	rows[400][0] = "2026-06-17"
	mends(t, []string{"date", "price", "litres"}, rows, planted)
}

// The first balance of an account is wrong, not what the second row adds to it; and days that neither dates nor their price bear out are wrong rather than
// the dates.
func TestTheCellThatMendsAllLaws(t *testing.T) {
	r := random.New(5, "odometers")
	var rows [][]string
	stand := []float64{81000, 12000, 45500, 103000, 60200, 27100}
	for i := range 600 {
		k := i % 6
		km := 300 + r.IntN(500)
		if i == 9 {
			km = 320
		}
		stand[k] += float64(km)
		rows = append(rows, []string{fmt.Sprintf("B-%d", k), fmt.Sprint(km), fmt.Sprint(stand[k]), fmt.Sprintf("%.1f", float64(km)*0.06*math.Exp(0.06*r.NormFloat64()))})
	}
	planted := map[[2]int]string{{3, 2}: rows[3][2]}
	var first float64
	fmt.Sscan(rows[3][2], &first)
	rows[3][2] = fmt.Sprint(first + 500) // the second row would have to take something off
	mends(t, []string{"plate", "km", "odometer", "litres"}, rows, planted)

	rows = nil
	for range 900 {
		from, days := time.Date(2022, 1, 1+r.IntN(500), 0, 0, 0, 0, time.UTC), []int{365, 365, 366, 181, 92, 274}[r.IntN(6)]
		rows = append(rows, []string{from.Format("2006-01-02"), from.AddDate(0, 0, days-1).Format("2006-01-02"), fmt.Sprint(days), fmt.Sprintf("%.2f", 0.37*float64(days)), fmt.Sprintf("%.0f", 9*float64(days)*math.Exp(0.4*r.NormFloat64()))})
	}
	rows[500][2], rows[500][3] = "365", "66.97"
	from, _ := time.Parse("2006-01-02", rows[500][0])
	rows[500][1] = from.AddDate(0, 0, 180).Format("2006-01-02")
	mends(t, []string{"from", "to", "days", "fee", "kWh"}, rows, map[[2]int]string{{500, 2}: "181"})
}

// What a law gives stands before a sign: a count of -5 where the amount is that of 12 becomes 12, and was left, since with 5 the law does not hold.
func TestALawStandsBeforeASign(t *testing.T) {
	r := random.New(5, "orders")
	var rows [][]string
	for range 240 {
		count, price, off := 1+r.IntN(20), float64(200+r.IntN(8800))/100, []int{0, 0, 0, 5, 10}[r.IntN(5)]
		rows = append(rows, []string{fmt.Sprint(count), fmt.Sprintf("%.2f", price), fmt.Sprint(off), fmt.Sprintf("%.2f", float64(count)*price*float64(100-off)/100)})
	}
	rows[60] = []string{"-5", "81.00", "10", "874.80"}
	mends(t, []string{"count", "price", "discount", "amount"}, rows, map[[2]int]string{{60, 0}: "12"})
}
