package check

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/inlier-ml/inlier/check"
	"github.com/inlier-ml/inlier/dataset/tolerant"
)

var directionNames = []string{"time", "dir_80m", "dir_40m", "speed"}

// winds are directions around north by two vanes; turned rows have the second the other way round.
func winds(seed uint64, turned bool) (rows [][]string) {
	r := rand.New(rand.NewPCG(seed, 23))
	for i := range 800 {
		a := 350 + 25*math.Sin(float64(i)/37) + 3*r.NormFloat64()
		b := a + 5 + 2*r.NormFloat64()
		if turned && i%40 == 20 {
			b += 180
		}
		text := func(v float64) string { return fmt.Sprintf("%.0f", math.Mod(v+360, 360)) }
		rows = append(rows, []string{fmt.Sprintf("2024-01-%02d %02d:%02d", 1+i/144, i/6%24, i%6*10), text(a), text(b), fmt.Sprintf("%.1f", 6+r.NormFloat64())})
	}
	return rows
}

// Directions on both sides of north are beside each other: none is wrong for it, and those that are the other way round are, with what they are to be
// within the circle.
func TestDirectionsGoOnAcrossNorth(t *testing.T) {
	for seed := range many(2, 8) {
		table := check.AroundCircles(tolerant.FromStrings(directionNames, winds(seed, false), tolerant.Options{}), nil)
		if wrong, found := wrongRows(t, table); len(wrong) > 2 {
			t.Errorf("seed %d, clean: %d rows are wrong, such as %s", seed, len(wrong), found.Why(wrong[0]))
		}
		table = check.AroundCircles(tolerant.FromStrings(directionNames, winds(seed, true), tolerant.Options{}), nil)
		_, found := wrongRows(t, table)
		hits := 0
		for _, c := range found.Cells {
			switch {
			case !c.Wrong:
			case c.Row%40 != 20 || c.Column != 2:
				t.Errorf("seed %d, row %d: %s", seed, c.Row, c.Why)
			default:
				hits++
				first, v := table.Columns[1].Within(table.Columns[1].Values[c.Row]), table.Columns[2].Within(c.Expected)
				if away := math.Abs(math.Remainder(v-first, 360)); v < 0 || v >= 360 || away > 20 {
					t.Errorf("seed %d, row %d: %g expected beside %g", seed, c.Row, v, first)
				}
			}
		}
		if hits < 18 {
			t.Errorf("seed %d: %d of 20 are found", seed, hits)
		}
	}
}

// A model knows the circles of its columns, also from a file, and a batch is held against it as the table was.
func TestBatchesOfDirections(t *testing.T) {
	ctx := context.Background()
	learned := check.AroundCircles(tolerant.FromStrings(directionNames, winds(3, false), tolerant.Options{}), nil)
	m, err := check.Learn(ctx, learned, check.Settings{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := m.WriteTo(&file); err != nil {
		t.Fatal(err)
	}
	if m, err = check.Read(ctx, &file); err != nil {
		t.Fatal(err)
	}
	batch, _, _ := m.Align(tolerant.FromStrings(directionNames, winds(4, true)[:100], tolerant.Options{}))
	found, err := m.JudgeObserved(ctx, check.AroundCircles(batch, m.Table()), func(string, float64) {})
	if err != nil {
		t.Fatal(err)
	}
	for row, wrong := range found.Wrong {
		if wrong != (row%40 == 20) {
			t.Errorf("row %d: wrong is %v, %s", row, wrong, found.Why(row))
		}
	}
}

// Longitudes on both sides of 180 in any order are cut between; what is no direction stays as it is.
func TestWhatIsADirection(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 23))
	columns := map[string]func() float64{
		"islands":        func() float64 { return math.Remainder(180+25*(2*r.Float64()-1), 360) },
		"everywhere":     func() float64 { return 360*r.Float64() - 180 },
		"months of loan": func() float64 { return []float64{12, 24, 36, 60, 120, 180, 240, 360, 360, 360}[r.IntN(10)] },
		"lognormal":      func() float64 { return math.Exp(4 + r.NormFloat64()) },
		"two groups":     func() float64 { return 180 + []float64{-150, 150}[r.IntN(2)] + 8*r.NormFloat64() },
		"days":           func() float64 { return float64(1 + r.IntN(365)) },
	}
	for name, draw := range columns {
		var rows [][]string
		for range 500 {
			rows = append(rows, []string{fmt.Sprintf("%.2f", draw()), fmt.Sprintf("%.2f", r.NormFloat64())})
		}
		table := tolerant.FromStrings([]string{name, "other"}, rows, tolerant.Options{})
		around := check.AroundCircles(table, nil)
		if is := around.Columns[0].Circle != nil; is != (name == "islands") {
			t.Errorf("%s: directions %v", name, is)
		} else if is && (around == table || around.Columns[0].Remarks == nil) {
			t.Errorf("%s: nothing is said", name)
		}
		for row, v := range around.Columns[0].Values {
			if was := table.Columns[0].Values[row]; math.Abs(math.Remainder(around.Columns[0].Within(v)-was, 360)) > 1e-9 || name == "islands" && (v < 150 || v > 210) {
				t.Fatalf("%s: %g became %g", name, was, v)
			}
		}
	}
}

// What is no direction is wrong where directions come from all around, also without a time, and is said as it stands in the file.
func TestWhatIsNoDirection(t *testing.T) {
	for name, around := range map[string]bool{"all around": true, "about north": false} {
		r := rand.New(rand.NewPCG(6, 23))
		texts := map[int]string{100: "3600", 300: "-45", 500: "999", 600: "725"}
		var rows [][]string
		a := 0.0
		for i := range 800 {
			if a += 6*r.NormFloat64() + 1.5; !around {
				a = 25*math.Sin(float64(i)/30) + 5*r.NormFloat64()
			}
			text, odd := texts[i]
			if !odd {
				text = fmt.Sprintf("%.0f", math.Mod(a+3600, 360))
			}
			rows = append(rows, []string{text, fmt.Sprintf("%.1f", 6+r.NormFloat64()), fmt.Sprintf("%.1f", 15+r.NormFloat64())})
		}
		wrong, found := wrongRows(t, check.AroundCircles(tolerant.FromStrings([]string{"dir", "speed", "temp"}, rows, tolerant.Options{}), nil))
		if fmt.Sprint(wrong) != "[100 300 500 600]" {
			t.Errorf("%s: %v are wrong", name, wrong)
		}
		for _, row := range wrong {
			if text := texts[row]; text != "" && !strings.HasPrefix(found.Why(row), "dir is "+text) {
				t.Errorf("%s: %s of %s", name, found.Why(row), text)
			}
			for _, c := range found.CellsOf(row) {
				if meant, _ := c.Meant(-45); row == 300 && meant == 45 {
					t.Errorf("%s: 45 for -45: %s", name, c.Why)
				}
			}
		}
	}
}
