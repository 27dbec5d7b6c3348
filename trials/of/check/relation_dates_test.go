package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Laws between dates and numbers are told as a person would write them, clean rows keep them, and the cell that breaks one is named with what it
// would have to be.
func TestLawsOfDates(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	day := func(from string, span int) time.Time {
		d, _ := time.Parse("2006-01-02", from)
		return d.AddDate(0, 0, r.IntN(span))
	}
	completed := func(from, to time.Time) (years int) {
		for !from.AddDate(years+1, 0, 0).After(to) {
			years++
		}
		return years
	}
	const iso = "2006-01-02"
	for _, c := range []struct {
		law   string
		names string
		guilt int
		row   func() []string
		slip  func(row []string)
	}{
		{"check_out = check_in + nights", "check_in,nights,check_out,rate", 2, func() []string {
			in, n := day("2023-01-01", 700), 1+r.IntN(14)
			return []string{in.Format(iso), fmt.Sprint(n), in.AddDate(0, 0, n).Format(iso), fmt.Sprint(70 + r.IntN(90))}
		}, func(row []string) {
			at, _ := time.Parse(iso, row[2])
			row[2] = at.AddDate(1, 0, 0).Format(iso)
		}},
		{"due = invoice + 30 days", "invoice,due,amount", 1, func() []string {
			d := day("2023-01-01", 700)
			return []string{d.Format("02.01.2006"), d.AddDate(0, 0, 30).Format("02.01.2006"), fmt.Sprintf("%.2f", math.Exp(6+r.NormFloat64()))}
		}, func(row []string) {
			at, _ := time.Parse("02.01.2006", row[1])
			row[1] = at.AddDate(-1, 0, 0).Format("02.01.2006")
		}},
		{"age = whole years from birth to visit", "birth,visit,age,pulse", 2, func() []string {
			birth, visit := day("1940-01-01", 25000), day("2023-01-01", 700)
			return []string{birth.Format(iso), visit.Format(iso), fmt.Sprint(completed(birth, visit)), fmt.Sprint(60 + r.IntN(40))}
		}, func(row []string) { row[2] = "7" }},
		{"end = start + weeks", "start,weeks,end", 1, func() []string {
			d, n := day("2023-01-01", 700), 2+r.IntN(28)
			return []string{d.Format("01/02/2006"), fmt.Sprint(n), d.AddDate(0, 0, 7*n).Format("01/02/2006")}
		}, func(row []string) { row[1] += "0" }},
		{"end = start + 12 months", "start,end,fee", 1, func() []string {
			d := day("2019-01-01", 1800)
			return []string{d.Format(iso), d.AddDate(1, 0, 0).Format(iso), fmt.Sprint(20 + r.IntN(90))}
		}, func(row []string) {
			at, _ := time.Parse(iso, row[1])
			row[1] = at.AddDate(10, 0, 0).Format(iso)
		}},
		{"end = begin + seconds", "begin,end,seconds", 2, func() []string {
			d, n := day("2024-03-01", 30).Add(time.Duration(r.IntN(86400))*time.Second), 20+r.IntN(900)
			return []string{d.Format(time.DateTime), d.Add(time.Duration(n) * time.Second).Format(time.DateTime), fmt.Sprint(n)}
		}, func(row []string) { row[2] += "0" }},
		{"entered = 2024-06-30 - served (days)", "entered,served,salary", 1, func() []string {
			d := day("2005-01-01", 6500)
			to, _ := time.Parse(iso, "2024-06-30")
			return []string{d.Format(iso), fmt.Sprint(int(to.Sub(d).Hours() / 24)), fmt.Sprint(2000 + r.IntN(3000))}
		}, func(row []string) { row[1] += "0" }},
		{"year = year of sold", "sold,year,price", 1, func() []string {
			d := day("2015-01-01", 3000)
			return []string{d.Format(iso), fmt.Sprint(d.Year()), fmt.Sprint(2000 + r.IntN(3000))}
		}, func(row []string) { row[1] = "2010" }},
	} {
		var rows [][]string
		for range 300 {
			rows = append(rows, c.row())
		}
		names := strings.Split(c.names, ",")
		wrong, found := wrongRows(t, tolerant.FromStrings(names, rows, tolerant.Options{}))
		if !slices.Contains(texts(found.Relations), c.law) || len(wrong) > 0 {
			t.Errorf("%s: found the laws %q, and %v wrong", c.law, texts(found.Relations), wrong)
			continue
		}
		meant := rows[120][c.guilt]
		c.slip(rows[120])
		table := tolerant.FromStrings(names, rows, tolerant.Options{})
		wrong, found = wrongRows(t, table)
		if cells := found.CellsOf(120); !slices.Equal(wrong, []int{120}) || cells[0].Column != c.guilt {
			t.Errorf("%s: rows %v, %+v", c.law, wrong, cells)
		} else if column := &table.Columns[c.guilt]; column.Kind == tolerant.Number {
			if v, _ := strconv.ParseFloat(meant, 64); v != cells[0].Expected {
				t.Errorf("%s: expected %g, meant %s", c.law, cells[0].Expected, meant)
			}
		} else if got := tolerant.FormatDate(column.Layout, tolerant.NearestDate(column.Layout, cells[0].Expected)); got != meant {
			t.Errorf("%s: expected %s, meant %s", c.law, got, meant)
		}
	}
}

// Dates that have nothing to do with each other, or only mostly, make no law by which rows are wrong: goods that are mostly sent the same
// day, and bills that some customers may pay later.
func TestDatesWithoutLaws(t *testing.T) {
	for seed := range many(3, 20) {
		r := rand.New(rand.NewPCG(seed, 5))
		var rows [][]string
		for range 400 {
			d, e := time.Date(2024, 1, 1+r.IntN(300), 0, 0, 0, 0, time.UTC), time.Date(2024, 1, 1+r.IntN(300), 0, 0, 0, 0, time.UTC)
			sent, due := d, d.AddDate(0, 0, 30)
			if r.IntN(20) == 0 {
				sent = sent.AddDate(0, 0, 1+r.IntN(3))
			}
			if r.IntN(25) == 0 {
				due = d.AddDate(0, 0, 60)
			}
			rows = append(rows, []string{d.Format("2006-01-02"), sent.Format("2006-01-02"), due.Format("2006-01-02"), e.Format("2006-01-02"), fmt.Sprint(1 + r.IntN(9))})
		}
		if wrong, found := wrongRows(t, tolerant.FromStrings([]string{"ordered", "sent", "due", "other", "count"}, rows, tolerant.Options{})); len(wrong) > 0 {
			t.Errorf("seed %d: %v wrong, laws %q: %s", seed, wrong, texts(found.Relations), found.Why(wrong[0]))
		}
	}
}
