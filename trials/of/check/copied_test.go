package check

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// An entry of a ledger that is there twice is a copy, wherever it stands and whichever end is the newest, and no amount should be 0 for it.
func TestCopiedEntriesOfALedger(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 8))
	balance := 2000.0
	var rows [][]string
	for i := range 400 {
		amount := math.Round(100*(40*r.NormFloat64()-2)) / 100
		balance = math.Round(100*(balance+amount)) / 100
		rows = append(rows, []string{fmt.Sprintf("2024-%02d-%02d", 1+i/35, 1+i%35*28/35), []string{"rent", "food", "card"}[r.IntN(3)], fmt.Sprintf("%.2f", amount), fmt.Sprintf("%.2f", balance)})
	}
	names := []string{"date", "what", "amount", "balance"}
	for _, upwards := range []bool{false, true} {
		if upwards {
			slices.Reverse(rows)
		}
		for _, c := range []struct{ of, at int }{{100, 101}, {200, 230}, {150, 400}} {
			dirty := slices.Insert(slices.Clone(rows), c.at, rows[c.of])
			wrong, found := wrongRows(t, tolerant.FromStrings(names, dirty, tolerant.Options{}))
			if !slices.Equal(wrong, []int{c.at}) || found.Part[c.at] != check.PartDuplicate && found.Part[c.at] != check.PartTime {
				t.Errorf("upwards %v, copy at %d: rows %v, %s", upwards, c.at, wrong, found.Why(wrong[0]))
			}
			for _, cell := range found.Cells {
				if cell.Wrong && cell.Column >= 2 {
					t.Errorf("upwards %v, copy at %d: %s", upwards, c.at, cell.Why)
				}
			}
		}
	}
}

// A row right behind one that is the same is a copy where neighbours hardly ever agree by chance, although two rows somewhere may.
func TestCopiesBehindTheirRow(t *testing.T) {
	for seed := range many(3, 20) {
		r := rand.New(rand.NewPCG(seed, 9))
		var rows [][]string
		for range 600 {
			rows = append(rows, []string{fmt.Sprint(18 + r.IntN(40)), fmt.Sprintf("%.2f", math.Exp(5+0.6*r.NormFloat64())), fmt.Sprint(1 + r.IntN(12))})
		}
		names := []string{"age", "price", "count"}
		if wrong, found := wrongRows(t, tolerant.FromStrings(names, rows, tolerant.Options{})); len(wrong) > 0 {
			t.Errorf("seed %d, clean: %v, %s", seed, wrong, found.Why(wrong[0]))
		}
		wrong, _ := wrongRows(t, tolerant.FromStrings(names, slices.Insert(rows, 301, rows[300]), tolerant.Options{}))
		if !slices.Equal(wrong, []int{301}) {
			t.Errorf("seed %d: %v", seed, wrong)
		}
	}
}

// Rows that agree by chance are neighbours in a sorted table, and no copies.
func TestTwinsOfSortedTables(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 9))
	var rows [][]string
	for range 1500 {
		rows = append(rows, []string{fmt.Sprint(100 + r.IntN(300)), fmt.Sprint(10 + r.IntN(80)), fmt.Sprint(10 + r.IntN(60))})
	}
	slices.SortFunc(rows, slices.Compare[[]string])
	if wrong, found := wrongRows(t, tolerant.FromStrings([]string{"a", "b", "c"}, rows, tolerant.Options{})); len(wrong) > 0 {
		t.Errorf("%v, %s", wrong, found.Why(wrong[0]))
	}
}

// A row of a daily table that is there twice, behind itself, at the end or among others, with a name of its own or without one, is wrong as a whole: its date
// is neither out of order nor there twice, and a repair leaves it.
func TestCopiesKeepTheirDates(t *testing.T) {
	for _, named := range []bool{false, true} {
		r := rand.New(rand.NewPCG(4, 9))
		var rows [][]string
		for i := range 400 {
			day := time.Date(2023, 1, 2+i, 0, 0, 0, 0, time.UTC)
			if named {
				day = time.Date(2023, 1, 2+i/5, 0, 0, 0, 0, time.UTC)
			}
			rows = append(rows, []string{fmt.Sprintf("A%05d", 1000+i), day.Format(time.DateOnly), fmt.Sprintf("S%d", r.IntN(6)), fmt.Sprint(1 + r.IntN(9)), fmt.Sprintf("%.2f", 5+r.NormFloat64())})
		}
		names := []string{"order", "date", "site", "count", "flow"}
		for _, at := range []int{51, 52, 49, 20, 230, 400} {
			dirty := slices.Insert(slices.Clone(rows), at, rows[50])
			if !named {
				dirty = slices.Clone(dirty)
				for i, row := range dirty {
					dirty[i] = row[1:]
				}
			}
			wrong, found := wrongRows(t, tolerant.FromStrings(names[len(names)-len(dirty[0]):], dirty, tolerant.Options{}))
			if want := max(at, 51); !slices.Equal(wrong, []int{want}) || found.Part[want] != check.PartDuplicate {
				t.Errorf("named %v, copy at %d: rows %v", named, at, wrong)
			}
			for _, cell := range found.Cells {
				if cell.Wrong && cell.Part != check.PartDuplicate {
					t.Errorf("named %v, copy at %d: %s", named, at, cell.Why)
				}
			}
		}
	}
}

// In a log of several counters rows of the night are alike, and a row is there twice where its stamp and its counter are, also where a few names and stamps of
// other rows are mistaken for each other.
func TestCopiesInALogOfSeveralCounters(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 9))
	var rows [][]string
	counters := []string{"bridge", "canal", "station"}
	for hour := range 700 {
		stamp := time.Date(2024, 5, 6, hour, 0, 0, 0, time.UTC).Format("2006-01-02 15:04")
		for k, counter := range counters {
			in, out := 0, 0
			if h := hour % 24; h > 6 && h < 21 {
				in, out = 10*(k+1)+r.IntN(30), 10*(k+1)+r.IntN(30)
			}
			rows = append(rows, []string{stamp, counter, fmt.Sprint(in), fmt.Sprint(out), fmt.Sprint(in + out), fmt.Sprint(12 + hour/9%9)})
		}
	}
	for i := range 8 {
		rows[100+200*i][1] = counters[r.IntN(3)]
	}
	dirty := rows
	for _, at := range []int{1501, 1013, 511} {
		dirty = slices.Insert(dirty, at, dirty[at-9])
	}
	_, found := wrongRows(t, tolerant.FromStrings([]string{"time", "counter", "in", "out", "total", "degrees"}, dirty, tolerant.Options{}))
	for _, row := range []int{511, 1014, 1503} {
		if !found.Wrong[row] || found.Part[row] != check.PartDuplicate {
			t.Errorf("row %d is a copy: %v, %s", row, found.Wrong[row], found.Why(row))
		}
	}
}
