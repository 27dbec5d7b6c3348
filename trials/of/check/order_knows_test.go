package check

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/inlier-ml/inlier/dataset/tolerant"
)

// Where rows stand in the order of a date, that order knows which of two dates breaks the law between them: one out of it is set right, and one that
// stands in it is never replaced by one that does not.
func TestOrderKnowsWhichDateBreaksALaw(t *testing.T) {
	for seed := range many(4, 20) {
		r := rand.New(rand.NewPCG(seed, 31))
		begin := make([]time.Time, 500)
		for i := range begin {
			begin[i] = time.Date(2022, 1, 3+r.IntN(800), 0, 0, 0, 0, time.UTC)
		}
		slices.SortFunc(begin, time.Time.Compare)
		for column, name := range []string{"brewed", "racked"} {
			meant := map[int]string{}
			var rows [][]string
			for i, at := range begin {
				days := 6 + r.IntN(9)
				row := []string{at.Format(time.DateOnly), at.AddDate(0, 0, days).Format(time.DateOnly), fmt.Sprint(days), fmt.Sprint(450 + r.IntN(100))}
				if i%50 == 25 {
					meant[i] = row[column]
					moved, _ := time.Parse(time.DateOnly, row[column])
					switch i / 50 % 2 {
					case 0:
						moved = moved.AddDate(1-2*r.IntN(2), 0, 0)
					default:
						moved = moved.AddDate(0, 0, 60-120*r.IntN(2))
					}
					row[column] = moved.Format(time.DateOnly)
				}
				rows = append(rows, row)
			}
			table := tolerant.FromStrings([]string{"brewed", "racked", "days", "litres"}, rows, tolerant.Options{})
			wrong, found := wrongRows(t, table)
			for _, i := range wrong {
				if meant[i] == "" {
					t.Errorf("seed %d, %s: row %d is right: %s", seed, name, i, found.Why(i))
				}
			}
			if len(wrong) < len(meant) {
				t.Errorf("seed %d, %s: %v wrong of %d", seed, name, wrong, len(meant))
			}
			for i := range meant {
				cells := found.CellsOf(i)
				if column == 1 {
					for _, c := range cells {
						if c.Column == 0 && c.Wrong && !c.Doubt {
							t.Errorf("seed %d: the right date of row %d would be replaced: %s", seed, i, c.Why)
						}
					}
				} else if c := cells[0]; c.Column != 0 || c.Doubt || tolerant.FormatDate(table.Columns[0].Layout, c.Expected) != meant[i] {
					t.Errorf("seed %d: row %d: %s, meant %s", seed, i, c.Why, meant[i])
				}
			}
		}
	}
}

// Dates of which there are few different ones, months of a report, are judged as well: years off, and out of blocks in their order.
func TestFewDatesAreJudged(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 32))
	table := func(sorted bool, other map[int]string) *tolerant.Table {
		var rows [][]string
		for i := range 900 {
			month := i / 100
			if !sorted {
				month = r.IntN(9)
			}
			row := []string{time.Date(2023, time.Month(month+1), 1, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), fmt.Sprintf("%.2f", 50+9*r.NormFloat64()), fmt.Sprintf("%.2f", 20+3*r.NormFloat64())}
			if d := other[i]; d != "" {
				row[0] = d
			}
			rows = append(rows, row)
		}
		return tolerant.FromStrings([]string{"month", "sales", "cost"}, rows, tolerant.Options{})
	}
	for _, c := range []struct {
		sorted bool
		other  map[int]string
		want   []int
	}{
		{false, nil, nil},
		{true, nil, nil},
		{false, map[int]string{40: "2033-05-01", 500: "1900-01-01", 700: "2013-02-01"}, []int{40, 500, 700}},
		{true, map[int]string{40: "2033-01-01", 350: "2023-01-04", 500: "2022-06-01", 640: "2024-07-01"}, []int{40, 350, 500, 640}},
		{true, map[int]string{350: "2023-03-01", 500: "2023-05-01"}, nil}, // may have come late
	} {
		if got, found := wrongRows(t, table(c.sorted, c.other)); !slices.Equal(got, c.want) {
			t.Errorf("sorted %v, %v: wrong are %v, not %v", c.sorted, c.other, got, c.want)
			for _, row := range got {
				t.Log(found.Why(row))
			}
		}
	}
}

// A number in a text that cannot be read is not what was meant where next to none is as large.
func TestNumbersInTextsAreOfTheirColumn(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 33))
	var rows [][]string
	for range 400 {
		rows = append(rows, []string{fmt.Sprintf("%.3f", 1.05+0.006*r.NormFloat64()), fmt.Sprint(10 + r.IntN(80))})
	}
	rows[10][0], rows[20][0], rows[30][1] = "9999.000", "12x", "20 pieces"
	table := tolerant.FromStrings([]string{"gravity", "count"}, rows, tolerant.Options{})
	_, found := wrongRows(t, table)
	if c := found.CellsOf(20)[0]; c.Expected == 12 {
		t.Error(c.Why)
	}
	if c := found.CellsOf(30)[0]; c.Expected != 20 {
		t.Error(c.Why)
	}
}

// Rows of a far group are not called for being like no other row: contracts without an end are written with one in 2099.
func TestFarGroupsAreLikeEachOther(t *testing.T) {
	for seed := range many(3, 20) {
		r := rand.New(rand.NewPCG(seed, 34))
		var rows [][]string
		for i := range 600 {
			from := time.Date(2018, 1, 1+r.IntN(1500), 0, 0, 0, 0, time.UTC)
			until := from.AddDate(0, 0, 365*(1+r.IntN(3))+r.IntN(60)).Format(time.DateOnly)
			if r.IntN(100) < 8 {
				until = "2099-12-31"
			}
			rows = append(rows, []string{fmt.Sprintf("P%05d", 7*i), from.Format(time.DateOnly), until, fmt.Sprintf("%.2f", 100+9*r.NormFloat64())})
		}
		if wrong, found := wrongRows(t, tolerant.FromStrings([]string{"policy", "valid_from", "valid_to", "fee"}, rows, tolerant.Options{})); len(wrong) > 0 {
			t.Errorf("seed %d: %d right rows are called: %s", seed, len(wrong), found.Why(wrong[0]))
		}
	}
}
